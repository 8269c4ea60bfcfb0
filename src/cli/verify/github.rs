//! The answer as workflow commands of GitHub Actions: annotations of the job and of the files that differ.
//!
//! A line of a log that begins with `::` is a command to the runner, so everything here is escaped as the runner unescapes it;
//! no value can begin a line or end a property.

use super::points::{self, Point, level};
use crate::domain::{harmless::harmless, quantity::counted};
use crate::verbs::verify::{Again, Answer, Outcome};

/// The commands, a line each.
pub(super) fn commands(seen: &Outcome, again: &[Again]) -> String {
    let mut out = String::new();
    let of_ledger = points::of_ledger(seen);
    let of_commit = points::of_commit(seen, again);
    let entries = counted(seen.proof.entries, "entry", "entries");
    let (kind, words) = match seen.proof.answer() {
        Answer::Proven => ("notice", format!("the ledger is proven: {entries}")),
        Answer::Disproven => ("error", format!("the ledger is disproven, in {entries}")),
        Answer::CannotSay => ("warning", format!("nobody can say whether the ledger holds: {entries}")),
    };
    out.push_str(&command(kind, &[("title", "git rapid verify")], &words));
    for point in of_ledger.iter().chain(&of_commit) {
        let kind = match level(point.diagnostic.code) {
            "info" => "notice",
            _ if point.is_absence => "warning",
            level => level,
        };
        out.push_str(&command(kind, &[("title", point.diagnostic.code.as_str())], &message(point)));
        for file in &point.files {
            let words = "differs from the final code of the nearest run that passed";
            out.push_str(&command("warning", &[("file", file), ("title", point.diagnostic.code.as_str())], words));
        }
    }
    if let Some(commit) = seen.commit.as_ref().filter(|_| seen.uncovered().is_none()) {
        let runs: Vec<String> = commit.runs.iter().map(|run| format!("{} ({})", run.run_id, run.verdict)).collect();
        let words = format!("commit {} is covered by {}", commit.id.short(), runs.join(", "));
        out.push_str(&command("notice", &[("title", "git rapid verify")], &words));
    }
    out
}

fn message(point: &Point) -> String {
    let place = point.diagnostic.path.as_ref().filter(|path| !path.is_empty());
    let place = place.map(|path| format!("{path}: ")).unwrap_or_default();
    let hints = point.diagnostic.hints.iter().map(|hint| format!("\nhint: {hint}"));
    format!("{place}{}{}", point.diagnostic.message, hints.collect::<String>())
}

fn command(kind: &str, properties: &[(&str, &str)], words: &str) -> String {
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    format!("::{kind} {}::{}\n", properties.join(","), data(words))
}

fn data(text: &str) -> String {
    harmless(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_stranger_writes_is_a_command_of_its_own() {
        let hostile = "a\n::set-output name=x::y\r::error::100% ,title=z:";
        assert_eq!(
            command("error", &[("file", hostile)], hostile),
            "::error file=a%0A%3A%3Aset-output name=x%3A%3Ay\\u{d}%3A%3Aerror%3A%3A100%25 %2Ctitle=z%3A::\
             a%0A::set-output name=x::y\\u{d}::error::100%25 ,title=z:\n"
        );
    }
}
