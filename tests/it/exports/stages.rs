//! Runs in the states that a report shows: passed, failed, unverified, waived, signed; each in a repository of its own.

use crate::harness::{GATE, Loop, Repo, World, finished, project};
use crate::signed::{Team, people_can_sign};

/// One that passed.
pub fn passed() -> Option<Repo> {
    finished()
}

/// One whose tests are red.
pub fn failed() -> Repo {
    let world = World::new();
    let repo = project(&world, "work");
    // Under ruleset 3 a red check of a task is final.
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"test.sh\"]\nruleset = 3\n");
    repo.commit("older rules");
    let _run = Loop::start(&repo, "Greet in verse");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("test.sh", "echo 'the greeting does not rhyme'; exit 1\n");
    repo.git_rapid(&["check", "--task", "T001"]).ends(1).says("fail");
    repo.git_rapid(&["task", "done", "T001", "--no-check"]).ok();
    repo.git_rapid(&["eval", "run"]).ok().says("FAIL");
    repo
}

/// One of which nothing is shown yet.
pub fn unverified() -> Repo {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet the moon");
    repo
}

/// One that passed because a person let a gate go.
pub fn waived() -> Option<Repo> {
    if !crate::harness::somebody_can_be_asked() {
        crate::harness::step_aside("a person lets a gate go in this test, and a coding agent is above it");
        return None;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Greet without tests");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo hello\necho 'and goodbye'\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let mut command = world.command("git", repo.path());
    command.args(["rapid", "approve", "gate.tests", "--waive", "--reason", "nobody could run them that day"]);
    crate::harness::answer(command, "anything else to leave it: ", "waive gate.tests").ok();
    run.try_approve(&format!("approve {GATE}")).ok();
    repo.git_rapid(&["finish"]).ok().says("PASS_WITH_WAIVERS");
    repo.commit("work");
    Some(repo)
}

/// One whose approval is signed, with the people who can sign.
pub fn signed() -> Option<Team> {
    if !people_can_sign() {
        return None;
    }
    let team = Team::with("", &["ada"]);
    let run = team.worked("Greet under seal");
    team.decide(&format!("approve {GATE}"), &format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit("work");
    Some(team)
}
