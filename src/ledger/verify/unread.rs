//! The new records that nobody read together with others: each is looked at by itself, whatever became of it later. In a
//! ledger without a fault these are few.

use super::{Finding, Introduced, MOST_FINDINGS};
use crate::diagnostics::{Code, Result};
use crate::git::{Kind, Repository};
use crate::ledger::reads::Known;
use crate::ledger::view::RECORD_CAP;

/// What the caller says about one new record: its path and bytes.
pub type Check = fn(&str, &[u8]) -> Result<()>;

/// How many bytes are read at most, and how many more for each record.
const MOST_BYTES: usize = 1 << 30;
const BYTES_OF_A_RECORD: usize = 1 << 10;

/// Looks at them.
pub fn check_unread(repository: &Repository, introduced: &[Introduced], known: &Known, check: Check) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut left = MOST_BYTES.saturating_add(introduced.len().saturating_mul(BYTES_OF_A_RECORD));
    for new in introduced {
        let Some(record) = new.record.filter(|record| !known.has(&new.path, *record)) else { continue };
        let bytes = repository.read_verified(record, Kind::Blob, RECORD_CAP);
        left = left.saturating_sub(bytes.as_ref().map_or(0, Vec::len));
        if left == 0 || findings.len() >= MOST_FINDINGS {
            let words = format!("entry {} holds more bytes or more faults than are looked at", new.entry.short());
            findings.push(Finding::of(new.entry, Code::Rapid1525.because(words)));
            break;
        }
        if let Err(diagnostic) = bytes.and_then(|bytes| check(&new.path, &bytes)) {
            findings.push(Finding::of(new.entry, diagnostic.at(&new.path)));
        }
    }
    findings
}
