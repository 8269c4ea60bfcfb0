//! Refs and refspecs that reach the ledger, as git reads them.
//!
//! Not here: which verbs write (`git`).

use super::{Denied, LEAVE};

/// How the ledger gets to a remote.
pub(super) const PUSH: &str =
    "'git rapid push' sends the ledger, 'git rapid fetch' brings it; for branches name them one by one";

/// Judges the words of a verb that may write refs.
pub(super) fn judge(verb: &str, words: &[String]) -> Result<(), Denied> {
    let transfers = ["push", "fetch", "pull", "remote", "clone", "submodule"].contains(&verb);
    let deletes = verb == "branch" || verb == "update-ref" || verb == "symbolic-ref";
    if verb == "remote" && words.iter().any(|word| word.starts_with("--mirror")) {
        return Err(Denied::new("a mirror would rewrite the ledger of the other side", PUSH));
    }
    for word in words {
        let hit = word.contains("refs/rapid") || (transfers && reaches(word)) || (deletes && is_short(word));
        if hit {
            let instead = if transfers { PUSH } else { LEAVE };
            return Err(Denied::new(format!("'git {verb}' would write below refs/rapid"), instead));
        }
    }
    Ok(())
}

/// Whether a refspec reaches the ledger: by its name, by its end, or by a pattern.
pub(super) fn reaches(spec: &str) -> bool {
    let spec = spec.trim_start_matches(['+', '^']);
    let target = spec.rsplit_once(':').map_or(spec, |(_, target)| target);
    [spec.split(':').next().unwrap_or(spec), target].into_iter().any(|side| is_short(side) || covers(side))
}

/// git takes the end of a ref's name for it.
fn is_short(name: &str) -> bool {
    ["rapid/", "rapid-local/"].iter().any(|start| name.strip_prefix(start).is_some_and(|rest| LEDGERS.contains(&rest)))
}

const LEDGERS: [&str; 4] = ["ledger", "attachments", "*", ""];

/// Whether a pattern covers what lies below `refs/rapid`.
fn covers(pattern: &str) -> bool {
    let Some((before, _)) = pattern.split_once('*') else { return false };
    "refs/rapid/".starts_with(before) && (before.is_empty() || before.starts_with("refs/") || before == "refs")
}
