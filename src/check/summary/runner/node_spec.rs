//! `node --test` with the spec reporter: eight `ℹ` lines in a fixed order, after the `✔` lines of the tests.
//!
//! Not here: node's TAP and JUnit reporters.

use super::Lines;
use crate::check::summary::finding::{Findings, Session};
use crate::check::summary::pattern::decimal;
use crate::check::summary::settle::INCONSISTENT;
use crate::check::summary::{Counts, Runner};

const MARK: &str = "ℹ ";
const KEYS: [&str; 7] = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"];
const LAST: &str = "duration_ms";

/// Finds spec blocks.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut passes: u64 = 0;
    for (at, line) in lines.iter().enumerate() {
        if is_pass(line) {
            passes = passes.saturating_add(1);
        } else if value(line, "tests").is_some() {
            if let Some((numbers, last)) = block(lines, at) {
                findings.session(session(at, last, numbers, passes));
                passes = 0;
            } else {
                findings.session(
                    Session::sound(Runner::NodeTest, at, at, Counts::default()).doubted("a node summary is incomplete"),
                );
            }
        }
    }
}

/// The line of a passed test, or of a group, which older versions mark as they open it.
fn is_pass(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    line.starts_with("✔ ") || line.starts_with("▶ ")
}

fn value(line: &str, key: &str) -> Option<u64> {
    let digits = line.strip_prefix(MARK)?.strip_prefix(key)?.strip_prefix(' ')?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| decimal(digits))
}

/// The numbers of the block that begins here. Lines of a second reporter may stand between its lines.
fn block(lines: &Lines<'_>, at: usize) -> Option<([u64; 7], usize)> {
    let mut rest = lines.iter().enumerate().skip(at).filter(|(_, line)| !line.starts_with("# "));
    let mut numbers = [0; 7];
    for (number, key) in numbers.iter_mut().zip(KEYS) {
        *number = value(rest.next()?.1, key)?;
    }
    let (last, line) = rest.next()?;
    line.strip_prefix(MARK)?.starts_with(LAST).then_some((numbers, last))
}

/// A block as a session: its parts must add up, and it cannot count more passes than were shown.
fn session(first: usize, last: usize, numbers: [u64; 7], passes: u64) -> Session {
    let [tests, _, pass, fail, cancelled, skipped, todo] = numbers;
    let counts = Counts::new(pass, fail.saturating_add(cancelled), skipped.saturating_add(todo));
    Session::sound(Runner::NodeTest, first, last, counts)
        .unless(tests == counts.total(), INCONSISTENT)
        .unless(pass <= passes, "a node summary counts more passes than tests were shown")
}
