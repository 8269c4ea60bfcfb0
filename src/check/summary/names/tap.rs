//! TAP points, named by the subtests around them, as `node --test` writes them.
//!
//! A stream that a harness has put together from several has no names for them, so names from two streams may be one; they
//! are compared by how often they are there.

use crate::check::summary::pattern::{patterns, text};
use crate::domain::test_list::{TestList, TestOutcome};

patterns! {
    SUBTEST = r"^( *)# Subtest: (.+)$";
    POINT = r"^( *)(not )?ok [0-9]+ - (.+)$";
    DIRECTIVE = r"^(.*?) # (?i:(skip|todo))\b.*$";
    SUITE = r"^ +type: 'suite'$";
}

/// The tests.
pub(super) fn read(lines: &[&str]) -> Option<TestList> {
    let mut list = TestList::default();
    let mut around: Vec<(usize, String)> = Vec::new();
    // A point is added when what follows shows that it is no suite.
    let mut last: Option<(String, TestOutcome)> = None;
    for line in lines {
        if let Some(found) = line.contains("# Subtest: ").then(|| SUBTEST.captures(line)).flatten() {
            let depth = text(&found, 1).len();
            around.retain(|(level, _)| *level < depth);
            around.push((depth, text(&found, 2).to_owned()));
        } else if let Some(found) = line.contains("ok ").then(|| POINT.captures(line)).flatten() {
            add(&mut list, last.take());
            let depth = text(&found, 1).len();
            around.retain(|(level, _)| *level < depth);
            let (name, directive) = match DIRECTIVE.captures(text(&found, 3)) {
                Some(parts) => (text(&parts, 1).to_owned(), true),
                None => (text(&found, 3).to_owned(), false),
            };
            let outcome = match (directive, found.get(2).is_some()) {
                (true, _) => TestOutcome::Skipped,
                (false, true) => TestOutcome::Failed,
                (false, false) => TestOutcome::Passed,
            };
            let path: Vec<&str> = around.iter().map(|(_, name)| name.as_str()).chain([name.as_str()]).collect();
            last = Some((path.join(" > "), outcome));
        } else if SUITE.is_match(line) {
            last = None;
        }
    }
    add(&mut list, last);
    Some(list)
}

fn add(list: &mut TestList, test: Option<(String, TestOutcome)>) {
    if let Some((name, outcome)) = test {
        list.add(&name, outcome);
    }
}
