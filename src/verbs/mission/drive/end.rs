//! Something that went on beside is over: what came of it is an event, with what was decided about it.

use super::{Done, Driver, unknown};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::ids::RunId;
use crate::mission::{ChildId, ChildResult, Event, PackageId, Setback};
use crate::os::clock;
use crate::safety::{Circuit, Failure, FailureKind};
use crate::verbs::mission::child::{Ended, How};
use crate::verbs::mission::tests;

/// How much of a failure's text is kept, in characters.
const TEXT: usize = 4_000;

impl Driver<'_> {
    pub(super) fn charged(&self, id: &PackageId, kind: FailureKind, text: &str) -> Setback {
        let text = self.site.redactor.text(text);
        let kept: String = match text.char_indices().rev().nth(TEXT) {
            Some((at, _)) => text.get(at..).unwrap_or_default().to_owned(),
            None => text.clone(),
        };
        self.mission().setback(id, &Failure::new(kind, &text), kept)
    }

    /// Something that went on beside this thread is over.
    pub(super) fn end(&mut self, done: Done) -> Result<()> {
        match done {
            Done::Child(id, ended) => self.child_over(id, ended),
            Done::Tests(package, attempt, run, tested) => {
                self.busy.remove(&package);
                match tested {
                    Err(error) => self.halt(error),
                    // The tests were cut off with the run, and run again with the next.
                    Ok(tested) if tested.fault.is_some() && !self.may_start() => {}
                    Ok(_) if *self.mission().circuit() != Circuit::Closed => {}
                    Ok(tested) => self.tests_over(package, attempt, run, tested)?,
                }
                Ok(())
            }
        }
    }

    fn child_over(&mut self, id: ChildId, ended: Result<Ended>) -> Result<()> {
        let package = self.mission().child(&id).and_then(|child| child.package.clone());
        self.busy.remove(&package);
        let ended = match ended {
            Err(error) => {
                self.halt(error);
                self.record(&cut_off(id))?;
                return self.sweep();
            }
            Ok(ended) => ended,
        };
        self.record_end(id, ended)
    }

    /// Records how a child ended, and what was decided about it.
    pub fn record_end(&mut self, id: ChildId, ended: Ended) -> Result<()> {
        let package = self.mission().child(&id).and_then(|child| child.package.clone());
        let Ended { evidence, work, verdict, how } = ended;
        let is_open = *self.mission().circuit() != Circuit::Closed;
        let event = match how {
            How::CutOff(why) => {
                self.halted = why.or_else(|| self.halted.take());
                cut_off(id)
            }
            _ if is_open => cut_off(id),
            How::Answered => Event::ChildEnded {
                child: id,
                result: ChildResult::Answered,
                verdict,
                work,
                setback: None,
                evidence,
                at: clock::now_seconds(),
            },
            How::Failed(kind, text) => {
                let result = match verdict {
                    Some(_) => ChildResult::Answered,
                    None => ChildResult::Failed,
                };
                let setback = package.as_ref().map(|package| self.charged(package, kind, &text));
                Event::ChildEnded { child: id, result, verdict, work, setback, evidence, at: clock::now_seconds() }
            }
        };
        self.record(&event)?;
        self.sweep()
    }

    fn tests_over(
        &mut self,
        package: Option<PackageId>,
        attempt: u32,
        run: RunId,
        tested: tests::Tested,
    ) -> Result<()> {
        let green = tested.fault.is_none();
        let (setback, tree) = match &package {
            Some(id) => {
                let work = self.mission().package(id).and_then(|package| package.work().cloned());
                let tree = work.ok_or_else(|| unknown(id))?.1;
                (tested.fault.map(|(kind, text)| self.charged(id, kind, &text)), tree)
            }
            None => (None, self.mission().tip().1.clone()),
        };
        let fewer = tested.fewer.map(|fewer| self.site.redactor.text(&fewer));
        let evidence = tested.evidence;
        self.record(&Event::Tested { package, attempt, run, tree, green, evidence, setback, fewer })?;
        self.sweep()
    }

    /// What is the world's fault is charged to nobody, and ends the run.
    fn halt(&mut self, error: Diagnostic) {
        if error.code != Code::Rapid004 {
            let hints: String = error.hints.iter().map(|hint| format!(" ({hint})")).collect();
            self.halted = Some(format!("{}: {}{hints}", error.code, error.message));
        }
    }
}

pub(super) fn cut_off(child: ChildId) -> Event {
    Event::ChildEnded {
        child,
        result: ChildResult::Interrupted,
        verdict: None,
        work: None,
        setback: None,
        evidence: Vec::new(),
        at: clock::now_seconds(),
    }
}
