//! Lines that show a failed test, a crash, or tests as they run, whoever prints them, and whether the totals account for them.
//!
//! Each runner's scanner reads the runner's own blocks. A run that dies has none, and a green one beside it must not stand for
//! both. So what is shown is held against what is counted, over the whole output: it can take a pass away and never give one.
//! Not here: totals, and torn ones (`scraps`).

use std::borrow::Cow;

use super::finding::{Findings, Shown, Total};
use super::pattern::patterns;
use super::runner::Lines;
use super::views::Merged;
use super::{Runner, Uncounted, scraps, totals};

patterns! {
    FAILED = r"(?x)
        # unittest, libtest, deno, zig, and unittest's list of failures
        ^\S.*\ \.\.\.\ (?:FAIL|FAILED|ERROR)$ | ^\S.*\.\.\.FAIL\ \(
        | ^FAIL:\ +\S | ^ERROR:\ (?:test|setUp|tearDown)\S*\ \(
        # pytest: -v, xdist, the short list, the headings
        | ^(?:\[gw[0-9]+\]\ .*)?(?:FAILED|ERROR)\ \S+\.py(?:::|\ -\ |$)
        | ^\S+\.py(?:::\S.*)?\ (?:FAILED|ERROR)(?:\s+\[\ *[0-9]+%\])?$
        | ^=+\ (?:FAILURES|ERRORS)\ =+$
        # letters of unittest, pytest, RSpec, minitest
        | ^(?:\S+\.py\ )?[.sxXR*]*[FE][.FEsxXR*]*(?:\s+\[\ *[0-9]+%\])?$
        # GoogleTest, and others in brackets
        | ^\[\ +FAILED\ +\]\ \S | ^\ *\[(?:FAILED|FAIL|fail)\]
        # marks
        | ^\ *[✖✗✘✕❌]\ . | ^\ +×\ .
        # numbered failures of mocha, RSpec, ExUnit, minitest
        | ^\ {2,}[0-9]+\)\ \S | \(FAILED\ -\ [0-9]+\)$
        # jest, vitest, Pest, nextest
        | ^\ *FAIL\ +\S | ^\ *●\ (?:Test\ suite\ failed\ to\ run|.*\ ›\ )
        # go, bun, TAP below the top, robot, tasty, dart, Gradle, XCTest, VSTest, prove, shunit2, surefire
        | ^\ *---\ FAIL:\ | ^===\ FAIL | ^\ *\(fail\)\ \S | ^\ +not\ ok\b | \ \|\ FAIL\ \|$
        | :\ +FAIL(?:\ \([0-9.]+s\))?$ | \ \[E\]$ | ^\S.*\ >\ .+\ FAILED$ | ^Test\ Case\ '.*'\ failed\ \(
        | ^\ \ (?:Failed|X)\ \S+\ \[[0-9] | Failed\ [0-9]+/[0-9]+\ subtests | ^ASSERT:
        | <<<\ (?:FAILURE|ERROR)!
        # totals of scripts
        | ^(?:.*\ )?[1-9][0-9]*\ (?:tests?|specs?|checks?|examples?|assertions?|suites?)\ (?:have\ )?failed[.!]?$
        | ^[1-9][0-9]*\ (?:failed|failures?|errors?)[.!]?$ | ^(?:Tests?\ )?(?:[Ff]ailed|[Ff]ailures):\ +[1-9][0-9]*$";
    DIED = r"(?x)
        # python and pytest
        ^Fatal\ Python\ error: | ^ImportError\ while\ loading\ conftest | python\S*:\ No\ module\ named\ | :\ can't\ open\ file\ '
        | ^ERROR:\ (?:file\ or\ directory\ not\ found|not\ found|usage):
        | :\ error:\ (?:unrecognized\ arguments|the\ following\ arguments\ are\ required|argument\ )
        # perl, node
        | BEGIN\ failed--compilation\ aborted | ^Can't\ open\ perl\ script | ^Could\ not\ find\ ' | ^Error:\ Cannot\ find\ module
        # shells and make
        | ^(?:.*[:0-9]\ +)?(?:Aborted|Segmentation\ fault|Bus\ error|Illegal\ instruction|Killed|Floating\ point\ exception)
          (?:\ +\(core\ dumped\).*|\ {2,}.*)?$
        | ^\S.*:\ (?:command\ )?not\ found$ | ^(?:\S*sh|\S*make|env|/\S+):\ .*:?\ (?:No\ such\ file\ or\ directory|Permission\ denied)$";
    // Only such lines are looked at closely; nearly none has a part of these.
    PARTS = r"(?x)
        FAIL | Fail | fail | E | F | [✖✗✘✕❌×●] | [0-9]\)\ | not\ ok | ASSERT | error | No\ | Can't | can't | Could | Cannot
        | Aborted | Killed | Segmentation | Illegal | Floating | X\ | not\ found | denied | aborted";
    DOTS = r"^(?:\S+\.py )?([.sxXFEuRPSI*,-]*\.[.sxXFEuRPSI*,-]*)(?: +\[ *[0-9]+%\])?$";
    BEGUN = r"test\w* \(\w+(?:\.\w+)+\)(?: \(.*\))?(?: \.\.\.(?: |$)|$)";
    PASSED = r"(?x)
        ^PASS:\ | ^ok\ [0-9]+\b | \ \.\.\.\ ok$ | ^\[\ +OK\ +\]
        | ^\S+\.py::\S.*\ PASSED(?:\s+\[\ *[0-9]+%\])?$";
}

const FAILED_TEST: &str = "a line shows a failed test that no total knows of";
const BROKEN: &str = "a line shows that a program crashed or could not begin";
const UNACCOUNTED: &str = "more tests are shown as they run than any total counts";
/// What a total with failures means that is no known runner's.
pub(super) const RED_TOTAL: &str = "a line reads as a total with failures that no summary counts";
const WITHOUT_TOTAL: &str = "tests are shown, and no total counts them";

/// Longer lines are nobody's report of one test.
const LONGEST: usize = 500;

/// Catch2 draws a rule of so many dots.
const RULE: usize = 79;

/// Finds what is shown.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    // Below this heading RSpec numbers what is pending.
    let mut pending = false;
    for (at, line) in lines.iter().enumerate() {
        if line.is_empty() || line.len() >= LONGEST {
            continue;
        }
        match *line {
            _ if line.starts_with("Pending:") => pending = true,
            _ if line.starts_with("Failures:") || line.starts_with("Finished in ") => pending = false,
            _ => {}
        }
        if let Some(red) = totals::red(line) {
            findings.total.get_or_insert_with(|| Total { line: at, text: line.trim().to_owned() });
            // Beside a green total something else may count what it likes.
            if red == totals::Red::Tests {
                findings.red(at, RED_TOTAL);
            }
        }
        if scraps::is(line) {
            findings.red(at, scraps::TORN);
        } else if PARTS.is_match(line) {
            if FAILED.is_match(line) && !is_forgiven(line, pending) {
                findings.red(at, FAILED_TEST);
            } else if DIED.is_match(line) {
                findings.red(at, BROKEN);
            }
        }
        findings.shown = findings.shown.plus(running(line));
    }
}

/// Failures that were expected, warnings of linters, and what a list of skipped tests says.
fn is_forgiven(line: &str, pending: bool) -> bool {
    let numbered = line.starts_with("  ") && line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let expected = ["# TODO", "# todo", "# SKIP", "# skip", "known issue", "(0 errors,"];
    (numbered && (pending || line.ends_with(" Skipped:"))) || expected.iter().any(|word| line.contains(word))
}

/// What a line shows of tests that run.
fn running(line: &str) -> Shown {
    let mut shown = Shown::default();
    if line.starts_with("test") && line.contains(" (") {
        shown.begun = BEGUN.find_iter(line).count() as u64;
    }
    let rule = line.len() == RULE && line.bytes().all(|byte| byte == b'.');
    if line.contains('.') && !rule {
        // Behind a test that never ended, the next run's dots stand on its line.
        shown.dots = dots(line.rsplit_once(" ... ").map_or(line, |(_, rest)| rest));
    }
    let tick = line.trim_start().starts_with(['✔', '✓', '√']);
    if tick {
        shown.ticks = u64::from(line.starts_with(' '));
    } else {
        shown.words = u64::from(PASSED.is_match(line));
    }
    // jest and others print such a line for each file.
    shown.any = tick || shown.words > 0 || shown.dots > 0 || shown.begun > 0 || line.trim_start().starts_with("PASS ");
    shown
}

fn dots(letters: &str) -> u64 {
    let found = DOTS.captures(letters);
    let letters = found.as_ref().and_then(|found| found.get(1)).map_or("", |letters| letters.as_str());
    letters.bytes().filter(|byte| *byte == b'.').count() as u64
}

/// What is shown and not accounted for by totals that know of no failure.
pub(super) fn unaccounted(found: &Merged) -> Option<Cow<'static, str>> {
    let quoted = |total: &Total| Cow::Owned(format!("{RED_TOTAL} (`{}`)", total.text));
    if let (true, Some(total)) = (found.sessions.is_empty(), &found.total) {
        return Some(quoted(total));
    }
    // Retried tests stand within the session that says how many there were.
    let is_retry = |line: usize| {
        found.sessions.iter().any(|session| session.excused > 0 && (session.first..=session.last).contains(&line))
    };
    if let Some(red) = found.reds.iter().find(|red| !is_retry(red.line)) {
        let total = found.total.as_ref().filter(|total| total.line == red.line);
        return Some(total.map_or(Cow::Borrowed(red.what), quoted));
    }
    let count = |of: &dyn Fn(Runner) -> bool| {
        let own = found.sessions.iter().filter(|session| of(session.runner));
        own.fold(0u64, |sum, session| sum.saturating_add(session.counts.total()))
    };
    let Shown { dots, begun, ticks, words, any } = found.shown;
    let (counted, named) = (count(&|_| true), count(&names_as_unittest_does));
    let in_steps = found.sessions.iter().any(|session| counts_other_than_dots(session.runner));
    let uncounted = found.notices.iter().any(|notice| notice.why == Uncounted::NoCounts);
    let what = match found.sessions.is_empty() {
        true => (any && !uncounted).then_some(WITHOUT_TOTAL),
        false if in_steps => None,
        false => (dots.saturating_add(begun.max(ticks).max(words)) > counted || begun > named).then_some(UNACCOUNTED),
    };
    what.map(Cow::Borrowed)
}

/// Runners whose verbose lines are those of unittest, and scripts that count what they started.
fn names_as_unittest_does(runner: Runner) -> bool {
    matches!(runner, Runner::Unittest | Runner::Green | Runner::Stestr | Runner::Plain)
}

/// Runners whose dots are steps.
fn counts_other_than_dots(runner: Runner) -> bool {
    matches!(runner, Runner::Cucumber | Runner::Behave | Runner::Deno)
}
