//! What gets a commit covered that is not, as hints with the commands that do it. `verify --commit`, a push and a server say the
//! same.
//!
//! Not here: whether it is covered (`coverage`). A hint is a proposal; nothing follows from it.

use super::{
    coverage::{Coverage, Covered},
    elsewhere::sending_code,
};
use crate::diagnostics::Result;
use crate::domain::typed::typed;
use crate::git::{Oid, Repository, TreeChange};
use crate::verbs::rapid::CONFIG_PATH;

/// How many runs and files are named.
const SHOWN: usize = 5;

/// How a merge is covered by a run of its own.
const MERGE: &str = "merge inside a run: git rapid start …, git merge --no-commit …, and commit once it has passed";

/// What gets it covered; `onto` is the newest commit that the branch is known to have.
pub(super) fn of(repository: &Repository, coverage: &Coverage, onto: Option<Oid>) -> Vec<String> {
    if coverage.covered != Covered::No && coverage.detour.is_some() {
        let onto = onto.map_or_else(|| "<the branch>".to_owned(), |tip| tip.short().to_string());
        return vec![format!(
            "bring it without the commits between: git reset --soft {onto} && git commit -C {}",
            coverage.id
        )];
    }
    match &coverage.covered {
        Covered::Exact => Vec::new(),
        Covered::Merge => vec![MERGE.to_owned()],
        Covered::Extras(files) => {
            let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
            vec![format!("commit it too: {}", added(&names))]
        }
        Covered::No
            if coverage.other_terms.iter().any(|other| other.base_uncovered || !other.beside_documents.is_empty()) =>
        {
            vec![format!("code is covered by a run with tests: {}", anew(repository, coverage.id, onto))]
        }
        Covered::No if !coverage.other_terms.is_empty() && onto.is_some_and(|tip| has_no_rules(repository, tip)) => {
            vec!["the branch has no rules yet: push the commit that brings them by itself, before this one".to_owned()]
        }
        Covered::No if !coverage.other_terms.is_empty() => {
            let begin = begin(repository, coverage.id, onto, " --terms head");
            vec![format!("begin a run under the branch's own terms, and commit again once it has passed: {begin}")]
        }
        // The one of a package is on the code of the whole too, where it is the last.
        Covered::No if coverage.runs.iter().any(|run| run.only_a_missions) => {
            let run = coverage.runs.iter().find(|run| run.only_a_missions).map(|run| run.run_id.to_string());
            let run = run.unwrap_or_default();
            vec![format!(
                "run {run} is a mission's: a person lands it inside a run of their own; the commands: git rapid mission complete"
            )]
        }
        Covered::No if !coverage.runs.is_empty() => {
            let runs = coverage.runs.iter().take(SHOWN).map(|run| {
                let (id, verdict) = (&run.run_id, run.verdict);
                format!("run {id} looked at exactly this code and is {verdict}: git rapid next --run {id}")
            });
            runs.collect()
        }
        Covered::No if coverage.unseen.iter().any(|unseen| unseen.fits) => {
            let remote = repository.remote_names().into_iter().next().unwrap_or_else(|| "origin".to_owned());
            let runs = coverage.unseen.iter().filter(|unseen| unseen.fits).take(SHOWN).map(|unseen| {
                let (run, send) = (&unseen.run_id, sending_code(&unseen.run_id, unseen.tree, &remote));
                format!(
                    "this may be the work of run {run}: whoever finished it sends its branch, or only its code: {send}"
                )
            });
            let then = match repository.remote_names().is_empty() || repository.workdir().is_none() {
                true => "then send this again".to_owned(),
                false => format!("then bring it and ask again: git fetch {}", typed(&[&remote])),
            };
            runs.chain([then]).collect()
        }
        Covered::No => vec![left_out(repository, coverage).unwrap_or_else(|| anew(repository, coverage.id, onto))],
    }
}

