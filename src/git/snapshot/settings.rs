//! The settings of this clone that hide edits from git's own commands. A snapshot is not moved by them, but who reads `git
//! status` beside it should know.

use crate::git::Repository;
use gix::bstr::ByteSlice;
use gix::config::Source;

/// Whether a value hides something.
type Hides = fn(&str) -> bool;

const HIDING: &[(&str, Hides)] = &[
    ("core.checkStat", |value| value.eq_ignore_ascii_case("minimal")),
    ("core.fileMode", is_no),
    ("core.fsmonitor", |value| !is_no(value)),
    ("core.ignoreStat", is_yes),
    ("core.trustctime", is_no),
    ("core.untrackedCache", is_yes),
    ("diff.ignoreSubmodules", |value| value != "none"),
    ("status.showUntrackedFiles", is_no),
];

/// Those that this clone has, as `key=value`.
pub(super) fn hiding(repository: &Repository) -> Vec<String> {
    let snapshot = repository.gix.config_snapshot();
    let set = HIDING.iter().filter_map(|(key, hides)| {
        // What we pinned ourselves says nothing about the clone.
        let value = snapshot.plumbing().string_filter(key, |about| about.source != Source::Api)?;
        let value = value.to_str_lossy();
        hides(&value).then(|| format!("{key}={value}"))
    });
    set.collect()
}

/// Whether git reads a value as true.
pub(super) fn is_yes(value: &str) -> bool {
    ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether git reads a value as false.
pub(super) fn is_no(value: &str) -> bool {
    ["false", "no", "off", "0", ""].iter().any(|word| value.eq_ignore_ascii_case(word))
}
