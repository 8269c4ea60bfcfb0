//! What surrounds the runners: build tools, task runners and package managers that hide a failure or run nothing.
//!
//! Not here: counts. A wrapper has none; it can only raise an alarm or explain why nothing was recognised.

use super::Lines;
use crate::check::summary::Uncounted;
use crate::check::summary::finding::Findings;
use crate::check::summary::pattern::patterns;

patterns! {
    MAKE_IGNORED = r"^(?:g?make|ninja)(?:\[[0-9]+\])?: (?:\*\*\* )?\[.*\] Error [0-9]+ \(ignored\)$";
    MAKE_ERROR = r"^g?make(?:\[[0-9]+\])?: \*\*\* .* Error [0-9]+$";
    TOX_IGNORED = r"^ +\S+: IGNORED FAIL code [0-9]+";
    NOTHING_DONE = r"^g?make(?:\[[0-9]+\])?: (?:Nothing to be done for|'?\S+ is up to date)";
}

/// Sentences that explain an empty result: how a line begins, and what it means.
const EXPLANATIONS: &[(&str, Uncounted, &str)] = &[
    ("Error: no test specified", Uncounted::Empty, "the package has no test script, only npm's placeholder"),
    ("  congratulations :)", Uncounted::NoCounts, "tox ended well, and shows no counts of the tests inside"),
    ("BUILD SUCCESS", Uncounted::NoCounts, "the build succeeded, and shows no test counts"),
    ("[INFO] BUILD SUCCESS", Uncounted::NoCounts, "the build succeeded, and shows no test counts"),
    ("[INFO] Tests are skipped.", Uncounted::NotRun, "Maven was told to skip the tests"),
    ("[INFO] No tests to run.", Uncounted::Empty, "Maven found no tests to run"),
    ("No tests found, exiting with code 0", Uncounted::Empty, "the runner found no tests"),
    ("No test files found, exiting with code 0", Uncounted::Empty, "the runner found no test files"),
    ("No tests were found!!!", Uncounted::Empty, "ctest found no tests"),
    ("There are no tests to run", Uncounted::Empty, "the runner found no tests"),
    ("No tests defined.", Uncounted::Empty, "meson found no tests"),
];

/// What tools say when they print an earlier output as if it were new.
const REPLAYS: &[&str] = &["replaying logs", "[local cache]", "[remote cache]", "[existing outputs match the cache"];

/// Finds alarms and explanations.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    for line in lines {
        if line.starts_with("make") || line.starts_with("gmake") || line.starts_with("ninja") {
            if MAKE_IGNORED.is_match(line) {
                findings.outer_alarm("make ignored the failure of a command");
            } else if MAKE_ERROR.is_match(line) {
                findings.outer_alarm("make reports a failed target");
            } else if NOTHING_DONE.is_match(line) {
                findings.outer_notice(Uncounted::NotRun, "make found nothing to do");
            }
        } else if line.starts_with(' ') && line.contains("IGNORED FAIL") && TOX_IGNORED.is_match(line) {
            findings.outer_alarm("tox ignored the failure of an environment");
        }
        if is_replay(line) {
            findings.replayed = Some("a task runner replayed the output of an earlier run");
        }
        for (start, why, what) in EXPLANATIONS {
            if line.starts_with(start) {
                findings.outer_notice(*why, what);
            }
        }
    }
}

/// turbo's `cache hit, replaying logs` and `>>> FULL TURBO`, nx's `[local cache]` behind the name of a task.
fn is_replay(line: &str) -> bool {
    let told = line.contains("cache hit") || line.contains("nx run ");
    line.contains(">>> FULL TURBO") || (told && REPLAYS.iter().any(|replay| line.contains(replay)))
}
