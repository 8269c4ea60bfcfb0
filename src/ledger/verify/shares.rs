//! Who compares which entries: one thread begins while the chain is still being followed, and what is left at its end is shared
//! by all of them. Each takes neighbours, so that what one entry read serves the next. Not here: what is compared.

use super::{
    trees::Trees,
    walk::{Linked, Walk},
};
use crate::diagnostics::{Code, Result};
use crate::git::{LooseFiles, Repository};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many entries one thread takes at least; fewer are not worth a thread.
const SHARE: usize = 256;

/// Follows the chain, which gives each entry that can be compared, and compares them: what the chain saw, then what each thread
/// saw.
pub(super) fn compare_all(
    repository: &Repository,
    loose: &LooseFiles,
    chain: impl FnOnce(&mut dyn FnMut(Linked)) -> Result<Walk>,
) -> Result<Vec<Walk>> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let waiting = &Waiting::default();
    std::thread::scope(|scope| {
        let mut workers = Vec::new();
        let mut given = 0;
        let followed = chain(&mut |entry| {
            waiting.add(entry);
            given += 1;
            if given == SHARE && threads > 1 {
                let own = repository.clone();
                workers.push(scope.spawn(move || compare(&own, loose, std::iter::from_fn(|| waiting.next()))));
            }
        });
        let (mut left, share) = waiting.share(threads, !workers.is_empty());
        let mut walks = vec![followed?];
        while left.len() > share {
            let own = repository.clone();
            let entries = left.drain(..share).collect::<Vec<_>>();
            workers.push(scope.spawn(move || compare(&own, loose, entries)));
        }
        let last = compare(repository, loose, left);
        for worker in workers {
            walks.push(worker.join().map_err(|_| Code::Rapid003.because("a part of the verification did not end"))?);
        }
        walks.push(last);
        Ok(walks)
    })
}

fn compare(repository: &Repository, loose: &LooseFiles, entries: impl IntoIterator<Item = Linked>) -> Walk {
    let mut walk = Walk::default();
    let mut trees = Trees::new(repository, loose);
    for entry in entries {
        trees.compare(entry.id, entry.tree, &entry.parents, &mut walk);
    }
    walk
}

/// The entries of the thread that began, and of all until they are shared.
#[derive(Default)]
struct Waiting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    entries: VecDeque<Linked>,
    /// No more will come.
    is_whole: bool,
}

impl Waiting {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, entry: Linked) {
        self.state().entries.push_back(entry);
        self.changed.notify_one();
    }

    /// The next one, when it comes.
    fn next(&self) -> Option<Linked> {
        let waits = |state: &mut State| state.entries.is_empty() && !state.is_whole;
        let state = self.changed.wait_while(self.state(), waits);
        state.unwrap_or_else(PoisonError::into_inner).entries.pop_front()
    }

    /// No more will come. What is left but for one share, where somebody takes it from here; and how large a share is.
    fn share(&self, threads: usize, has_taker: bool) -> (VecDeque<Linked>, usize) {
        let mut state = self.state();
        state.is_whole = true;
        self.changed.notify_one();
        let left = state.entries.len();
        let share = left.div_ceil(threads.min(left.div_ceil(SHARE)).max(1)).max(1);
        (state.entries.split_off(if has_taker { share.min(left) } else { 0 }), share)
    }
}
