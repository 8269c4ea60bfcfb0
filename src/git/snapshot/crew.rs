//! The threads that share one walk: a common stack of directories still to be looked at.

use super::scan::{Directory, Found, Ground, Walker};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::Repository;
use std::sync::{Condvar, Mutex, PoisonError};

/// Tracked files that are worth a thread of their own.
const SHARE: usize = 1_000;

/// More threads than this wait for each other rather than for the disk. More than processors gained nothing where measured.
const MOST: usize = 8;

/// Walks the whole working copy; what is found comes in no order.
pub(super) fn walk(repository: &Repository, ground: &Ground<'_>) -> Result<Vec<Found>> {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = (ground.index.entries().len() / SHARE + 1).min(processors).min(MOST);
    let work = Work {
        state: Mutex::new(State { todo: vec![Directory::top(ground.index)], busy: 0, failure: None }),
        wake: Condvar::new(),
    };
    let shared = repository.gix.clone().into_sync();
    let mut found = std::thread::scope(|scope| {
        let helpers: Vec<_> =
            (1..threads).map(|_| scope.spawn(|| work.run(ground, &shared.to_thread_local()))).collect();
        let mut found = work.run(ground, &repository.gix);
        for helper in helpers {
            match helper.join() {
                Ok(more) => found.extend(more),
                Err(_) => {
                    work.fail(Code::Rapid003.because("a thread that looked at the working copy did not end well"))
                }
            }
        }
        found
    });
    match work.state.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
        Some(failure) => Err(failure),
        None => {
            found.sort();
            found.dedup();
            Ok(found)
        }
    }
}

struct Work {
    state: Mutex<State>,
    wake: Condvar,
}

struct State {
    todo: Vec<Directory>,
    busy: usize,
    failure: Option<Diagnostic>,
}

impl Work {
    fn run(&self, ground: &Ground<'_>, gix: &gix::Repository) -> Vec<Found> {
        let mut walker = Walker::new(ground, gix);
        let (mut own, mut busy) = (Vec::new(), false);
        while let Some(directory) = own.pop().or_else(|| self.next(busy)) {
            busy = true;
            if let Err(failure) = walker.visit(&directory, &mut own) {
                self.fail(failure);
                break;
            }
            self.share(&mut own);
        }
        walker.found()
    }

    /// A directory that somebody left for others; `None` when all is done. `busy`: the caller has had one before.
    fn next(&self, busy: bool) -> Option<Directory> {
        let mut state = self.lock();
        if busy {
            state.busy = state.busy.saturating_sub(1);
        }
        loop {
            if state.failure.is_some() {
                break;
            }
            if let Some(directory) = state.todo.pop() {
                state.busy += 1;
                return Some(directory);
            }
            if state.busy == 0 {
                break;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.wake.notify_all();
        None
    }

    /// Leaves what was found earliest (and so is likely to be largest) to others, when they have nothing.
    fn share(&self, own: &mut Vec<Directory>) {
        if own.len() < 2 {
            return;
        }
        let mut state = self.lock();
        if state.todo.is_empty() {
            let half = own.len() / 2;
            state.todo.extend(own.drain(..half));
            self.wake.notify_all();
        }
    }

    fn fail(&self, failure: Diagnostic) {
        let mut state = self.lock();
        state.failure.get_or_insert(failure);
        self.wake.notify_all();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
