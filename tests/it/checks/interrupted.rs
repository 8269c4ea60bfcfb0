//! A clean check that is interrupted or killed: what it began ends, and its worktree goes, now or with the next one.

use crate::harness::{Loop, Output, Repo, World, answer_after, project};

fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

fn worktrees(repo: &Repo) -> usize {
    repo.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count()
}

fn temporary(repo: &Repo) -> usize {
    std::fs::read_dir(repo.world().path("tmp")).unwrap().count()
}

#[test]
fn whatever_interrupts_it_nothing_is_left() {
    let repo = with_run();
    for signal in ["INT", "TERM", "HUP", "QUIT"] {
        let pid = repo.world().path("pid");
        let script = format!("echo $$ > '{}'; kill -{signal} $PPID; exec sleep 600", pid.display());
        repo.git_rapid(&["check", "--clean", "--", "sh", "-c", &script]).ends(125).names("RAPID004");
        let pid = std::fs::read_to_string(pid).unwrap();
        let alive = Output::of(repo.world().command("kill", repo.path()).args(["-0", pid.trim()]));
        assert_ne!(alive.code, 0, "{signal}: nothing of it runs any more");
        assert_eq!((worktrees(&repo), temporary(&repo)), (1, 0), "{signal}: nothing of it lies there any more");
    }
    repo.git_rapid(&["check", "--clean"]).ok();
}

/// A clean check that is killed in the middle.
fn kill(repo: &Repo) {
    let killed = repo.git_rapid(&["check", "--clean", "--", "sh", "-c", "kill -KILL $PPID"]);
    assert_ne!(killed.code, 0);
    assert_eq!((worktrees(repo), temporary(repo)), (2, 1), "a kill leaves everything");
}

#[test]
fn what_a_kill_left_is_swept_and_what_is_in_use_is_not() {
    let repo = with_run();
    kill(&repo);
    repo.git_rapid(&["doctor"]).ok().says("left behind by a check that was killed");
    repo.git_rapid(&["doctor", "--repair"]).ok().says("which a killed check left behind");
    assert_eq!((worktrees(&repo), temporary(&repo)), (1, 0));
    kill(&repo);
    repo.git_rapid(&["check", "--clean", "--", "true"]).ok();
    assert_eq!((worktrees(&repo), temporary(&repo)), (1, 0));
    // Its directory went with the temporary files, its registration stayed.
    kill(&repo);
    std::fs::remove_dir_all(repo.world().path("tmp")).unwrap();
    std::fs::create_dir(repo.world().path("tmp")).unwrap();
    repo.git_rapid(&["doctor", "--repair"]).ok();
    assert_eq!(worktrees(&repo), 1);
    let script =
        format!("cd '{}' && git rapid doctor --repair && test -e \"$OLDPWD/greeting.sh\"", repo.path().display());
    repo.git_rapid(&["check", "--clean", "--", "sh", "-c", &script]).ok().says("there was nothing to mend");
}

#[test]
fn the_line_is_drawn_where_it_cannot_meet_the_output() {
    let repo = with_run();
    let shell = |script: &str| {
        let mut command = repo.world().command("sh", repo.path());
        command.args(["-c", script]);
        command
    };
    let gate = repo.world().path("gate");
    repo.world().command("mkfifo", repo.path()).arg(&gate).status().unwrap();
    let into_a_file = format!("git rapid check -- sh -c \"echo begun; read line < '{}'\" > ../out", gate.display());
    answer_after(shell(&into_a_file), "running for ", "", || std::fs::write(&gate, "go\n").unwrap());
    // Long enough for a line, were there one.
    let through_a_pipe = "git rapid check -- sh -c 'echo begun; sleep 1; echo ended' | cat; echo all done";
    let seen = answer_after(shell(through_a_pipe), "all done", "", || {});
    assert!(seen.stdout.contains("ended") && !seen.stdout.contains("running for"), "{seen}");
}
