//! What an attacker, another clone or a second sandbox does with a spool: put in another order, put back after it was folded in,
//! carried into another repository, found under a ledger that has moved on, begun twice.

use super::sandbox::{entries, in_sandbox, with_run};
use crate::harness::{Loop, Repo, World, answer, project, somebody_can_be_asked};
use git_rapid::domain::{digest::Digest, json};

/// Three entries that wait.
const THREE: &str = "set -e; git-rapid task start T001; git-rapid attach test.sh; git-rapid attach greeting.sh";

fn evidence(repo: &Repo) -> usize {
    repo.records().iter().filter(|path| path.contains("/evidence/")).count()
}

#[test]
fn entries_in_another_order_are_refused() {
    let swap = |repo: &Repo| {
        repo.sh("cd .git/rapid/spool/entries && mv 0002.json x && mv 0003.json 0002.json && mv x 0003.json").ok();
    };
    // With names and digests put right as well: what binds an entry is the digest of the one before it.
    let renumber = |repo: &Repo| {
        let file = |ordinal: u32| repo.path().join(format!(".git/rapid/spool/entries/000{ordinal}.json"));
        let read = |ordinal| json::parse(&std::fs::read(file(ordinal)).unwrap()).unwrap();
        let (two, three) = (read(2), read(3));
        for (entry, ordinal) in [(three, 2), (two, 3)] {
            let body = entry.without("digest").with("ordinal", ordinal);
            let digest = Digest::of_value(&body);
            std::fs::write(file(ordinal), body.with("digest", digest).record_bytes()).unwrap();
        }
    };
    for (renumbered, why) in [(false, "has the name of another"), (true, "does not follow the one before it")] {
        let repo = with_run(&[]);
        let Some(seen) = in_sandbox(&repo, THREE) else { return };
        let _ = seen.ok();
        let before = repo.tip();
        if renumbered {
            renumber(&repo)
        } else {
            swap(&repo)
        }
        repo.rapid(&["attach", "test.sh", "--task", "T001"]).ends(2).names("RAPID1571").says(why);
        assert_eq!((repo.tip(), entries(&repo)), (before.clone(), 3), "all of it is kept");
        repo.rapid(&["doctor", "--repair"]).says("aside");
        assert_eq!(
            repo.git(&["rev-list", "--count", &format!("{before}..refs/rapid/ledger")]),
            "1",
            "the first stands"
        );
        assert_eq!(entries(&repo), 0);
        repo.rapid(&["verify", "--full"]).ok().says("proven");
    }
}

#[test]
fn entries_that_are_put_back_add_nothing() {
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "Add a greeting").run;
    let Some(seen) = in_sandbox(&repo, THREE) else { return };
    let _ = seen.ok();
    repo.sh("cp -a .git/rapid/spool ../kept").ok();
    repo.rapid(&["attach", "test.sh"]).ok();
    repo.rapid(&["task", "done", "T001"]).ok();
    let (there, before) = (evidence(&repo), repo.tip());
    repo.sh("rm -rf .git/rapid/spool && cp -a ../kept .git/rapid/spool").ok();
    repo.rapid(&["doctor", "--repair"]).ok();
    assert_eq!(repo.tip(), before, "the ledger has them already");
    assert_eq!((evidence(&repo), entries(&repo)), (there, 0));
    // One by one, later in the chain, they follow nothing.
    repo.sh("mkdir -p .git/rapid/spool/entries && cp ../kept/entries/0003.json .git/rapid/spool/entries/").ok();
    repo.rapid(&["check", "--run", &run]).ok();
    repo.rapid(&["verify", "--full"]).ok().says("proven");
    assert_eq!(repo.records().iter().filter(|path| path.contains("/spooled/")).count(), 3, "marked once each");
}

