//! The total line of pytest: `1 failed, 2 passed, 1 warning in 0.12s`, framed with `=` or bare.
//!
//! Not here: which total belongs to which session.

use crate::check::summary::Counts;
use crate::check::summary::pattern::{counted_word, patterns, text};

patterns! {
    TOTAL = r"(?x)^(=+\ )?(no\ tests\ ran|[0-9]+\ [^=]+?)\ in\ [0-9.]+(?:s|\ seconds)(?:\ \([0-9:,\ days]+\))?(\ =+)?$";
}

/// A total line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Total {
    /// Whether it stands between `=`.
    pub framed: bool,
    /// What it counts.
    pub counts: Counts,
    /// How many tests were deselected.
    pub deselected: u64,
}

/// The total on this line.
pub(super) fn total(line: &str) -> Option<Total> {
    if !line.contains(" in ") {
        return None;
    }
    let found = TOTAL.captures(line)?;
    let framed = found.get(1).is_some();
    if framed != found.get(3).is_some() {
        return None;
    }
    let list = text(&found, 2);
    // Other tools close with bare lines of numbers too: without a frame one of pytest's own words must be there.
    let own = |part: &str| counted_word(part).is_some_and(|(_, word)| OWN_WORDS.contains(&word));
    if !framed && list != "no tests ran" && !list.split(", ").any(own) {
        return None;
    }
    words(list).map(|(counts, deselected)| Total { framed, counts, deselected })
}

/// Words that make a bare line pytest's.
const OWN_WORDS: &[&str] =
    &["passed", "failed", "skipped", "error", "errors", "xfailed", "xpassed", "deselected", "warning", "warnings"];

/// The buckets. A word nobody knows counts as failed, as long as it is one word of letters.
fn words(list: &str) -> Option<(Counts, u64)> {
    let mut counts = Counts::default();
    let mut deselected = 0;
    if list == "no tests ran" {
        return Some((counts, 0));
    }
    for part in list.split(", ") {
        let (count, word) = counted_word(part)?;
        let bucket = match word {
            "passed" | "xpassed" => &mut counts.passed,
            "skipped" | "xfailed" => &mut counts.skipped,
            "deselected" => &mut deselected,
            "warning" | "warnings" | "rerun" | "reruns" | "retried" | "subtests passed" | "subtest passed"
            | "snapshot passed" | "snapshots passed" => continue,
            _ if word.chars().all(|c| c.is_ascii_alphabetic() || c == ' ') => &mut counts.failed,
            _ => return None,
        };
        *bucket = bucket.saturating_add(count);
    }
    Some((counts, deselected))
}

/// A bucket of pytest-sugar's closing list, which puts each on a line of its own.
pub(super) fn sugar_bucket(line: &str) -> Option<Counts> {
    let (counts, _) = words(line.trim_start())?;
    line.starts_with("       ").then_some(counts)
}
