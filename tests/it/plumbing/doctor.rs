//! Broken set-ups: what is wrong is said, with the one command that mends it; and that command mends it. Refs, locks, the spool and
//! shallow clones are in `ledger/`.

use crate::harness::{Loop, Output, Repo, World, in_a_private_mount_namespace, project};

/// A set-up: what breaks it (a script in the repository), what is said, what to do, and whether that is a command that can be typed
/// as it stands.
struct Broken(&'static str, &'static str, &'static str, Mends);

#[derive(PartialEq)]
enum Mends {
    /// The command mends it.
    Typed,
    /// A person has to fill in a name, or decide.
    ByHand,
}
use Mends::{ByHand, Typed};

const BROKEN: &[Broken] = &[
    Broken("rm -rf .git && git init -q", "there is no commit yet", "git commit --allow-empty -m 'Begin'", Typed),
    Broken("git checkout -q --detach", "no branch is checked out", "git switch -c NAME", ByHand),
    Broken(
        "git config --global --unset-all user.name && git config --global --unset-all user.email",
        "git knows no name here",
        "git config --global user.name 'Your Name'",
        ByHand,
    ),
    Broken("echo 'test_command = [' >.rapid/config.toml", "RAPID1600", "git restore .rapid/config.toml", Typed),
    Broken("echo 'ruleset = 9' >.rapid/config.toml", "ruleset 9 is not known", "cargo install git-rapid", ByHand),
    Broken(
        "echo 'test_comand = 1' >.rapid/config.toml",
        "unknown key 'test_comand'",
        "did you mean 'test_command'?",
        ByHand,
    ),
    Broken(
        "printf '[policy]\\nminimum_risk = \"hi\"\\n' >.rapid/config.toml",
        ".rapid/config.toml",
        "did you mean",
        ByHand,
    ),
    Broken("echo '# nothing' >.rapid/config.toml", "no test command is set", "set test_command", ByHand),
    Broken(
        "echo 'test_command = [\"no-such-program\"]' >.rapid/config.toml",
        "there is no program 'no-such-program' here",
        "install no-such-program",
        ByHand,
    ),
    Broken(
        "printf 'test_command = [\"true\"]\\napprovals = \"signed\"\\n' >.rapid/config.toml",
        "git knows no key to sign with",
        "git config --global user.signingKey KEY",
        ByHand,
    ),
    Broken("echo '{' >.rapid/architecture.json", ".rapid/architecture.json", "docs/architecture-rules.md", ByHand),
    Broken(
        "mkdir .rapid/modes && echo '{' >.rapid/modes/bugfix.json",
        "RAPID109",
        "git rapid explain RAPID109",
        ByHand,
    ),
    Broken(
        "git remote add origin ../gone.git",
        "leaves its ledger there: the refspec for it is missing",
        "git rapid init",
        Typed,
    ),
    Broken(
        "git remote add origin ../gone.git && git config --add remote.origin.fetch '+refs/*:refs/*'",
        "writes over this clone's ledger",
        "git config --fixed-value --unset remote.origin.fetch '+refs/*:refs/*'",
        Typed,
    ),
    Broken(
        "git remote add origin ../gone.git && git config rapid.remote orgin",
        "there is no remote 'orgin'",
        "did you mean 'origin'?",
        ByHand,
    ),
    Broken(
        "git remote add origin ../gone.git && git config rapid.ref main",
        "not the full name of a ref",
        "git config rapid.ref refs/heads/rapid-ledger",
        Typed,
    ),
    Broken(
        "git rapid hooks install >/dev/null && chmod -x .git/hooks/pre-push",
        "pre-push is outdated",
        "git rapid hooks install",
        Typed,
    ),
    Broken(
        "git rapid hooks install >/dev/null && echo false >>.git/hooks/pre-push",
        "pre-push",
        "git rapid hooks install",
        ByHand,
    ),
    Broken(
        "env -u GIT_CONFIG_GLOBAL git config --global core.hooksPath /nowhere/hooks",
        "pre-push is missing (/nowhere/hooks",
        "git config --local core.hooksPath",
        ByHand,
    ),
    Broken(
        "git rapid start feature --title G --task t >/dev/null && : >.git/rapid/session.json",
        "the session file is not JSON",
        "git rapid abort",
        Typed,
    ),
    Broken(
        "git rapid start feature --title G --task t >/dev/null && sed -i s/g-r1/h-r1/ .git/rapid/session.json",
        "the session's run 'h-r1-run-001' is not in the ledger",
        "git rapid abort",
        Typed,
    ),
    Broken(
        "git rapid start feature --title G --task t --worktree >/dev/null && rm -rf ../work.rapid/g-r1-run-001",
        "the worktree of run g-r1-run-001 is gone from",
        "git worktree add --force ",
        Typed,
    ),
    Broken(
        "git rapid start feature --title G --task t --worktree >/dev/null && git rapid run status g-r1-run-001 cancelled >/dev/null",
        "the worktree of run g-r1-run-001, which is over, still lies in",
        "git worktree remove ",
        Typed,
    ),
    Broken(
        "git rapid harness install claude >/dev/null",
        "the guard of claude: installed, never seen",
        "start a new session",
        ByHand,
    ),
    Broken(
        "git rapid harness install claude >/dev/null && sed -i s/pre-tool/pre-tol/ .claude/settings.json",
        "the guard of claude: altered",
        "git rapid harness install claude",
        Typed,
    ),
];

/// The line after the one that says this, where doctor says what to do.
fn hint_of(said: &Output, words: &str) -> Option<String> {
    let mut lines = said.stdout.lines().skip_while(|line| !line.contains(words)).skip(1);
    lines.next().filter(|line| line.starts_with("       ")).map(|line| line.trim().to_owned())
}

#[test]
fn each_broken_set_up_is_told_with_what_mends_it() {
    let mut wrong = Vec::new();
    for Broken(script, words, hint, mends) in BROKEN {
        let world = World::new();
        let repo = project(&world, "work");
        repo.rapid(&["doctor"]).ok();
        repo.sh(script);
        let said = repo.rapid(&["doctor"]);
        let told = hint_of(&said, words);
        if !told.as_ref().is_some_and(|told| told.contains(hint)) {
            wrong.push(format!("{script}: '{words}' and '{hint}' are said by {said}"));
            continue;
        }
        let bad = said.stdout.lines().any(|line| line.starts_with("bad "));
        assert_eq!(said.code == 1, bad, "what is wrong ends with 1: {said}");
        if *mends == Typed {
            let command = told.unwrap_or_default();
            // What comes before the colon says why.
            let command = command.rsplit_once(": git ").map_or(command.clone(), |(_, rest)| format!("git {rest}"));
            let typed = Output::of(world.command("sh", repo.path()).args(["-c", &command]));
            let after = repo.rapid(&["doctor"]);
            if typed.code != 0 || after.stdout.contains(words) {
                wrong.push(format!("{script}: '{command}' mends it: {typed}{after}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program of this name, alone in a directory.
fn stand_in(world: &World, name: &str, script: &str) -> String {
    let directory = world.path(&format!("stand-in-{name}"));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    Output::of(world.command("chmod", world.top()).arg("+x").arg(&path)).ok();
    directory.display().to_string()
}

fn doctor_with_path(repo: &Repo, path: &str) -> Output {
    Output::of(repo.tool().arg("doctor").env("PATH", path))
}

#[test]
fn another_program_an_old_git_and_none_are_told() {
    let world = World::new();
    let repo = project(&world, "work");
    let bare = World::bare_path();
    let other = stand_in(&world, "git-rapid", "echo git-rapid 0.0.1");
    let said = doctor_with_path(&repo, &format!("{other}:{bare}")).ends(1);
    said.says("'git rapid' runs another program").says("it says 'git-rapid 0.0.1'").says("export PATH=\"");
    let fails = stand_in(&world, "git-rapid", "exit 3");
    doctor_with_path(&repo, &format!("{fails}:{bare}")).ends(1).says("that fails");
    let git = bare.split(':').next().unwrap();
    let old = stand_in(
        &world,
        "git",
        &format!("case \"$*\" in *rapid*) ;; *version) echo git version 2.20.1; exit ;; esac\nexec {git}/git \"$@\""),
    );
    let tool = std::path::Path::new(env!("CARGO_BIN_EXE_git-rapid")).parent().unwrap().display();
    doctor_with_path(&repo, &format!("{old}:{tool}:{bare}"))
        .ends(1)
        .says("git 2.20.1 is too old")
        .says("install git 2.34");
    let none = stand_in(&world, "nothing", "");
    doctor_with_path(&repo, &none).ends(1).says("the git executable cannot be started").says("install git 2.34");
}

#[test]
fn an_entry_from_the_future_puts_the_clock_in_doubt() {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet");
    let (tip, tree) = (repo.tip(), repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]));
    let text = repo.entry_text(&tree, &[&tip]).replace("1767300000", "4102444800");
    let ahead = repo.raw_commit(text.as_bytes());
    repo.move_ledger(&ahead);
    repo.rapid(&["doctor"])
        .ok()
        .says("the newest entry was written at 2100-01-01")
        .says("one of the two clocks is wrong");
}

#[test]
fn somebody_elses_repository_is_told_with_its_place() {
    let world = World::new();
    let repo = project(&world, "work");
    let Some(done) = Output::of_any(world.command("chown", world.top()).args(["-R", "12345", "work/.git", "work"]))
    else {
        return;
    };
    if done.code != 0 {
        return crate::harness::step_aside("only root can give a repository away");
    }
    let said = repo.rapid(&["doctor"]).ends(1).says("RAPID1501");
    let command = hint_of(&said, "RAPID1501").unwrap();
    let command = command.split_once("run: ").unwrap().1.to_owned();
    Output::of(world.command("sh", repo.path()).args(["-c", &command])).ok();
    repo.rapid(&["doctor"]).ok();
}

#[test]
fn a_full_disk_and_a_closed_one_are_told() {
    let world = World::new();
    let repo = project(&world, "work");
    let full = "mkdir ../small && mount -t tmpfs -o size=4m none ../small && cp -a . ../small/work && cd ../small/work && git rapid doctor";
    let Some(said) = in_a_private_mount_namespace(&repo, full) else { return };
    said.ends(1).says("kB are free where").says("git gc");
    let closed = "mount --bind . . && mount -o remount,bind,ro . && cd \"$PWD\" && git rapid doctor";
    let Some(said) = in_a_private_mount_namespace(&repo, closed) else { return };
    said.ends(1).says("nothing can be written to").says("chmod -R u+w");
}
