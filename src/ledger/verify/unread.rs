//! The new records that nobody read together with others: each is looked at by itself, whatever became of it later. In a
//! ledger without a fault these are few.

use super::{Finding, Introduced, MOST_FINDINGS};
use crate::diagnostics::{Code, Result};
use crate::git::{Kind, Oid, Repository};
use crate::ledger::reads::Known;
use crate::ledger::view::RECORD_CAP;

/// What the caller says about one new record: its path and bytes.
pub type Check = fn(&str, &[u8]) -> Result<()>;

/// How many records one thread takes at least.
const SHARE: usize = 1024;

/// How many bytes one thread reads at most, and how many more for each record.
const MOST_BYTES: usize = 1 << 30;
const BYTES_OF_A_RECORD: usize = 1 << 10;

/// Looks at them.
pub fn check_unread(
    repository: &Repository,
    introduced: &[Introduced],
    known: &Known,
    check: Check,
) -> Result<Vec<Finding>> {
    let unread: Vec<(&Introduced, Oid)> = introduced
        .iter()
        .filter_map(|new| Some((new, new.record?)))
        .filter(|(new, record)| !known.has(&new.path, *record))
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(unread.len().div_ceil(SHARE)).max(1);
    let share = unread.len().div_ceil(threads).max(1);
    let parts: Result<Vec<Vec<Finding>>> = std::thread::scope(|scope| {
        let workers: Vec<_> = unread
            .chunks(share)
            .map(|share| {
                let own = repository.clone();
                scope.spawn(move || look(&own, share, check, MOST_FINDINGS / threads))
            })
            .collect();
        let broken = || Code::Rapid003.because("a part of the verification did not end");
        workers.into_iter().map(|worker| worker.join().map_err(|_| broken())).collect()
    });
    Ok(parts?.into_iter().flatten().collect())
}

fn look(repository: &Repository, share: &[(&Introduced, Oid)], check: Check, most: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut left = MOST_BYTES + share.len() * BYTES_OF_A_RECORD;
    for (new, record) in share {
        let bytes = repository.read_verified(*record, Kind::Blob, RECORD_CAP);
        left = left.saturating_sub(bytes.as_ref().map_or(0, Vec::len));
        if left == 0 || findings.len() >= most {
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
