//! What a failed turn leaves of the user's own work: all of it, byte for byte.

use super::players::{Stage, signal, until};
use super::story;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Every file below a directory but git's and the orchestrator's own.
pub fn files(top: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut out = BTreeMap::new();
    let mut open = vec![top.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            let ours = path.ends_with(".git") || path.ends_with(".regista/decisions") || path.ends_with("state.toml");
            match entry.file_type().unwrap() {
                _ if ours => {}
                kind if kind.is_dir() => open.push(path),
                kind if kind.is_symlink() => drop(
                    out.insert(path.clone(), std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()),
                ),
                _ => {
                    let mut bytes = std::fs::read(&path).unwrap();
                    bytes.push((entry.metadata().unwrap().permissions().mode() & 0o111) as u8);
                    drop(out.insert(path, bytes));
                }
            }
        }
    }
    out
}

const MESS: &str = "forward; echo agent > tracked.txt; echo agent > staged.txt; rm deleted.txt; echo agent >> untracked.txt; \
    printf 'a\\nb\\n' > crlf.txt; mkdir -p new/deep; echo x > new/deep/file; rm link; echo y > link; chmod +x plain.sh; \
    echo TOKEN=2 > .env; git add -A; git -c user.name=a -c user.email=a@b commit -qm agent; exit 1";

fn prepared(stage: &Stage) {
    let write = |name: &str, text: &str| stage.project.write(name, text);
    stage.project.write("link-target", "t");
    std::os::unix::fs::symlink("link-target", stage.project.top().join("link")).unwrap();
    write(".gitattributes", "*.txt text=auto\n");
    write("tracked.txt", "one\n");
    write("staged.txt", "one\n");
    write("deleted.txt", "one\n");
    write("plain.sh", "echo\n");
    write("crlf.txt", "a\r\nb\r\n");
    let text = story("STORY-001", "Tests Ready", "").replace('\n', "\r\n");
    stage.project.story("STORY-001", format!("\u{feff}{text}"));
    stage.commit();
    write("tracked.txt", "the user's edit\n");
    write("staged.txt", "staged\n");
    stage.git(&["add", "staged.txt"]);
    write("staged.txt", "staged and edited\n");
    write("untracked.txt", "ñ untracked\r\n");
    write(".env", "TOKEN=1\n");
}

#[test]
fn a_failed_turn_is_undone_byte_for_byte_index_branch_and_secrets_included() {
    let stage = Stage::new(MESS);
    prepared(&stage);
    let top = stage.project.top();
    let (before, head) = (files(&top), stage.git(&["rev-parse", "HEAD"]));
    let index = std::fs::read(top.join(".git/index")).unwrap();
    let _ = stage.run(&["run", "--once"]).ends(3);
    assert_eq!(stage.turns().len(), 1);
    assert_eq!(files(&top), before);
    assert_eq!(std::fs::read(top.join(".git/index")).unwrap(), index);
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head);
    stage.verifies();
}

#[test]
fn a_failing_hook_undoes_the_turn_and_the_next_one_is_told() {
    let stage = Stage::new("forward; echo broken > code.txt");
    stage.configured("max_retries_per_step = 2\n[hooks]\npost_dev = \"cat code.txt; echo ñ hook says no; exit 3\"\n");
    prepared(&stage);
    let before = files(&stage.project.top());
    let _ = stage.run(&["run", "--once"]).ends(3);
    assert_eq!(files(&stage.project.top()), before);
    let _ = stage.run(&["run"]).ends(2);
    let prompt = std::fs::read_to_string(stage.case().join("prompt")).unwrap();
    assert!(prompt.contains("ñ hook says no") && prompt.contains("post_dev ended with status 3"), "{prompt}");
    let records = stage.records();
    assert!(records.contains("\"hook\":\"post_dev\"") && records.contains("\"exit_code\":3"), "{records}");
    let decisions = std::fs::read_dir(stage.project.top().join(".regista/decisions")).unwrap().count();
    assert_eq!(decisions, 2, "one piece of feedback for each turn");
    stage.verifies();
}

#[test]
fn in_a_linked_worktree_a_subfolder_and_with_ignored_stories_it_is_the_same() {
    let stage = Stage::new(MESS);
    prepared(&stage);
    stage.git(&["add", "-A"]);
    stage.git(&["commit", "-q", "-m", "all"]);
    let world = stage.project.world();
    let linked = world.path("linked");
    stage.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let before = files(&linked);
    let mut command = stage.command(&["run", "--once"]);
    drop(crate::harness::Output::of(command.current_dir(&linked)).ends(3));
    assert_eq!(files(&linked), before);

    // A subfolder of a larger repository, its stories ignored by git.
    let stage = Stage::new("forward; echo x >> \"$file\"; echo y > ../other.txt; exit 1");
    let sub = stage.project.top().join("sub");
    stage.project.write(".gitignore", ".regista/\n");
    stage.project.write("other.txt", "mine\n");
    let text = story("STORY-001", "Ready", "");
    stage.project.write("sub/.regista/stories/STORY-001.md", &text);
    stage.project.write("sub/.regista/config.toml", "[limits]\nretry_delay_base_seconds = 0\n");
    stage.commit();
    let before = files(&stage.project.top());
    let mut command = stage.command(&["run", "--once"]);
    drop(crate::harness::Output::of(command.current_dir(&sub)).ends(3));
    assert_eq!(files(&stage.project.top()), before);
    assert!(stage.records().contains("\"backlog\":\"sub/.regista/stories\""));
}

