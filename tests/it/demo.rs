//! `git rapid demo`, as it is run from the README: with a person at a terminal, with somebody who types something else, and
//! without a terminal.

use crate::harness::{Output, World, answer, somebody_can_be_asked, step_aside};

const PROMPT: &str = "anything else to leave it: ";

#[test]
fn without_a_terminal_nobody_approves_and_the_verdict_is_unverified() {
    let world = World::new();
    let shown = Output::of(world.tool(world.top()).args(["demo", "work"])).ok();
    let shown = shown
        .says("error[RAPID1310]")
        .says("UNVERIFIED run")
        .says("not covered commit")
        .says("because nobody approved");
    assert!(!shown.stdout.contains("covered commit") || shown.stdout.contains("not covered commit"), "{shown}");
    let reviewer = world.path("work/reviewer");
    Output::of(world.tool(&reviewer).args(["verify", "--commit", "HEAD", "--require-pass"])).ends(1).names("RAPID1530");
    Output::of(world.tool(&reviewer).arg("verify")).ok().says("proven");
}

#[test]
fn at_a_terminal_the_person_is_asked_and_the_reviewer_sees_a_pass() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let mut command = world.tool(world.top());
    command.args(["demo", "work"]);
    let shown = answer(command, PROMPT, "approve gate.final-verification").ok();
    shown.says("PASS run").says("covered commit").says("Exit status 0");
    let reviewer = world.path("work/reviewer");
    Output::of(world.tool(&reviewer).args(["verify", "--commit", "HEAD", "--require-pass"]))
        .ok()
        .says("covered commit");
    let checked = Output::of(world.command("git", &world.path("work/discounts")).args(["fsck", "--strict"]));
    checked.ok();
}

#[test]
fn another_sentence_approves_nothing() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let mut command = world.tool(world.top());
    command.args(["demo", "work"]);
    answer(command, PROMPT, "yes").ok().says("nothing was decided").says("because nobody approved");
}

#[test]
fn a_directory_with_something_in_it_is_left_alone() {
    let world = World::new();
    std::fs::create_dir(world.path("work")).unwrap();
    std::fs::write(world.path("work/mine"), "mine").unwrap();
    Output::of(world.tool(world.top()).args(["demo", "work"])).ends(2).names("RAPID002").says("not empty");
    assert_eq!(std::fs::read_dir(world.path("work")).unwrap().count(), 1);
}
