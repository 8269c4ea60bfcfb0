//! Reading records at one entry of the ledger: canonical bytes only, each record verified by its type.

use super::{Place, Run, Spec, layout, run, spec};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    ids::{RunId, SpecId},
    json::{self, Value},
};
use crate::ledger::View;

/// The records at one entry.
pub struct Records<'r> {
    view: View<'r>,
}

impl<'r> Records<'r> {
    /// The records of this view.
    pub fn of(view: View<'r>) -> Records<'r> {
        Records { view }
    }

    /// The ledger below.
    pub fn view(&self) -> &View<'r> {
        &self.view
    }

    /// A record's JSON; `None` when it is not there.
    pub fn value(&self, place: &Place) -> Result<Option<Value>> {
        let path = place.path();
        let Some(bytes) = self.view.read(&path)? else { return Ok(None) };
        canonical(&bytes).map(Some).map_err(|error| error.at(path))
    }

    /// The ids of all specs, sorted.
    pub fn spec_ids(&self) -> Result<Vec<SpecId>> {
        self.names_below("specs")?.iter().map(|name| SpecId::parse(name)).collect()
    }

    /// The ids of all runs, sorted.
    pub fn run_ids(&self) -> Result<Vec<RunId>> {
        self.names_below("runs")?.iter().map(|name| RunId::parse(name)).collect()
    }

    /// Whether this run is there.
    pub fn has_run(&self, id: &RunId) -> Result<bool> {
        Ok(self.view.locate(&layout::run_dir(id))?.is_some())
    }

    /// Whether this spec is there.
    pub fn has_spec(&self, id: &SpecId) -> Result<bool> {
        Ok(self.view.locate(&layout::spec_dir(id))?.is_some())
    }

    /// A spec with its whole history, verified (RAPID807 when it is not there).
    pub fn spec(&self, id: &SpecId) -> Result<Spec> {
        spec::load(self, id)
    }

    /// A run with its whole history, verified (RAPID1007 when it is not there). Reports are parsed, not replayed.
    pub fn run(&self, id: &RunId) -> Result<Run> {
        run::load(self, id)
    }

    /// The numbers of the files `0001.json` … in a directory; `gap` is the code for a number that is missing.
    pub(super) fn count(&self, directory: &str, ending: &str, gap: Code) -> Result<u32> {
        let mut numbers: Vec<u32> = Vec::new();
        for name in self.view.list(directory)? {
            match layout::ordinal(&name, ending) {
                Some(number) => numbers.push(number),
                None => {
                    return Err(Code::Rapid1521
                        .because(format!("'{directory}/{name}' is no record's path"))
                        .at(directory));
                }
            }
        }
        contiguous(numbers, directory, gap)
    }

    pub(super) fn names_below(&self, top: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for shard in self.view.list(top)? {
            if shard.len() != 2 || !shard.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
                return Err(Code::Rapid1521.because(format!("'{top}/{shard}' is no record's path")).at(top));
            }
            names.extend(self.view.list(&format!("{top}/{shard}"))?);
        }
        names.sort();
        Ok(names)
    }
}

/// How many numbers there are, when they are 1, 2, 3 … without a gap.
pub(super) fn contiguous(mut numbers: Vec<u32>, directory: &str, gap: Code) -> Result<u32> {
    numbers.sort_unstable();
    for (number, expected) in numbers.iter().zip(1..) {
        if *number != expected {
            return Err(gap.because(format!("number {expected} is missing in '{directory}'")).at(directory));
        }
    }
    Ok(u32::try_from(numbers.len()).unwrap_or(u32::MAX))
}

/// Reads bytes that must be the canonical JSON of a record (RAPID1520).
pub(super) fn canonical(bytes: &[u8]) -> Result<Value> {
    let value = json::parse(bytes)
        .map_err(|fault| Code::Rapid1520.because(format!("the record is not the JSON of a record: {fault}")))?;
    match value.record_bytes() == bytes {
        true => Ok(value),
        false => Err(Code::Rapid1520.because("the record is not written in its canonical form")),
    }
}
