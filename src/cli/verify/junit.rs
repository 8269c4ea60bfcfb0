//! The answer as a JUnit XML report: a suite about the ledger, and one about the commit where one was named.
//!
//! What disproves is a failure, what could not be looked at is an error; remarks stand in the output of the first case.

use super::points::{self, Point};
use crate::domain::{harmless::harmless, quantity::counted};
use crate::verbs::verify::{Again, Answer, Outcome};

/// A case and what is wrong with it.
struct Case {
    name: String,
    wrong: Option<(&'static str, String, String)>,
    said: String,
}

/// The report.
pub(super) fn report(seen: &Outcome, again: &[Again]) -> String {
    let mut suites = vec![("ledger".to_owned(), ledger(seen))];
    if let Some(commit) = &seen.commit {
        suites.push((format!("commit {}", commit.id), of_commit(seen, again)));
    }
    let count = |cases: &[Case], what: &str| {
        cases.iter().filter(|case| case.wrong.as_ref().is_some_and(|(kind, ..)| *kind == what)).count()
    };
    let mut body = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for (name, cases) in &suites {
        let (failed, broken) = (count(cases, "failure"), count(cases, "error"));
        tests += cases.len();
        failures += failed;
        errors += broken;
        body.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"{broken}\" skipped=\"0\">\n",
            escaped(name),
            cases.len()
        ));
        cases.iter().for_each(|case| write(&mut body, name, case));
        body.push_str("  </testsuite>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"git rapid verify\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n{body}</testsuites>\n"
    )
}

fn ledger(seen: &Outcome) -> Vec<Case> {
    let (weighty, remarks): (Vec<Point>, Vec<Point>) =
        points::of_ledger(seen).into_iter().partition(|point| points::level(point.diagnostic.code) == "error");
    let remarks: Vec<String> =
        remarks.iter().map(|point| format!("{} {}", point.diagnostic.code, words(point))).collect();
    let proven = seen.proof.answer() == Answer::Proven;
    let whole = Case {
        name: "every entry is proven".to_owned(),
        wrong: None,
        said: format!("{}\n{}", counted(seen.proof.entries, "entry", "entries"), remarks.join("\n")),
    };
    let wrong = weighty.iter().map(|point| case(point.diagnostic.path.clone().unwrap_or_default(), point));
    [whole].into_iter().filter(|_| proven).chain(wrong).collect()
}

fn of_commit(seen: &Outcome, again: &[Again]) -> Vec<Case> {
    let against = points::of_commit(seen, again);
    if against.is_empty() {
        let runs = seen.commit.iter().flat_map(|commit| &commit.runs);
        let said: Vec<String> =
            runs.map(|run| format!("run {}: {}, {}", run.run_id, run.verdict, run.strength.as_str())).collect();
        let name = "a passing run covers it".to_owned();
        return vec![Case { name, wrong: None, said: said.join("\n") }];
    }
    against.iter().map(|point| case("a passing run covers it".to_owned(), point)).collect()
}

fn case(name: String, point: &Point) -> Case {
    let kind = if point.is_absence { "error" } else { "failure" };
    let name = if name.is_empty() { "the ledger".to_owned() } else { name };
    Case { name, wrong: Some((kind, point.diagnostic.code.to_string(), words(point))), said: String::new() }
}

fn words(point: &Point) -> String {
    let mut out = point.diagnostic.message.clone();
    out.extend(point.entry.iter().map(|entry| format!("\nin entry {entry}")));
    out.extend(point.files.iter().map(|file| format!("\n{file}")));
    out.extend(point.diagnostic.hints.iter().map(|hint| format!("\nhint: {hint}")));
    out
}

fn write(out: &mut String, suite: &str, case: &Case) {
    out.push_str(&format!("    <testcase classname=\"{}\" name=\"{}\">\n", escaped(suite), escaped(&case.name)));
    if let Some((kind, code, words)) = &case.wrong {
        let first = words.lines().next().unwrap_or_default();
        let message = escaped(&format!("{code}: {first}"));
        out.push_str(&format!("      <{kind} message=\"{message}\" type=\"{code}\">{}</{kind}>\n", escaped(words)));
    }
    let said = case.said.trim();
    if !said.is_empty() {
        out.push_str(&format!("      <system-out>{}</system-out>\n", escaped(said)));
    }
    out.push_str("    </testcase>\n");
}

/// As text or as the value of an attribute; what XML cannot hold is shown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\u{fffe}' | '\u{ffff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn no_text_leaves_its_place() {
        assert_eq!(
            escaped("]]></failure><x y='\"'>&\u{0}\u{ffff}\n"),
            "]]&gt;&lt;/failure&gt;&lt;x y='&quot;'&gt;&amp;\\u{0}\\u{ffff}&#10;"
        );
    }
}
