//! What harnesses do to the environment of what they start: what they hide, empty, forbid and hand down. The loop goes on.

use super::sandbox::{entries, with_run};
use crate::harness::{Output, World, in_a_private_mount_namespace, project};

/// The loop up to where a person has to decide.
const LOOP: &str = "set -e
    git-rapid start feature --title 'Add a greeting' --task 'Write it'
    git-rapid task start T001; echo 'echo done' >> greeting.sh; git-rapid attach test.sh; git-rapid task done T001
    git-rapid check; git-rapid next; git-rapid status; git-rapid brief";

#[test]
fn hostile_environments_do_not_stop_the_loop() {
    let environments = [
        ("no home", "unset HOME XDG_CONFIG_HOME; "),
        ("a home that is not there", "export HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent/config; "),
        ("a home that cannot be written to", "export HOME=/proc/self; "),
        ("hidden identity", "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1; "),
        (
            "hidden identity and emptied hooks",
            "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=; ",
        ),
        (
            "no bare repositories, no file monitor, no optional locks",
            "export GIT_OPTIONAL_LOCKS=0 GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=safe.bareRepository \
             GIT_CONFIG_VALUE_0=explicit GIT_CONFIG_KEY_1=core.fsmonitor GIT_CONFIG_VALUE_1=false; ",
        ),
        ("no temporary directory", "export TMPDIR=/proc/self/none; "),
        (
            "a path that a login shell rebuilt",
            "tool=$(command -v git-rapid); PATH=$(dirname \"$(command -v git)\"):/usr/bin:/bin; git-rapid() { \"$tool\" \"$@\"; }; ",
        ),
        ("an editor and a pager that answer for nobody", "export GIT_EDITOR=true GIT_PAGER=false PAGER=false; "),
    ];
    for (what, environment) in environments {
        // Not every shell takes a function of that name.
        let shell = if environment.contains("()") { "bash" } else { "sh" };
        let repo = project(&World::new(), "work");
        let seen = Output::of(
            repo.world()
                .command(shell, repo.path())
                .args(["-c", &format!("{environment}{LOOP}; git-rapid verify --full")]),
        );
        assert_eq!(seen.code, 0, "{what}: {seen}");
        assert!(seen.stdout.contains("await_human_approval"), "{what}: {seen}");
    }
}

#[test]
fn proxies_reach_the_check_and_their_passwords_no_record() {
    let repo = project(&World::new(), "work");
    repo.write("test.sh", "echo \"proxies: $HTTPS_PROXY $http_proxy $ALL_PROXY\"\n");
    repo.commit("tests that talk");
    let proxies = "export HTTPS_PROXY=http://ada:correct-horse-1@127.0.0.1:9 http_proxy=http://ada:correct-horse-2@127.0.0.1:9 \
        ALL_PROXY=socks5://ada:correct-horse-3@127.0.0.1:9 NO_PROXY=localhost; ";
    let seen = Output::of(
        repo.world().command("sh", repo.path()).args(["-c", &format!("{proxies}{LOOP}; git-rapid verify --full")]),
    )
    .ok();
    assert!(seen.stdout.contains("await_human_approval"), "{seen}");
    let log = repo.rapid(&["evidence", "log", "E002"]).ok();
    assert!(log.stdout.contains("proxies: ") && log.stdout.contains("127.0.0.1:9"), "the check had them: {log}");
    let all = repo.sh("git cat-file --batch-all-objects --batch | grep -a -c correct-horse || true; grep -r -a -l correct-horse .git || true");
    assert_eq!(all.stdout.trim(), "0", "{all}");
}

#[test]
fn without_proc_nothing_is_missed_but_ancestors() {
    let repo = with_run(&[]);
    let script = "umount -l /proc 2>/dev/null || mount -t tmpfs none /proc; git-rapid task start T001 && git-rapid check && git-rapid next";
    let Some(seen) = in_a_private_mount_namespace(&repo, script) else { return };
    let _ = seen.ok();
}

/// Everything is read-only (the home too) but the working copy, the temporary directory and `.git/rapid`; no network; its own
/// numbers of processes.
#[test]
fn in_a_sandbox_like_codex_the_loop_goes_on() {
    let repo = project(&World::new(), "work");
    let closed = "set -e; mkdir -p .git/rapid
        for open in \"$PWD\" \"$TMPDIR\"; do mount --bind \"$open\" \"$open\"; done
        mount --bind .git .git; cd \"$PWD\"; mount --bind .git/rapid .git/rapid; mount -o remount,ro,bind .git; cd \"$PWD\"
        for shut in \"$(stat -c %m ..)\" /; do mount -o remount,ro,bind \"$shut\"; done
        cd \"$PWD\"; export CODEX_SANDBOX_NETWORK_DISABLED=1
        ";
    let inside = "for shut in \"$HOME\" .. .git .git/hooks /usr; do touch \"$shut/open\" 2>/dev/null && exit 98; done
        touch .git/rapid/open \"$TMPDIR/open\" open || exit 97; rm .git/rapid/open \"$TMPDIR/open\" open
        ";
    let script = format!(
        "{closed}exec unshare --pid --fork --net sh -c '{}'",
        format!("{inside}{LOOP}; git-rapid verify --full || test $? = 2").replace('\'', "'\\''")
    );
    let Some(seen) = in_a_private_mount_namespace(&repo, &script) else { return };
    let seen = seen.ok();
    assert!(seen.stdout.contains("await_human_approval"), "{seen}");
    assert!(seen.stderr.contains("all there is waits in the spool"), "{seen}");
    assert_eq!(entries(&repo), 5, "{seen}");
    repo.rapid(&["doctor", "--repair"]).ok();
    assert_eq!(entries(&repo), 0);
    repo.rapid(&["verify", "--full"]).ok().says("proven");
}
