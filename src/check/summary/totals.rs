//! Lines that read as a total with failures, whoever prints them: `Tests Passed: 1, Failed: 1`, `1/2 tests passed`.
//!
//! A runner that is not known here says what it counted in the words that all of them use. Every word of such a line must be one
//! of them: what has another (`1 failed login`) is a sentence about something else. So a line that is quoted holds numbers
//! and these words, and no secret. Not here: green totals, of which only known runners' count, and anything but one line.

/// Longer lines are no totals.
const LONGEST: usize = 200;

/// What a red total counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Red {
    /// Tests, by its own words, and more of them than those that failed.
    Tests,
    /// It does not say.
    Something,
}

/// The words of totals, by what they do to the numbers beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Failed,
    /// Also what compilers and linters count.
    Error,
    Passed,
    /// `pass 1/2` is one of a compiler.
    Pass,
    Skipped,
    /// A failure beside it is none.
    Expected,
    /// What is counted.
    Noun,
    Total,
    /// Stands between a number and its word.
    Between,
    Of,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Word(Word),
    Count(u64),
    Ratio(u64, u64),
    /// A time, a share, a decimal number.
    Measure,
    /// `:` or `=`: a number behind it belongs to the word before it.
    Join,
    /// `(`
    Open,
    /// What keeps the parts of a line apart.
    Break,
}

impl Part {
    fn count(self) -> Option<u64> {
        match self {
            Part::Count(count) | Part::Ratio(count, _) => Some(count),
            _ => None,
        }
    }

    /// Whether a number and its word may stand on both sides of this.
    fn is_between(self) -> bool {
        matches!(self, Part::Word(Word::Noun | Word::Total | Word::Between))
    }
}

/// Whether the line is a total with failures.
pub(super) fn red(line: &str) -> Option<Red> {
    let telling = ["ail", "AIL", "rror", "RROR", "rash", "RASH", "ass", "ASS", "uccess", "UCCESS"];
    let possible = line.len() <= LONGEST && line.bytes().any(|byte| byte.is_ascii_digit());
    if !possible || !telling.iter().any(|part| line.contains(part)) {
        return None;
    }
    let parts = parts(line)?;
    let tally = Tally::of(&parts);
    let has = |word: Word| parts.contains(&Part::Word(word));
    // `3 errors` may be anybody's, `Number of errors: 3` is not.
    let of_tests = has(Word::Noun) || has(Word::Passed) || has(Word::Pass) || has(Word::Of);
    if tally.failed == 0 && (tally.errors == 0 || !of_tests) && !tally.is_short() {
        return None;
    }
    let numbers = parts.iter().filter(|part| part.count().is_some()).count();
    let ratio = parts.iter().any(|part| matches!(part, Part::Ratio(..)));
    Some(if has(Word::Noun) && (numbers > 1 || ratio) { Red::Tests } else { Red::Something })
}

/// What a line counts.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    failed: u64,
    errors: u64,
    skipped: u64,
    /// Whether it says how many failed.
    says: bool,
    /// How many passed, where it says of how many.
    passed: Option<(u64, u64)>,
}

impl Tally {
    fn of(parts: &[Part]) -> Tally {
        let words_first = begins_with_words(parts);
        let mut tally = Tally::default();
        for (at, part) in parts.iter().enumerate() {
            let (Part::Word(word), Some((before, after))) = (part, around(parts, at)) else { continue };
            let number = number_of(before, after, words_first);
            let Some(count) = number.and_then(Part::count).filter(|_| !is_expected(before, after)) else { continue };
            let bucket = match word {
                Word::Failed => &mut tally.failed,
                Word::Error => &mut tally.errors,
                Word::Skipped => &mut tally.skipped,
                Word::Passed => {
                    if let Some(Part::Ratio(some, all)) = number {
                        tally.passed = Some((some, all));
                    }
                    continue;
                }
                _ => continue,
            };
            *bucket = bucket.saturating_add(count);
            tally.says |= *word != Word::Skipped;
        }
        tally
    }

