//! Sandboxes that close git's directory and open `.git/rapid` alone: the loop goes on, what was recorded waits, is folded in by
//! whoever can write, and proves like anything else. What was changed while it waited is refused.

use crate::harness::{
    GATE, Loop, Output, Repo, World, finished, in_a_private_mount_namespace, project, project_in, somebody_can_be_asked,
};

/// Closes git's directory and opens ours, as a sandbox does.
const CLOSED: &str = "mkdir -p .git/rapid && mount --bind .git .git && mount --bind .git/rapid .git/rapid \
    && mount -o remount,ro,bind .git && cd \"$PWD\" || exit 99
    touch .git/open 2>/dev/null && exit 98
    touch .git/rapid/open || exit 97
    rm .git/rapid/open\n";

/// A run whose repository is about to be closed.
pub(super) fn with_run(options: &[&str]) -> Repo {
    let repo = World::new().repository("work", options);
    project_in(&repo);
    Loop::start(&repo, "Add a greeting");
    repo
}

/// Runs a script in the sandbox; `None` where there is none to be had.
pub(super) fn in_sandbox(repo: &Repo, script: &str) -> Option<Output> {
    in_a_private_mount_namespace(repo, &format!("{CLOSED}{script}"))
}

/// The work of a run, in the sandbox.
const WORK: &str = "set -e; mkdir -p ../said
    echo \"echo done\" >> greeting.sh
    git-rapid task start T001 --json > ../said/started.out
    git-rapid next --json > ../said/next.out
    git-rapid attach test.sh --json > ../said/attached.out
    git-rapid task done T001 --json > ../said/done.out
    git-rapid next > ../said/after.out
    git-rapid log > ../said/log.out
    git-rapid evidence list > ../said/list.out
    git-rapid show $(git-rapid log -n 1 | cut -d ' ' -f 1) > ../said/shown.out
    git-rapid check --json > ../said/checked.out
    \n";

fn said(repo: &Repo, name: &str) -> String {
    std::fs::read_to_string(repo.world().path("said").join(name)).unwrap()
}

pub(super) fn entries(repo: &Repo) -> usize {
    let listed = std::fs::read_dir(repo.path().join(".git/rapid/spool/entries"));
    listed.map_or(0, |listed| listed.count())
}

#[test]
fn the_loop_goes_on_in_a_sandbox_and_is_folded_in_afterwards() {
    let repo = with_run(&[]);
    let before = repo.tip();
    let Some(seen) = in_sandbox(&repo, WORK) else { return };
    let seen = seen.ok();
    assert!(seen.stderr.contains("note[RAPID1570]"), "{seen}");
    assert_eq!(repo.tip(), before, "nothing reached the ledger");
    assert_eq!(entries(&repo), 4);
    for document in ["started.out", "attached.out", "done.out", "checked.out"] {
        assert!(said(&repo, document).contains("\"spooled\": true"), "{document}: {}", said(&repo, document));
    }
    for (file, asked) in [
        ("started.out", "task start"),
        ("next.out", "next"),
        ("attached.out", "attach"),
        ("done.out", "task done"),
        ("checked.out", "check"),
    ] {
        let words: Vec<String> = asked.split(' ').map(str::to_owned).collect();
        crate::manual::fits(&words, &git_rapid::domain::json::parse(said(&repo, file).as_bytes()).unwrap());
    }
    assert!(said(&repo, "next.out").contains("\"spooled_entries\": 1"), "{}", said(&repo, "next.out"));
    assert!(said(&repo, "next.out").contains("T001"), "next sees the task that was begun: {}", said(&repo, "next.out"));
    assert!(said(&repo, "after.out").contains("await_human_approval"), "{}", said(&repo, "after.out"));
    assert!(said(&repo, "log.out").contains("spooled: "), "{}", said(&repo, "log.out"));
    assert!(said(&repo, "list.out").contains("spooled: "), "{}", said(&repo, "list.out"));
    assert!(said(&repo, "shown.out").contains("spooled: "), "{}", said(&repo, "shown.out"));
    // Outside, reading sees them and changes nothing; the ledger itself proves without them.
    repo.rapid(&["next"]).ok().says("await_human_approval").names("RAPID1570");
    repo.rapid(&["doctor"]).says("4 entries wait");
    repo.rapid(&["verify", "--full"]).ok();
    assert_eq!(entries(&repo), 4);
    // The next recording command folds them in, in order.
    let added = repo.rapid(&["check", "--json"]).ok();
    assert!(added.json().get("spooled").is_none());
    assert_eq!(entries(&repo), 0);
    assert!(!repo.path().join(".git/rapid/spool/objects").exists());
    assert_eq!(repo.git(&["rev-list", "--count", &format!("{before}..refs/rapid/ledger")]), "5");
    repo.rapid(&["verify", "--full"]).ok().says("proven");
    repo.rapid(&["validate"]).ok();
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    assert_eq!(repo.records().iter().filter(|path| path.contains("/spooled/")).count(), 4);
    crate::manual::records_fit(&repo);
}