/// Whether git-rapid was never set up on what a branch has: a run cannot begin under rules that are not there.
fn has_no_rules(repository: &Repository, tip: Oid) -> bool {
    let config = repository.tree_of(tip).and_then(|tree| repository.lookup(tree, CONFIG_PATH));
    matches!(config, Ok(None))
}

/// How a run begins that is about what a commit brings.
pub fn anew(repository: &Repository, id: Oid, onto: Option<Oid>) -> String {
    if repository.parents_of(id).is_ok_and(|parents| parents.len() > 1) {
        return MERGE.to_owned();
    }
    match base(repository, id, onto) {
        Some(base) if has_no_rules(repository, base) && !has_no_rules(repository, id) => {
            let words = "the branch has no rules yet, and no run begins without them: push this as it is, and begin runs on top of it";
            words.to_owned()
        }
        None => format!("begin a run: {}", begin(repository, id, onto, "")),
        Some(_) => {
            let is_out = repository.head().is_ok_and(|head| head.commit == Some(id));
            // Somewhere else than where it was made, it is nobody's job to mend it.
            let whose = if is_out { "" } else { "for whoever made this commit: " };
            let begin = begin(repository, id, onto, "");
            format!("{whose}begin a run that holds it, and commit again once it has passed: {begin}")
        }
    }
}

/// The commands. A run is about what came after the commit that it began at, so what was committed already goes back into the index.
fn begin(repository: &Repository, id: Oid, onto: Option<Oid>, more: &str) -> String {
    let start = format!("git rapid start feature --title '…' --task '…'{more}");
    let is_out = repository.head().is_ok_and(|head| head.commit == Some(id));
    let checkout = if is_out { String::new() } else { format!("git checkout {} && ", id.short()) };
    match base(repository, id, onto) {
        None => start,
        Some(base) => format!("{checkout}git reset --soft {} && {start}", base.short()),
    }
}

/// What the commit was made on: what the branch has, else the commit's parent.
fn base(repository: &Repository, id: Oid, onto: Option<Oid>) -> Option<Oid> {
    let below = |tip: &Oid| *tip != id && repository.has(*tip) && repository.descends(id, *tip).unwrap_or(false);
    onto.filter(below).or_else(|| repository.parents_of(id).ok()?.first().copied())
}

/// That the commit lacks what the working copy still has as it passed.
fn left_out(repository: &Repository, coverage: &Coverage) -> Option<String> {
    let is_out = repository.head().is_ok_and(|head| head.commit == Some(coverage.id));
    if !is_out || coverage.difference.is_empty() || !are_there(repository, &coverage.difference).unwrap_or(false) {
        return None;
    }
    let names: Vec<&str> = coverage.difference.iter().map(|change| change.path.as_str()).collect();
    let first = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > SHOWN { ", …" } else { "" };
    Some(format!("{first}{more}: in the code that passed and not in the commit: {}", added(&names)))
}

/// Whether the working copy has all of these files as they were before the change, as git would store them.
fn are_there(repository: &Repository, changes: &[TreeChange]) -> Result<bool> {
    repository.require_workdir()?;
    let Some(ids) = changes.iter().map(|change| change.old.map(|(_, id)| id)).collect::<Option<Vec<Oid>>>() else {
        return Ok(false);
    };
    let paths: String = changes.iter().map(|change| format!("{}\n", change.path)).collect();
    let done = repository.git().arguments(["hash-object", "--stdin-paths"]).input(paths.as_bytes()).try_run()?;
    let text = done.text();
    let now = text.lines().map(|line| Oid::from_hex(line.trim())).collect::<Result<Vec<Oid>>>()?;
    Ok(done.code == 0 && now == ids)
}

/// The command that puts files into the newest commit.
fn added(names: &[&str]) -> String {
    let names = if names.len() > SHOWN { vec!["--all"] } else { [vec!["--"], names.to_vec()].concat() };
    format!("git add {} && git commit --amend --no-edit", typed(&names))
}