    /// `1/2 tests passed`, without a word of those that failed.
    fn is_short(self) -> bool {
        !self.says && self.passed.is_some_and(|(some, all)| some.saturating_add(self.skipped) < all)
    }
}

/// Whether numbers stand behind their words: `Passed 2 Failed 0` and not `2 passed 0 failed`.
fn begins_with_words(parts: &[Part]) -> bool {
    let told = |part: &&Part| matches!(part, Part::Word(_) | Part::Count(_) | Part::Ratio(..));
    let is_result = |part: &Part| {
        matches!(part, Part::Word(Word::Failed | Word::Error | Word::Passed | Word::Pass | Word::Skipped))
    };
    let last = parts.iter().rev().find(told);
    matches!(parts, [first, second, ..] if is_result(first) && second.count().is_some())
        || last.is_some_and(|part| part.count().is_some())
}

fn around(parts: &[Part], at: usize) -> Option<(&[Part], &[Part])> {
    let (before, after) = parts.split_at_checked(at)?;
    Some((before, after.get(1..)?))
}

/// The number that belongs to the word between these parts.
fn number_of(before: &[Part], after: &[Part], words_first: bool) -> Option<Part> {
    let behind: Vec<Part> = after.iter().copied().skip_while(|part| part.is_between()).take(3).collect();
    match behind.as_slice() {
        [Part::Join, number, ..] | [Part::Open, number, Part::Break] if number.count().is_some() => Some(*number),
        [number, ..] if words_first => Some(*number),
        _ if words_first => None,
        _ => before.iter().rev().copied().find(|part| !part.is_between()),
    }
}

/// `expected failures: 1`, `1 failed as expected`, `1 failed (expected)`.
fn is_expected(before: &[Part], after: &[Part]) -> bool {
    const EXPECTED: Part = Part::Word(Word::Expected);
    let near = before.iter().rev().filter(|part| !part.is_between());
    let near = near.take_while(|part| part.count().is_some() || **part == EXPECTED);
    let next = after.iter().find(|part| !part.is_between() && !matches!(part, Part::Join | Part::Open));
    near.take(2).any(|part| *part == EXPECTED) || next == Some(&EXPECTED)
}

/// The parts of a line in which every word is one of totals.
fn parts(line: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        let is_run = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_');
        if is_run(first) {
            let end = rest.find(|c| !is_run(c)).unwrap_or(rest.len());
            let (run, after) = rest.split_at_checked(end)?;
            rest = if first.is_ascii_digit() { number(run, after, &mut parts)? } else { word(run, after, &mut parts)? };
            continue;
        }
        match first {
            ' ' | '\t' | '%' => {}
            ':' | '=' => parts.push(Part::Join),
            '(' => parts.push(Part::Open),
            '/' if matches!(parts.last(), Some(Part::Word(_))) => parts.push(Part::Word(Word::Between)),
            ',' | ';' | '|' | '/' | '.' | '!' | '-' | '–' | '—' | '#' | '*' | '[' | ']' | ')' | '<' | '>' | '│'
            | '┃' | '║' | '─' | '━' | '═' => parts.push(Part::Break),
            _ => return None,
        }
        rest = rest.get(first.len_utf8()..)?;
    }
    Some(parts)
}

/// Reads a number, which begins with `run`; what follows it.
fn number<'l>(run: &str, after: &'l str, parts: &mut Vec<Part>) -> Option<&'l str> {
    let digits = run.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = run.strip_prefix(digits)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !(unit.is_empty() || UNITS.contains(&unit)) {
        return None;
    }
    let (more, end) = continued(after);
    let count = digits.parse().unwrap_or(u64::MAX);
    let part = match more.as_bytes() {
        _ if !unit.is_empty() || end.starts_with('%') => Part::Measure,
        [] => Part::Count(count),
        [b'/', all @ ..] if all.iter().all(u8::is_ascii_digit) => {
            Part::Ratio(count, more.trim_start_matches('/').parse().unwrap_or(u64::MAX))
        }
        // `1,234`, and not `0,5`.
        [b',', thousands @ ..] if thousands.len() == 3 => {
            Part::Count(format!("{digits}{}", more.trim_start_matches(',')).parse().unwrap_or(u64::MAX))
        }
        _ => Part::Measure,
    };
    let end = match part {
        // `0.5s`, `50.00%`.
        Part::Measure => end.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '%'),
        _ => end,
    };
    match (part, parts.as_slice()) {
        (Part::Count(all), [.., Part::Count(some), Part::Word(Word::Of)]) => {
            let ratio = Part::Ratio(*some, all);
            parts.truncate(parts.len().saturating_sub(2));
            parts.push(ratio);
        }
        // `1 failed out of 2`, and not `a total of 2 failed`.
        (Part::Count(_), [.., before, Part::Word(Word::Of)]) if *before != Part::Word(Word::Total) => {
            parts.push(Part::Measure);
        }
        _ => parts.push(part),
    }
    Some(end)
}

