//! A whole run, as git itself sees it.

use crate::harness::{Loop, World, answer, finished, project, run_of, somebody_can_be_asked, step_aside};

#[test]
fn after_a_whole_run_git_finds_no_fault_and_can_read_every_record() {
    let Some(repo) = finished() else { return };
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    for path in repo.records() {
        let text = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{path}")]);
        assert!(!text.is_empty(), "'{path}' can be read with git cat-file");
    }
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("proven").says("covered");
}

#[test]
fn every_verb_of_a_run_leaves_one_line_in_the_reflog() {
    let Some(repo) = finished() else { return };
    let reflog = repo.git(&["reflog", "show", "--format=%gs", "refs/rapid/ledger"]);
    let verbs: Vec<&str> =
        reflog.lines().rev().filter_map(|line| line.strip_prefix("rapid: ")?.split(' ').next()).collect();
    assert_eq!(verbs, ["start", "task", "task", "approve", "finish"]);
    let entries: usize = repo.git(&["rev-list", "--count", "refs/rapid/ledger"]).parse().unwrap();
    assert_eq!(entries, verbs.len() + 1, "one entry for each verb, and the first one");
    assert!(!repo.git(&["reflog", "show", "refs/rapid/attachments"]).is_empty(), "the attachments have a reflog too");
}

#[test]
fn the_paths_of_a_ledger_are_those_of_the_layout() {
    let Some(repo) = finished() else { return };
    let (spec, run) = ("add-a-greeting", run_of("Add a greeting", 1));
    let shard = |id: &str| git_rapid::ledger::shard(id);
    let (spec, run) = (format!("specs/{}/{spec}", shard(spec)), format!("runs/{}/{run}", shard(&run)));
    let mut expected = vec!["format".to_owned(), format!("{spec}/status/0001.json"), format!("{run}/contract.json")];
    let named =
        |directory: &str, names: &[&str]| names.iter().map(|name| format!("{directory}/{name}")).collect::<Vec<_>>();
    expected.extend(named(&format!("{spec}/0001"), &["revision.json", "requirements.md", "tasks.md", "acceptance.md"]));
    expected.extend(named(&format!("{run}/terms"), &["config.toml", "policy.json"]));
    expected.extend((1..=8).map(|number| format!("{run}/states/{number:04}.json")));
    expected.extend((1..=5).map(|number| format!("{run}/evidence/E{number:03}.json")));
    expected.push(format!("{run}/reports/0001.json"));
    expected.sort();
    assert_eq!(repo.records(), expected);
    assert_eq!(repo.git(&["cat-file", "-p", "refs/rapid/ledger:format"]), "git-rapid ledger 1");
    assert_eq!(shard("add-a-greeting"), "ad", "the first two digits of the SHA-1 of the id, as 'sha1sum' says it");
}

#[test]
fn the_tree_of_a_check_is_kept_as_a_tree_that_git_can_compare() {
    let Some(repo) = finished() else { return };
    let list = repo.git(&["ls-tree", "-r", "-d", "--name-only", "refs/rapid/attachments"]);
    let tree = |evidence: &str| {
        let path = list.lines().find(|path| path.ends_with(&format!("{evidence}/tree"))).unwrap();
        repo.git(&["rev-parse", &format!("refs/rapid/attachments:{path}")])
    };
    assert_eq!(tree("E001"), repo.git(&["rev-parse", "HEAD~1^{tree}"]), "the run began on the first commit");
    assert_eq!(tree("E005"), repo.git(&["rev-parse", "HEAD^{tree}"]), "the final tree is that of the commit");
    assert_eq!(repo.git(&["diff", "--name-only", &tree("E001"), &tree("E005")]), "greeting.sh");
}

#[test]
fn two_clones_that_know_nothing_of_each_other_begin_their_ledgers_with_the_same_entry() {
    let (one, other) = (World::new(), World::new());
    other.configure("[user]\n\tname = Grace\n\temail = grace@example.org\n");
    let first = |world| {
        let repo = project(world, "work");
        Loop::start(&repo, "Add a greeting");
        repo.first_entry()
    };
    assert_eq!(first(&one), first(&other));
}

#[test]
fn an_approval_that_is_not_typed_exactly_records_nothing() {
    if !somebody_can_be_asked() {
        return step_aside("these tests run under a coding agent, which nothing may be asked of");
    }
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "Add a greeting");
    run.work();
    let before = repo.tip();
    for sentence in ["", "yes", "approve", "approve gate.tests", "Approve gate.final-verification"] {
        run.try_approve(sentence).ends(1).says("RAPID1310");
    }
    let mut marked = repo.tool();
    marked.args(["approve", "gate.final-verification"]).env("CLAUDECODE", "1");
    answer(marked, "anything else", "approve gate.final-verification").ends(1).says("CLAUDECODE");
    assert_eq!(repo.tip(), before);
}

#[test]
fn without_a_terminal_nobody_approves() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting").work();
    let before = repo.tip();
    repo.git_with(&["hash-object", "--stdin"], b"approve gate.final-verification\n");
    repo.rapid(&["approve", "gate.final-verification"]).ends(1).names("RAPID1310").says("hint: ");
    repo.rapid(&["finish"]).ends(1).says("UNVERIFIED").names("RAPID1225");
    assert_eq!(repo.tip(), before, "a refusal writes nothing");
}