#[test]
fn entries_of_another_repository_are_refused() {
    let (one, two) = (with_run(&[]), project(&World::new(), "work"));
    Loop::start(&two, "Another thing");
    let Some(seen) = in_sandbox(&one, THREE) else { return };
    let _ = seen.ok();
    let before = two.tip();
    two.sh(&format!("mkdir -p .git/rapid && cp -a '{}/.git/rapid/spool' .git/rapid/", one.path().display())).ok();
    two.rapid(&["task", "start", "T001"]).names("RAPID1573").says("doctor --repair");
    assert_eq!(two.tip(), before);
    two.rapid(&["doctor", "--repair"]).says("aside");
    two.rapid(&["task", "start", "T001"]).ok();
    two.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn what_waits_goes_on_a_ledger_that_has_moved_on() {
    let repo = with_run(&[]);
    let Some(seen) = in_sandbox(&repo, THREE) else { return };
    let _ = seen.ok();
    // Something else is recorded beneath the spool, as a fetch of another clone's entries would.
    repo.sh(
        "mv .git/rapid/spool .git/rapid/kept
        printf '# Another\n\n## Tasks\n\n- T001: Write it\n' > ../another.md
        git-rapid spec create --title Another --mode feature || git-rapid start feature --title Another --task 'Write it'
        mv .git/rapid/kept .git/rapid/spool",
    );
    let moved = repo.tip();
    assert_eq!(entries(&repo), 3);
    repo.rapid(&["doctor", "--repair"]).says("folded 3 spooled entries in");
    assert_eq!(repo.git(&["rev-list", "--count", &format!("{moved}..refs/rapid/ledger")]), "3");
    assert!(repo.shows_each_kind().contains("runs/spooled/DIGEST.json"), "the mark of what waited is shown");
    repo.rapid(&["verify", "--full"]).ok().says("proven");
}

#[test]
fn two_clones_that_both_spooled_meet() {
    let world = World::new();
    let seed = project(&world, "seed");
    let remote = world.remote("remote.git");
    seed.git(&["push", "--quiet", remote.path().to_str().unwrap(), "main"]);
    let clones = ["one", "two"].map(|name| {
        let clone = world.clone_of(&remote, name);
        clone.rapid(&["init"]).ok();
        clone
    });
    for (clone, title) in clones.iter().zip(["First thing", "Second thing"]) {
        let script = format!(
            "git-rapid start feature --title '{title}' --task 'Write it' && git-rapid task start T001 && git-rapid attach test.sh"
        );
        let Some(seen) = in_sandbox(clone, &script) else { return };
        let _ = seen.ok();
        assert_eq!(entries(clone), 3);
    }
    for clone in [&clones[0], &clones[1], &clones[0]] {
        clone.rapid(&["sync"]).ok();
        assert_eq!(entries(clone), 0);
        clone.rapid(&["verify", "--full"]).ok().says("proven");
    }
    assert_eq!(clones[0].tip(), clones[1].tip());
    assert_eq!(clones[0].records().iter().filter(|path| path.contains("/spooled/")).count(), 6);
}

#[test]
fn what_is_removed_is_removed_outside_and_with_what_waited() {
    let repo = project(&World::new(), "work");
    let run = Loop::start(&repo, "Add a greeting").run;
    let script = "git-rapid task start T001 && echo 'the plan is blue' > plan.txt && git-rapid attach plan.txt \
        && rm plan.txt; git-rapid expunge E003 --reason blue";
    let Some(seen) = in_sandbox(&repo, script) else { return };
    seen.ends(1).names("RAPID1310");
    if !somebody_can_be_asked() {
        return;
    }
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "expunge", "E003", "--run", &run, "--reason", "blue"]);
    answer(command, "anything else to leave it: ", "expunge E003").ok();
    assert_eq!(entries(&repo), 0);
    repo.git(&["gc", "--quiet", "--prune=now"]);
    let left = repo
        .sh("git cat-file --batch-all-objects --batch | grep -a -c 'the plan is blue' || true; ls .git/rapid/spool");
    assert_eq!(left.stdout.lines().next(), Some("0"), "{left}");
    assert!(!left.stdout.contains("objects\n") && !left.stdout.contains("aside"), "nothing of it waits: {left}");
    repo.rapid(&["verify", "--full"]).ok().says("proven");
}