#[test]
fn after_a_failing_hook_everything_of_the_users_is_as_it_was_wherever_the_project_lies() {
    // The agent ends well, after staging and committing what it did; then its hook fails.
    let mess = MESS.replace("; exit 1", "");
    for place in ["p", "linked", "p/sub/deep"] {
        let stage = Stage::new(&mess);
        let world = stage.project.world();
        let top = world.path(place);
        stage.commit();
        if place == "linked" {
            stage.git(&["worktree", "add", "-q", top.to_str().unwrap()]);
        }
        let git = |arguments: &[&str]| world.git_at(&top, arguments).stdout;
        let write = |name: &str, text: &str| {
            std::fs::create_dir_all(top.join(name).parent().unwrap()).unwrap();
            std::fs::write(top.join(name), text).unwrap();
        };
        for name in ["tracked.txt", "staged.txt", "deleted.txt", "plain.sh"] {
            write(name, "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
        }
        write("crlf.txt", "a\r\nb\r\n");
        write(".gitattributes", "crlf.txt text=auto\n");
        write(
            ".regista/config.toml",
            "[limits]\nretry_delay_base_seconds = 0\n[hooks]\npost_dev = \"echo built > built.txt; exit 1\"\n",
        );
        let text = story("STORY-001", "Tests Ready", "").replace('\n', "\r\n");
        write(".regista/stories/STORY-001.md", &format!("\u{feff}{text}"));
        std::os::unix::fs::symlink("tracked.txt", top.join("link")).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-q", "-m", "as it stands"]);
        // A part of a file is staged, another part is not, and some is not git's at all.
        write("staged.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n");
        git(&["add", "staged.txt"]);
        write("staged.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n");
        write("tracked.txt", "mine\n");
        write("untracked.txt", "ñ\r\n");
        write(".env", "TOKEN=1\n");
        write("new.txt", "intended\n");
        git(&["add", "-N", "new.txt"]);
        let index = git(&["rev-parse", "--path-format=absolute", "--git-path", "index"]);
        let index = Path::new(index.trim()).to_owned();
        let all = world.path("p");
        // The checkpoint and the decisions are ours.
        let status = |text: String| {
            text.lines().filter(|line| !line.contains(".regista/")).map(str::to_owned).collect::<Vec<_>>()
        };
        let seen = || {
            (
                files(&top),
                files(&all),
                std::fs::read(&index).unwrap(),
                git(&["rev-parse", "HEAD"]),
                status(git(&["--no-optional-locks", "status", "--porcelain"])),
            )
        };
        // Asking for the state of things may write the index anew; then it is looked at.
        git(&["status"]);
        let before = seen();
        let mut command = stage.command(&["run", "--once"]);
        let ended = crate::harness::Output::of(command.current_dir(&top)).ends(3);
        assert!(ended.stderr.contains("post_dev ended with status 1"), "{place}: {ended}");
        let after = seen();
        assert_eq!((&after.0, &after.1), (&before.0, &before.1), "{place}: files");
        assert_eq!((&after.2, &after.3, &after.4), (&before.2, &before.3, &before.4), "{place}: index, branch, state");
        stage.verifies();
    }
}

/// What the user does meanwhile: a commit, a file that is staged, one that is not, and an edit.
fn the_user_works(stage: &Stage) {
    stage.project.write("committed.txt", "mine\n");
    stage.git(&["add", "committed.txt"]);
    stage.git(&["commit", "-q", "-m", "the user's", "--", "committed.txt"]);
    stage.project.write("new-staged.txt", "mine, staged\n");
    stage.git(&["add", "new-staged.txt"]);
    stage.project.write("new.txt", "mine, not staged\n");
    stage.project.write("tracked.txt", "mine, edited\n");
}

/// The tree that the message names.
fn kept(said: &str) -> String {
    let after = said.split("is kept as the tree ").nth(1).unwrap_or_else(|| panic!("{said}"));
    after.split_whitespace().next().unwrap().to_owned()
}

/// Waits for the user, so that what they do falls into the turn.
const MEANWHILE: &str = "echo agent > agent.txt; touch \"$CASE/up\"; \
    until test -e \"$CASE/go\"; do sleep 0.01; done; ";

#[test]
fn what_the_user_commits_while_a_turn_fails_stays_and_the_rest_is_kept_as_a_tree_that_is_named() {
    for how in ["exit 1", "term", "kill"] {
        let wait = if how == "exit 1" { how } else { "sleep 600" };
        let stage = Stage::new(&format!("{MEANWHILE}{wait}"));
        stage.story(1, "Ready", "");
        stage.project.write("tracked.txt", "one\n");
        stage.commit();
        let mut child = stage.command(&["run", "--once"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        until("the agent", || stage.case().join("up").exists());
        the_user_works(&stage);
        let head = stage.git(&["rev-parse", "HEAD"]);
        std::fs::write(stage.case().join("go"), "").unwrap();
        match how {
            "term" => signal(child.id(), "TERM"),
            "kill" => signal(child.id(), "KILL"),
            _ => {}
        }
        let mut said = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
        child.wait().unwrap();
        if how == "kill" {
            stage.plays("exit 1");
            said = stage.run(&["run", "--once"]).ends(3).stderr;
        }
        assert_eq!(stage.git(&["rev-parse", "HEAD"]), head, "{how}: {said}");
        let top = stage.project.top();
        assert_eq!(std::fs::read_to_string(top.join("committed.txt")).unwrap(), "mine\n", "{how}: {said}");
        assert!(!top.join("agent.txt").exists(), "{how}: the agent's is put back");
        assert!(said.contains("was moved meanwhile by somebody else"), "{how}: {said}");
        let tree = kept(&said);
        let held = |name: &str| stage.git(&["cat-file", "blob", &format!("{tree}:{name}")]);
        assert_eq!(held("new-staged.txt"), "mine, staged\n");
        assert_eq!(held("new.txt"), "mine, not staged\n");
        assert_eq!(held("tracked.txt"), "mine, edited\n");
        stage.git(&["restore", &format!("--source={tree}"), "--", "new.txt"]);
        assert_eq!(std::fs::read_to_string(top.join("new.txt")).unwrap(), "mine, not staged\n");
        stage.verifies();
    }
}

#[test]
fn a_commit_of_the_users_upon_one_of_the_agents_takes_nothing_away() {
    let agent = "echo agent > agent.txt; git add agent.txt; git -c user.name=a -c user.email=a@b commit -qm agent; ";
    let stage = Stage::new(&format!("{agent}{MEANWHILE}exit 1"));
    stage.story(1, "Ready", "");
    stage.project.write("tracked.txt", "one\n");
    stage.commit();
    let child = stage.command(&["run", "--once"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    the_user_works(&stage);
    let head = stage.git(&["rev-parse", "HEAD"]);
    std::fs::write(stage.case().join("go"), "").unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3));
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(stage.git(&["log", "--format=%s", "-2"]), "the user's\nagent\n");
    assert!(stage.records().contains("left as it is: committed.txt"));
    stage.verifies();
}

#[test]
fn a_branch_that_the_user_goes_to_meanwhile_is_where_they_stay() {
    let stage = Stage::new(&format!("{MEANWHILE}exit 1"));
    stage.story(1, "Ready", "");
    stage.commit();
    let mut child = stage.command(&["run", "--once"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the agent", || stage.case().join("up").exists());
    stage.git(&["switch", "-q", "-c", "mine"]);
    std::fs::write(stage.case().join("go"), "").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(stage.git(&["symbolic-ref", "HEAD"]).trim(), "refs/heads/mine");
    assert!(!stage.project.top().join("agent.txt").exists());
    stage.verifies();
}

#[test]
fn what_a_hook_commits_is_the_turns_and_without_a_log_nobodys_commit_is_taken_away() {
    let commit = "echo x > x.txt; git add x.txt; git -c user.name=a -c user.email=a@b commit -qm x; ";
    for (agent, hook, logged) in [("", commit, true), (commit, "", true), (commit, "", false)] {
        let stage = Stage::new(&format!("{agent}forward"));
        stage.configured(&format!("[hooks]\npost_dev = \"{hook}exit 1\"\n"));
        stage.story(1, "Tests Ready", "");
        stage.commit();
        if !logged {
            stage.git(&["config", "core.logAllRefUpdates", "false"]);
            std::fs::remove_dir_all(stage.project.top().join(".git/logs")).unwrap();
        }
        let head = stage.git(&["rev-parse", "HEAD"]);
        let ended = stage.run(&["run", "--once"]).ends(3).says("");
        assert_eq!(stage.git(&["rev-parse", "HEAD"]) == head, logged, "{ended}");
        assert_eq!(stage.project.top().join("x.txt").exists(), !logged, "what is committed is there: {ended}");
        assert_eq!(ended.stderr.contains("was moved meanwhile by somebody else"), !logged, "{ended}");
        assert_eq!(stage.status(1), "Tests Ready");
    }
}
