//! The lines of the Test Anything Protocol.
//!
//! Not here: what they mean together.

use crate::check::summary::pattern::{number, patterns, text};

patterns! {
    POINT = r"^(not )?ok(?: +([0-9]+)(?:\s+(?:- ?)?(.*))?| +- ?(.*))$";
    PLAN = r"^1\.\.([0-9]+)(?:\s*#.*)?$";
    COUNT = r"^# (tests|suites|pass|fail|cancelled|skipped|skip|todo) +([0-9]+)$";
    DIRECTIVE = r"(?i)(?:^|[^\\])#\s*(skip|todo)";
    FILE = r"^(?:/|[A-Za-z]:\\)\S+\.(?:[cm]?[jt]sx?)$";
}

/// What a directive makes of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    /// None.
    Plain,
    /// `# SKIP`.
    Skip,
    /// `# TODO`.
    Todo,
}

/// One line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Line<'t> {
    /// `TAP version 13`, or a later one.
    Version {
        /// Whether it is 13.
        old: bool,
    },
    /// `# Subtest: …`.
    Subtest,
    /// `1..N`.
    Plan {
        /// How many points are planned.
        points: u64,
    },
    /// `ok` or `not ok` at the top level.
    Point {
        /// Whether it is `ok`.
        ok: bool,
        /// Its number, where it has one.
        number: Option<u64>,
        /// Its directive.
        directive: Directive,
        /// Whether it is named like a source file: node reports a file without tests as one passing test.
        file: bool,
    },
    /// A passed point below the top level.
    Inner,
    /// A closing comment with a number, such as `# pass 3`.
    Count {
        /// The word.
        key: &'t str,
        /// The number.
        value: u64,
    },
    /// A line that explains a failure.
    Diagnostic,
    /// `Bail out!`.
    BailOut,
    /// Anything else.
    Other,
}

/// Reads one line.
pub(super) fn read<'t>(line: &'t str) -> Line<'t> {
    match line.as_bytes().first() {
        Some(b'o' | b'n') => point(line).unwrap_or(Line::Other),
        Some(b'1') => PLAN.captures(line).map_or(Line::Other, |found| Line::Plan { points: number(&found, 1) }),
        Some(b'#') => match COUNT.captures(line) {
            Some(found) => Line::Count { key: text(&found, 1), value: number(&found, 2) },
            None if line.starts_with("# Subtest: ") => Line::Subtest,
            None if line.starts_with("# (in test file") || line.starts_with("# (from function") => Line::Diagnostic,
            None => Line::Other,
        },
        Some(b'T') if line.starts_with("TAP version 1") => Line::Version { old: line.ends_with("13") },
        Some(b'B') if line.starts_with("Bail out!") => Line::BailOut,
        Some(b' ') => {
            let inner = line.trim_start_matches(' ');
            if inner.starts_with("ok ") { Line::Inner } else { Line::Other }
        }
        _ => Line::Other,
    }
}

fn point(line: &str) -> Option<Line<'_>> {
    if !(line.starts_with("ok ") || line.starts_with("not ok ")) {
        return None;
    }
    let found = POINT.captures(line)?;
    let name = if found.get(4).is_some() { text(&found, 4) } else { text(&found, 3) };
    // A directive may be all there is: `ok 3 # skip`.
    let directive = match DIRECTIVE.captures(name).map(|found| text(&found, 1).to_ascii_lowercase()) {
        Some(word) if word == "skip" => Directive::Skip,
        Some(_) => Directive::Todo,
        None => Directive::Plain,
    };
    Some(Line::Point {
        ok: found.get(1).is_none(),
        number: found.get(2).map(|_| number(&found, 2)),
        directive,
        file: FILE.is_match(name),
    })
}