/// What of this goes on with a number: `.25`, `/2`, `:08:15`, `,234`.
fn continued(after: &str) -> (&str, &str) {
    let mut end = 0;
    let mut joint = None;
    for (at, c) in after.char_indices() {
        match c {
            _ if c.is_ascii_digit() && (joint.is_some() || end > 0) => {
                joint = None;
                end = at + 1;
            }
            '.' | '/' | ':' | ',' if joint.is_none() => joint = Some(at),
            _ => break,
        }
    }
    after.split_at_checked(end).unwrap_or((after, ""))
}

const UNITS: &[&str] = &["s", "ms", "us", "ns", "m", "h", "min", "sec", "secs"];

/// Reads a word, `failure(s)` as well; what follows it.
fn word<'l>(run: &str, after: &'l str, parts: &mut Vec<Part>) -> Option<&'l str> {
    let lower = run.to_ascii_lowercase();
    let after = ["(s)", "(es)"].iter().find_map(|ending| after.strip_prefix(ending)).unwrap_or(after);
    let word = match lower.as_str() {
        "fail" | "fails" | "failed" | "failing" | "failure" | "failures" => Word::Failed,
        "error" | "errors" | "errored" | "crash" | "crashes" | "crashed" | "crashing" => Word::Error,
        "pass" => Word::Pass,
        "passes" | "passed" | "passing" | "success" | "successes" | "succeeded" | "successful" => Word::Passed,
        "skip" | "skips" | "skipped" | "ignored" | "pending" | "todo" | "disabled" | "inconclusive" | "notrun"
        | "incomplete" | "blacklisted" | "excluded" | "cancelled" | "canceled" | "aborted" | "leaked" | "warning"
        | "warnings" | "warn" | "xpass" => Word::Skipped,
        "expected" | "xfail" | "xfailed" | "known" | "allowed" => Word::Expected,
        "test" | "tests" | "case" | "cases" | "testcase" | "testcases" | "spec" | "specs" | "check" | "checks"
        | "assertion" | "assertions" | "assert" | "asserts" | "suite" | "suites" | "scenario" | "scenarios"
        | "example" | "examples" | "subtest" | "subtests" => Word::Noun,
        "total" | "totals" | "number" => Word::Total,
        "the" | "was" | "were" | "has" | "have" | "as" | "unit" | "integration" | "unexpected" => Word::Between,
        "of" => Word::Of,
        "out" => return Some(after),
        "run" | "runs" | "ran" | "executed" | "execution" | "count" | "counts" | "found" | "discovered"
        | "completed" | "complete" | "finished" | "done" | "result" | "results" | "summary" | "overall" | "tested"
        | "all" | "and" | "a" | "some" | "there" | "issue" | "issues" | "with" | "in" | "after" | "time"
        | "duration" | "elapsed" | "took" | "ok" | "did" | "functions" | "exceptions" | "fatal" => Word::Other,
        unit if UNITS.contains(&unit) || matches!(unit, "second" | "seconds" | "minute" | "minutes") => {
            // `3 seconds`
            if let Some(count @ Part::Count(_)) = parts.last_mut() {
                *count = Part::Measure;
            }
            return Some(after);
        }
        _ => return None,
    };
    parts.push(Part::Word(word));
    Some(after)
}

#[cfg(test)]
mod tests;
