//! Judging the run in memory that tests are written with (`domain::fixture`).

use super::{Input, evaluate, what_if};
use crate::diagnostics::Code;
use crate::domain::{
    evidence::Finish,
    report::{Report, Status, Verdict},
    text::RelativePath,
};

pub(crate) use crate::domain::fixture::*;

impl Run {
    pub(crate) fn input(&self) -> Input<'_> {
        Input::new(&self.contract, self.state(), &self.evidence).signed(&self.signed)
    }

    pub(crate) fn report(&self) -> Report {
        evaluate(&self.input()).unwrap()
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.report().verdict()
    }

    /// How an assertion stands, and why.
    pub(crate) fn stands(&self, id: &str) -> (Status, String) {
        let report = self.report();
        let assertion = report.assertion(id).unwrap_or_else(|| panic!("no assertion {id}"));
        (assertion.status, assertion.reason.clone())
    }

    /// What `finish` records, with a changed file unless the code is the base's.
    pub(crate) fn finish_record(&mut self, on: char) {
        let changed = (on != 'a').then(|| RelativePath::parse("src/lib.rs", Code::Rapid1206).unwrap());
        let finish = Finish { tree: Some(tree(on)), ..Finish::default() };
        let record =
            what_if::finish_record(&self.contract, self.state(), &self.evidence, changed.into_iter().collect(), finish);
        self.evidence.push(record);
    }

    /// What `finish` does; the report is not stored.
    pub(crate) fn finish(&mut self, on: char) -> Report {
        self.finish_record(on);
        let dry = what_if::dry_finish(&self.input()).unwrap();
        self.states.extend(dry.states);
        dry.report
    }
}
