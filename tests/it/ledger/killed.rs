//! `kill -9` at each step of an append: the ledger verifies, nothing acknowledged is missing, and the next append works or
//! names what is in its way.

use crate::harness::{Loop, Output, Repo, World, project};

/// What stands in the ledger, by path and object.
fn standing(repo: &Repo) -> Vec<String> {
    repo.try_git(&["ls-tree", "-r", "refs/rapid/ledger"]).stdout.lines().map(str::to_owned).collect()
}

/// Runs an append that is killed at `point`, and looks at what it leaves behind.
fn killed(repo: &Repo, point: &str, arguments: &[&str]) {
    let before = standing(repo);
    let died = Output::of(repo.tool().args(arguments).env("RAPID_FAULT_POINT", point));
    assert_eq!(died.code, 128 + 9, "the step '{point}' is reached: {died}");
    let after = standing(repo);
    assert!(before.iter().all(|line| after.contains(line)), "what was acknowledged before is there");
    match repo.rapid(&["verify"]) {
        none if before.is_empty() && after.is_empty() => drop(none.ends(2).names("RAPID1510")),
        seen => drop(seen.ok().says("proven")),
    }
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    let again = repo.rapid(arguments);
    if again.stderr.contains("[RAPID1512]") {
        // The locks of the refs are files: they stay when their owner is killed, and only a person can tell.
        let again = again.ends(2).says("hint: ");
        let lock = again.stderr.split('\'').find(|word| word.ends_with(".lock")).unwrap();
        for lock in [lock, &lock.replace("ledger", "attachments"), &lock.replace("attachments", "ledger")] {
            let _ = std::fs::remove_file(lock);
        }
        let _ = repo.rapid(arguments).ok();
    } else if after.len() > before.len() && !before.is_empty() {
        // The entry had been made before the process could say so; doing it once more is a second one, or is refused.
        assert!([0, 1].contains(&again.code), "{again}");
    } else {
        let _ = again.ok();
    }
    repo.rapid(&["verify"]).ok().says("proven");
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

fn killed_with_material_at(point: &str) {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    killed(&repo, point, &["attach", "greeting.sh", "--task", "T001"]);
}

fn killed_while_beginning_at(point: &str) {
    let repo = project(&World::new(), "work");
    let before = repo.git(&["status", "--porcelain"]);
    let start = ["start", "feature", "--title", "x", "--task", "y", "--run-id", "r1", "--spec-id", "s1"];
    let died = Output::of(repo.tool().args(start).env("RAPID_FAULT_POINT", point));
    assert_eq!(died.code, 128 + 9, "the step '{point}' is reached: {died}");
    let begun = !standing(&repo).is_empty();
    match begun {
        true => drop(repo.rapid(&["verify"]).ok()),
        false => drop(repo.rapid(&["verify"]).ends(2).names("RAPID1510")),
    }
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
    assert_eq!(repo.git(&["status", "--porcelain"]), before, "the working copy is as it was");
}

macro_rules! each_step {
    ($($name:ident: $point:literal;)*) => {$(
        mod $name {
            #[test]
            fn of_an_append_with_material() {
                super::killed_with_material_at($point);
            }

            #[test]
            fn of_the_very_first_append() {
                super::killed_while_beginning_at($point);
            }
        }
    )*};
}

each_step! {
    killed_when_the_ledger_is_locked: "locked";
    killed_when_the_objects_are_written: "objects-written";
    killed_when_the_objects_are_flushed: "objects-flushed";
    killed_when_the_entry_is_read_back: "read-back";
    killed_when_the_refs_are_locked: "refs-locked";
    killed_when_the_refs_are_flushed: "refs-flushed";
    killed_when_the_refs_have_moved: "refs-moved";
    killed_before_anything_is_said: "done";
}

#[test]
fn this_list_of_steps_is_the_one_in_the_sources() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = ["src/ledger/transaction.rs", "src/git/refs/files.rs"]
        .map(|file| std::fs::read_to_string(root.join(file)).unwrap());
    let text = text.concat();
    let mut steps: Vec<&str> = Vec::new();
    for call in ["fault::point(\"", "step(\""] {
        steps.extend(text.split(call).skip(1).filter_map(|rest| rest.split('"').next()));
    }
    let here = include_str!("killed.rs");
    let (_, table) = here.split_once("each_step! {").unwrap();
    for step in &steps {
        assert!(table.contains(&format!("\"{step}\"")), "a test kills at '{step}'");
    }
    assert!(steps.len() >= 8, "{steps:?}");
}
