//! Decides from a test command's output whether a genuine test summary is there, and what it counts.
//!
//! The rule is fail closed. The text is cleaned (`normalise`), every known runner looks for its own sessions (`runner`, and
//! `prefix` where a tool has put a prefix before every line), sessions seen from two sides are told apart (`views`), and
//! what is left is held against everything that the output shows (`shown`) and added up (`aggregate`): any failure anywhere
//! wins, passes count only where a session accounts for itself, and a contradiction counts nothing.
//!
//! Not here: running the command, and evidence a runner writes into a file. Text comes from the project under test, so a
//! counted summary says that the text is complete and consistent, never that nobody forged it.

mod aggregate;
mod command;
mod finding;
mod hint;
mod json;
mod meant;
mod names;
mod normalise;
mod outcome;
mod pattern;
mod prefix;
mod runner;
mod scraps;
mod settle;
mod shown;
mod sighting;
mod totals;
mod views;

pub use names::named;
pub use outcome::{Counts, Outcome, Summary, Uncounted};
pub use runner::Runner;
pub use sighting::{Sighting, sightings};

/// What was run and what it printed.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Standard output and standard error as one stream, exactly as read.
    pub output: &'a [u8],
    /// The exit code; 128 + n for a signal.
    pub exit_code: i32,
    /// The words of the command; empty when unknown.
    pub command: &'a [String],
    /// Whether a part of the output was dropped before it came here.
    pub truncated: bool,
}

/// Reads the output and decides.
pub fn recognise(input: &Input<'_>) -> Summary {
    Found::read(input.output, input.command).conclude(input)
}

/// What stands in an output, while it may not be known yet how its command ends.
#[derive(Debug)]
pub struct Found(views::Merged);

impl Found {
    /// Reads the output; the long part of [`recognise`].
    pub fn read(output: &[u8], command: &[String]) -> Found {
        let clean = normalise::clean(output);
        let lines = normalise::lines(&clean);
        let mut findings = scan(&lines);
        meant::keep(command, &lines, &mut findings);
        Found(views::merge(findings))
    }

    /// Decides, when the rest of `input` is known as well.
    pub fn conclude(self, input: &Input<'_>) -> Summary {
        aggregate::conclude(input, self.0)
    }
}

/// What every runner's scanner finds in these lines.
fn scan(lines: &runner::Lines<'_>) -> finding::Findings {
    let mut findings = finding::Findings::default();
    runner::scan_all(lines, &mut findings);
    prefix::scan_scripts(lines, &mut findings);
    findings
}

#[cfg(test)]
pub(super) mod tests;
