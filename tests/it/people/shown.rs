//! What a person is shown before they decide.

use crate::harness::{GATE, Loop, Output, Repo, World, answer, project, somebody_can_be_asked, step_aside};

fn look(repo: &Repo, options: &[&str]) -> Output {
    let mut command = repo.world().command("git", repo.path());
    command.args([&["rapid", "approve", GATE], options].concat());
    answer(command, "anything else to leave it: ", "no")
}

#[test]
fn spec_changes_checks_and_what_deserves_a_second_look_are_shown() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("tests/old_test.sh", "true\n");
    repo.write("blob.bin", "a\0b\n");
    repo.commit("more");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("greeting.sh", "echo hello\necho more\necho still more\n");
    repo.write("tests/new_test.sh", "true\n");
    repo.write("tests/old_test.sh", "exit 0\n");
    repo.write("blob.bin", "a\0c\n");
    let test = std::fs::read_to_string(repo.path().join("test.sh")).unwrap();
    repo.write("test.sh", &format!("{test}true\n"));
    let rules = std::fs::read_to_string(repo.path().join(".rapid/config.toml")).unwrap();
    repo.write(".rapid/config.toml", &format!("{rules}[enforce]\nextras = \"refuse\"\n"));
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let shown = look(&repo, &["--reviewer", "Grace"]);
    let shown = shown
        .says("spec:     Say more (say-more r1)")
        .says("changed:  6 files, +7 -1 lines since")
        .says("M greeting.sh  +2 -0")
        .says("A tests/new_test.sh  +1 -0")
        .says("M blob.bin\n")
        .says("look twice: tests that were there before, and changed: M test.sh, M tests/old_test.sh")
        .says("look twice: what the test command runs, changed: test.sh")
        .says("look twice: rules of .rapid/, changed for later runs: M .rapid/config.toml")
        .says("checks on this code:")
        .says("E003")
        .says("not shown yet: tests.kept")
        .says("decided by Grace; a typed sentence in a terminal, not a signature");
    assert!(!shown.stdout.contains("A tests/new_test.sh,"), "a test that was added takes nothing away: {shown}");
    let waived = {
        let mut command = repo.world().command("git", repo.path());
        command.args(["rapid", "approve", "gate.tests", "--waive", "--reason", "flaky"]);
        answer(command, "anything else to leave it: ", "waive gate.tests")
    };
    waived.ok();
    look(&repo, &[]).says("waived:   gate.tests: flaky (waived by Ada)");
}

#[test]
fn no_attribute_and_no_name_hides_how_much_changed() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let repo = project(&World::new(), "work");
    std::fs::create_dir_all(repo.path().join(".git/info")).unwrap();
    std::fs::write(repo.path().join(".git/info/attributes"), "* -diff\n").unwrap();
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo.write("big.sh", &"true\n".repeat(5000));
    repo.write("z\tback.sh", &"true\n".repeat(3000));
    repo.git_rapid(&["task", "done", "T001"]).ok();
    let shown = look(&repo, &[]).says("changed:  2 files, +8000 -0 lines since");
    shown.says("A big.sh  +5000 -0").says("A z%09back.sh  +3000 -0");
}

#[test]
fn nothing_that_configuration_names_is_run_to_show_it() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more").work();
    let ran = world.path("ran");
    repo.write("../hostile", &format!("#!/bin/sh\ntouch {}\n", ran.display()));
    repo.sh("chmod +x ../hostile");
    let program = world.path("hostile").display().to_string();
    for key in ["diff.external", "core.pager", "gpg.program", "diff.sh.textconv", "core.fsmonitor"] {
        repo.git(&["config", key, &program]);
    }
    std::fs::write(repo.path().join(".git/info/attributes"), "*.sh diff=sh\n").unwrap();
    look(&repo, &[]).says("M greeting.sh  +1 -0");
    assert!(!ran.exists(), "nobody ran it");
}