#[test]
fn a_run_worked_on_in_a_sandbox_passes_and_says_so() {
    if !somebody_can_be_asked() {
        return;
    }
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "Add a greeting");
    let Some(seen) = in_sandbox(&repo, WORK) else { return };
    let _ = seen.ok();
    run.try_approve(&format!("approve {GATE}")).ok().says("recorded in a sandbox");
    let Some(seen) = in_sandbox(&repo, "git-rapid finish --json > ../finished.out") else { return };
    let _ = seen.ok();
    let finished = std::fs::read_to_string(repo.world().path("finished.out")).unwrap();
    assert!(finished.contains("\"spooled\": true"), "{finished}");
    repo.commit("the work");
    repo.rapid(&["verify", "--commit", "HEAD"]).ends(1);
    repo.rapid(&["doctor", "--repair"]).says("folded 1 spooled entries in");
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("were recorded in a sandbox");
}

#[test]
fn a_run_is_begun_and_given_up_in_a_sandbox_of_a_sha256_repository() {
    let repo = World::new().repository("work", &["--object-format=sha256"]);
    project_in(&repo);
    let script =
        "git-rapid start feature --title 'Add a greeting' --task 'Write it' --json && git-rapid abort --reason no";
    let Some(seen) = in_sandbox(&repo, script) else { return };
    let seen = seen.ok();
    assert!(seen.stdout.contains("\"spooled\": true"), "{seen}");
    repo.rapid(&["status", "--all"]).ok().says("cancelled");
    repo.rapid(&["start", "feature", "--title", "Another", "--task", "Write it"]).ok();
    assert_eq!(entries(&repo), 0);
    repo.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn several_sandboxes_write_one_after_the_other() {
    let repo = with_run(&[]);
    let script = "git-rapid task start T001 || exit 1
        for n in 1 2 3 4; do unshare --mount sh -c 'git-rapid attach test.sh --task T001' & done; wait";
    let Some(seen) = in_sandbox(&repo, script) else { return };
    let seen = seen.ok();
    assert_eq!(entries(&repo), 5, "{seen}");
    repo.rapid(&["attach", "test.sh"]).ok();
    repo.rapid(&["verify", "--full"]).ok().says("proven");
    assert_eq!(repo.records().iter().filter(|path| path.contains("/evidence/")).count(), 7);
}

#[test]
fn what_was_changed_in_the_spool_is_refused_and_set_aside() {
    let edits: [(&str, &str, &str); 6] = [
        ("an entry's words", "sed -i 's/attach/attacH/' .git/rapid/spool/entries/0002.json", "1"),
        ("an entry taken away", "rm .git/rapid/spool/entries/0002.json", "1"),
        ("an entry twice", "cp .git/rapid/spool/entries/0002.json .git/rapid/spool/entries/0009.json", "3"),
        ("no entry", "echo '{}' > .git/rapid/spool/entries/0004.json", "3"),
        ("something else", "mkfifo .git/rapid/spool/entries/0004.json", "3"),
        (
            "the objects",
            "find .git/rapid/spool/objects -type f ! -name '*.lock' -exec sh -c 'chmod u+w $1; echo x > $1' _ {} ;",
            "0",
        ),
    ];
    for (what, edit, folds) in edits {
        let repo = with_run(&[]);
        let script = "set -e; git-rapid task start T001; git-rapid attach test.sh; git-rapid attach greeting.sh";
        let Some(seen) = in_sandbox(&repo, script) else { return };
        let _ = seen.ok();
        let before = repo.tip();
        repo.sh(&edit.replace(" ;", " \\;"));
        let refused = repo.rapid(&["attach", "test.sh"]).ends(2);
        assert!(refused.stderr.contains("error[RAPID1571]"), "{what}: {refused}");
        repo.rapid(&["next"]).ends(2).names("RAPID1571");
        assert!(refused.stderr.contains("doctor --repair"), "{what}: {refused}");
        repo.rapid(&["doctor"]).ends(1);
        repo.rapid(&["doctor", "--repair"]).says("aside");
        let folded = repo.git(&["rev-list", "--count", &format!("{before}..refs/rapid/ledger")]);
        assert_eq!(folded, folds, "{what}: what was changed is not folded in");
        assert_eq!(entries(&repo), 0, "{what}");
        assert!(std::fs::read_dir(repo.path().join(".git/rapid/spool/aside")).unwrap().count() > 0, "{what}");
        // Where the task was set aside too, it has to be begun again.
        let _ = repo.rapid(&["attach", "test.sh", "--task", "T001"]);
        repo.rapid(&["verify", "--full"]).ok().says("proven");
    }
}

#[test]
fn what_was_decided_on_something_else_is_not_folded_in() {
    let repo = with_run(&[]);
    let Some(seen) = in_sandbox(&repo, "git-rapid task start T001") else { return };
    let _ = seen.ok();
    // Another clone's entry arrives by hand, beneath the spool.
    repo.sh(
        "mv .git/rapid/spool .git/rapid/kept; git-rapid abort --reason changed && mv .git/rapid/kept .git/rapid/spool",
    );
    let tip = repo.tip();
    repo.rapid(&["start", "feature", "--title", "Another", "--task", "Write it"])
        .ends(1)
        .names("RAPID1573")
        .says("doctor --repair");
    assert_eq!(repo.tip(), tip);
    repo.rapid(&["status"]).ok().says("made on a ledger that has moved on since; what is shown does not count them in");
    repo.rapid(&["doctor"]).ends(1).says("spool: 1 waiting in the spool").says("doctor --repair");
    let Some(seen) = in_sandbox(&repo, "git-rapid start feature --title More --task 'Write it'") else { return };
    seen.ends(1).names("RAPID1573");
    repo.rapid(&["doctor", "--repair"]).says("aside");
    repo.rapid(&["start", "feature", "--title", "Another", "--task", "Write it"]).ok();
    repo.rapid(&["verify", "--full"]).ok();
}

#[test]
fn a_person_decides_outside() {
    let repo = with_run(&[]);
    let review = r#"{"kind":"review","producer":"bot","summary":"fine","payload":{"review_type":"peer","outcome":"approved","reviewer":"Bob"}}"#;
    std::fs::write(repo.world().path("review.json"), review).unwrap();
    let Some(seen) = in_sandbox(&repo, "git-rapid evidence add --input ../review.json") else { return };
    seen.ends(1).names("RAPID1572");
    if somebody_can_be_asked() {
        let closed = format!("{CLOSED}git-rapid approve {GATE} </dev/null");
        let Some(seen) = in_a_private_mount_namespace(&repo, &closed) else { return };
        assert_ne!(seen.code, 0, "{seen}");
    }
    assert_eq!(entries(&repo), 0);
}

#[test]
fn a_full_spool_says_so() {
    let repo = with_run(&[]);
    let script =
        "git-rapid task start T001 && truncate -s 1100M .git/rapid/spool/objects/big && git-rapid attach test.sh";
    let Some(seen) = in_sandbox(&repo, script) else { return };
    seen.ends(2).names("RAPID1574");
    assert_eq!(entries(&repo), 1);
    repo.rapid(&["attach", "test.sh"]).ok();
    repo.rapid(&["verify", "--full"]).ok();
}

#[test]
fn a_mark_that_was_forged_is_found() {
    let Some(repo) = finished() else { return };
    let run = "add-a-greeting-r1-run-001";
    let directory = repo.record("contract.json").replace("/contract.json", "");
    let record = format!(
        "{{\"records\":{{\"{directory}/contract.json\":\"{}\"}},\"run_id\":\"{run}\",\"schema_version\":1}}\n",
        "0".repeat(64)
    );
    let digest = git_rapid::domain::digest::Digest::of(record.as_bytes());
    let blob = repo.git_with(&["hash-object", "-w", "--stdin"], record.as_bytes());
    let tree = repo.sh(&format!(
        "export GIT_INDEX_FILE=$TMPDIR/forged; git read-tree refs/rapid/ledger && \
         git update-index --add --cacheinfo 100644,{blob},{directory}/spooled/{digest}.json && git write-tree"
    ));
    let commit = repo.git(&["commit-tree", &tree.line(), "-p", "refs/rapid/ledger", "-m", "mark"]);
    repo.git(&["update-ref", "refs/rapid/ledger", &commit]);
    repo.rapid(&["verify", "--full"]).ends(1).says("RAPID1575");
}

#[test]
fn file_permissions_close_a_repository_too() {
    let repo = with_run(&[]);
    repo.sh("chmod -R a-w .git && chmod -R u+w .git/rapid");
    // Modes do not stop root, who becomes somebody else for this.
    let somebody = match repo.sh("id -u").line().as_str() {
        "0" => "chown -R 65534:65534 .. && setpriv --reuid=65534 --regid=65534 --clear-groups ",
        _ => "",
    };
    let can = repo.sh(&format!("{somebody} git-rapid version >/dev/null 2>&1 || echo no"));
    if can.stdout.contains("no") {
        return crate::harness::step_aside("nobody but root can run the tool here");
    }
    repo.sh(&format!("{somebody} git-rapid task start T001")).names("RAPID1570");
    assert_eq!(entries(&repo), 1);
    repo.sh(&format!("chmod -R u+w .git; {somebody} git-rapid attach test.sh; {somebody} git-rapid verify --full"))
        .says("proven");
    assert_eq!(entries(&repo), 0);
}

#[test]
fn a_linked_worktree_spools_beside_the_shared_directory() {
    let repo = with_run(&[]);
    repo.git(&["worktree", "add", "--quiet", "../linked"]);
    let run = "add-a-greeting-r1-run-001";
    let script = format!(
        "cd ../linked && git-rapid task start T001 --run {run} && git-rapid check --run {run} && git-rapid next --run {run}"
    );
    let Some(seen) = in_sandbox(&repo, &script) else { return };
    let seen = seen.ok();
    assert!(seen.stderr.contains("RAPID1570"), "{seen}");
    assert_eq!(entries(&repo), 2);
    repo.rapid(&["attach", "test.sh"]).ok();
    repo.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn a_fold_that_is_killed_loses_nothing_and_folds_nothing_twice() {
    for point in ["fold-flushed", "refs-moved", "fold-moved", "fold-removed"] {
        let repo = with_run(&[]);
        let script = "git-rapid task start T001 && git-rapid attach test.sh; RAPID_FAULT_POINT=spooled git-rapid attach greeting.sh; true";
        let Some(seen) = in_sandbox(&repo, script) else { return };
        let _ = seen.ok();
        assert_eq!(entries(&repo), 3);
        let died = Output::of(repo.tool().args(["doctor", "--repair"]).env("RAPID_FAULT_POINT", point));
        assert_eq!(died.code, 128 + 9, "the step '{point}' is reached: {died}");
        repo.rapid(&["evidence", "list"]).ok().says("greeting.sh");
        repo.rapid(&["verify", "--full"]).ok();
        let _ = std::fs::remove_file(repo.path().join(".git/refs/rapid/ledger.lock"));
        let _ = std::fs::remove_file(repo.path().join(".git/refs/rapid/attachments.lock"));
        repo.rapid(&["attach", "test.sh"]).ok();
        repo.rapid(&["verify", "--full"]).ok().says("proven");
        assert_eq!(entries(&repo), 0);
        assert_eq!(repo.records().iter().filter(|path| path.contains("/spooled/")).count(), 3, "{point}");
        assert_eq!(repo.records().iter().filter(|path| path.contains("/evidence/")).count(), 5, "{point}");
    }
}
