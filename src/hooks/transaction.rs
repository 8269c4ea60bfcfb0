//! reference-transaction: the ledger ref of this clone is neither rewound nor deleted. Opt-in, for it is asked on every move of
//! a ref.
//!
//! Git also calls it when it packs refs: the loose file goes, the ref stays. Refusing that would break `git gc`.

use super::answer::Answer;
use super::push::shrinks;
use super::update::{self, Update};
use crate::diagnostics::{Code, Result};
use crate::git::{RefStorage, Repository};
use crate::ledger::{LEDGER_REF, Ledger};
use crate::os::files;
use crate::verbs::rapid::Rapid;

/// Larger than any list of packed refs.
const CAP: u64 = 256 << 20;

/// Judges a transaction in `phase`; only what is prepared can still be refused.
pub fn reference_transaction(rapid: &Rapid, phase: &str, input: &[u8]) -> Result<Answer> {
    let mut answer = Answer::quiet();
    if phase != "prepared" {
        return Ok(answer);
    }
    // Other refs may be symbolic, which their lines say in words of their own: only the ledger's line is read.
    let ending = format!(" {LEDGER_REF}");
    let text = String::from_utf8_lossy(input);
    let lines: String = text.lines().filter(|line| line.ends_with(&ending)).map(|line| format!("{line}\n")).collect();
    if lines.contains("ref:") {
        let words = "the ledger would become a symbolic ref";
        answer.say(Code::Rapid1612.because(words).at(LEDGER_REF));
        return Ok(answer);
    }
    let repository = rapid.repository();
    for told in update::moved(lines.as_bytes(), "reference-transaction")? {
        if told.new.is_none() && is_packing(repository, &told)? {
            continue;
        }
        // What git tells as the old value is often "whatever it is".
        let update = Update { old: repository.read_ref(LEDGER_REF)?, ..told };
        if update.old.is_none() && update.new.is_none() {
            continue;
        }
        if let Some(fault) = shrinks(&Ledger::of(repository), &update)? {
            let past = "to do it all the same: the same command behind git -c core.hooksPath=/dev/null";
            answer.say(fault.hint("a ledger is never rewritten; a clone that has lost entries gets them back with 'git rapid fetch'").hint(past));
        }
    }
    Ok(answer)
}

/// Whether only the loose file goes: `packed-refs` holds the same value, and nobody is about to write it anew, which a true
/// deletion of a packed ref does under that file's lock.
fn is_packing(repository: &Repository, told: &Update) -> Result<bool> {
    let Some(value) = told.old.filter(|_| repository.ref_storage() == RefStorage::Files) else { return Ok(false) };
    let packed = repository.common_dir().join("packed-refs");
    if repository.common_dir().join("packed-refs.lock").exists() {
        return Ok(false);
    }
    let Some(bytes) = files::read_if_there(&packed, CAP)? else { return Ok(false) };
    let line = format!("{value} {LEDGER_REF}");
    Ok(bytes.split(|byte| *byte == b'\n').any(|found| found == line.as_bytes()))
}
