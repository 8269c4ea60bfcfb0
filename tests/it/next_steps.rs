//! What a command says to do next works when it is typed: after a run, before a push, in a new clone, in a sub-directory.

use crate::harness::{GATE, Loop, Output, Repo, World, project, somebody_can_be_asked, step_aside};
use crate::hooks::{configure, covered, push, remote_of};
use git_rapid::domain::json::Value;

/// The command of a hint: what stands after its last colon, with a title and a task in it.
fn hinted(said: &Output, start: &str) -> String {
    let lines = said.stderr.lines().filter_map(|line| line.strip_prefix("hint: "));
    let hint = lines.into_iter().find(|hint| hint.starts_with(start));
    let hint = hint.unwrap_or_else(|| panic!("a hint that starts with '{start}' is given by {said}"));
    let (_, command) = hint.rsplit_once(": ").unwrap();
    command.replace("--title '…' --task '…'", "--title Again --task Do")
}

/// Goes on with the run that a hint began, to its end.
fn pass(repo: &Repo) {
    for words in [["task", "start", "T001"], ["task", "done", "T001"]] {
        repo.rapid(&words).ok();
    }
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "approve", GATE]);
    crate::harness::answer(command, "anything else to leave it: ", &format!("approve {GATE}")).ok();
    repo.rapid(&["finish"]).ok();
}

fn nobody_here() -> bool {
    let nobody = !somebody_can_be_asked();
    if nobody {
        step_aside("a coding agent is above this test, so nobody can be asked");
    }
    nobody
}

#[test]
fn a_finished_run_is_not_called_active_and_what_is_said_instead_covers_the_push() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    configure(&repo, "[enforce]\npre_push = \"require\"\n");
    repo.commit("ask for runs");
    remote_of(&repo);
    push(&repo, &["main"]).ok();
    repo.rapid(&["hooks", "install"]).ok();
    Loop::whole(&repo, "Say more");
    push(&repo, &["main"]).ok();
    repo.write("greeting.sh", "echo hello\necho once more\n");
    repo.git(&["commit", "--quiet", "--message", "once more", "greeting.sh"]);
    let refused = push(&repo, &["main"]).ends(1).names("RAPID1610");
    assert!(!refused.stderr.contains("is active here"), "{refused}");
    repo.sh(&hinted(&refused, "begin a run that holds it"));
    pass(&repo);
    repo.git(&["commit", "--quiet", "--message", "once more"]);
    push(&repo, &["main"]).ok();
}

#[test]
fn a_finished_run_says_how_to_commit_all_that_passed_and_nothing_once_it_is() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    remote_of(&repo);
    repo.write("mine.txt", "not of the run\n");
    let run = Loop::start(&repo, "Say more");
    repo.write("new.txt", "new\n");
    run.work().approve();
    run.finish()
        .says("not committed yet")
        .says("run:   git add -- new.txt")
        .says("then:  git commit --all -m 'Say more'");
    let next = repo.rapid(&["next", "--json"]).ok().json();
    let words = |key: &str| -> String {
        let words = next.get("action").and_then(|action| action.get(key)).and_then(Value::as_list).unwrap();
        words.iter().filter_map(Value::as_text).collect::<Vec<_>>().join(" ")
    };
    repo.sh(&format!("{} && {}", words("command"), words("after").replace("Say more", "'Say more'")));
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("covered").says("mine.txt");
    let over = repo.rapid(&["next"]).ok();
    assert!(!over.stdout.contains("commit"), "all of it is committed: {over}");
    // What came after it is not the run's.
    repo.git(&["reset", "--quiet", "--soft", "HEAD~1"]);
    repo.write("new.txt", "other\n");
    let over = repo.rapid(&["next"]).ok();
    assert!(!over.stdout.contains("commit"), "the working copy holds something else: {over}");
}

#[test]
fn a_file_that_the_commit_left_out_is_named_with_the_command_that_adds_it() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Say more");
    repo.write("new file.txt", "new\n");
    run.work().approve().finish();
    repo.git(&["commit", "--quiet", "--all", "--message", "forgotten"]);
    let said = repo.rapid(&["verify", "--commit", "HEAD"]).ends(1).names("RAPID1530");
    repo.sh(&hinted(&said, "new file.txt: in the code that passed and not in the commit"));
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    // A file that was taken out on purpose is no oversight.
    repo.git(&["rm", "--quiet", "new file.txt"]);
    repo.git(&["commit", "--quiet", "--message", "taken out"]);
    let said = repo.rapid(&["verify", "--commit", "HEAD"]).ends(1);
    assert!(!said.stderr.contains("git add"), "{said}");
    said.says("git reset --soft");
}

#[test]
fn a_clone_without_the_ledger_is_told_to_fetch_it() {
    let Some((repo, remote)) = covered("") else { return };
    repo.git(&["checkout", "--quiet", "-b", "topic"]);
    push(&repo, &["topic", "main~1:refs/heads/main"]).ok();
    repo.rapid(&["push"]).ok();
    let clone = repo.world().clone_of(&remote, "clone");
    clone.git(&["checkout", "--quiet", "-B", "main", "origin/main"]);
    clone.rapid(&["hooks", "install"]).ok();
    clone.git(&["merge", "--quiet", "--ff-only", "origin/topic"]);
    configure(&clone, "[enforce]\npre_push = \"require\"\n");
    let refused = push(&clone, &["main"]).ends(1).names("RAPID1610");
    clone.sh(&hinted(&refused, "when a run on it is recorded elsewhere"));
    push(&clone, &["main"]).ok();
}

#[test]
fn a_branch_that_asks_for_more_gets_it_by_a_run_under_the_terms_that_it_has() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    remote_of(&repo);
    push(&repo, &["main"]).ok();
    repo.rapid(&["hooks", "install"]).ok();
    configure(&repo, "[enforce.pre_push]\nmain = \"require\"\n");
    repo.commit("ask for runs");
    Loop::whole(&repo, "Say more");
    let refused = push(&repo, &["main"]).ends(1).names("RAPID1610").says("promised under other terms");
    repo.sh(&hinted(&refused, "begin a run under the branch's own terms"));
    pass(&repo);
    repo.git(&["commit", "--quiet", "--message", "more, and ask for runs"]);
    push(&repo, &["main"]).ok();
}

#[test]
fn the_first_run_of_a_branch_counts_once_the_rules_are_pushed_by_themselves() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("greeting.sh", "echo hello\n");
    repo.commit("before anybody knew of git-rapid");
    remote_of(&repo);
    push(&repo, &["main"]).ok();
    crate::harness::project_in(&repo);
    repo.rapid(&["hooks", "install"]).ok();
    Loop::whole(&repo, "Say more");
    let said = push(&repo, &["--dry-run", "main"]).ok().says("promised under other terms");
    said.says("the branch has no rules yet: push the commit that brings them by itself");
    push(&repo, &["main~1:main"]).ok();
    let quiet = push(&repo, &["main"]).ok();
    assert!(!quiet.stderr.contains("RAPID16"), "{quiet}");
}

#[test]
fn a_task_of_a_run_that_is_not_active_is_sent_to_what_comes_first() {
    let repo = project(&World::new(), "work");
    repo.write("test.sh", "exit 1\n");
    repo.commit("red");
    repo.rapid(&["start", "feature", "--title", "T", "--task", "t"]).ok();
    let said = repo.rapid(&["task", "done", "T001"]).ends(1).names("RAPID1010").says("git rapid next");
    assert!(!said.stderr.contains("task start"), "what would be refused as well is not proposed: {said}");
}

#[test]
fn what_init_and_a_start_say_to_commit_is_committed_from_a_sub_directory() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("deep/down/tests.sh", "echo 1..1\necho ok 1\n");
    repo.write("tests.sh", "echo 1..1\necho ok 1\n");
    repo.commit("a project");
    let at = |words: &str| Output::of(world.command("sh", &repo.path().join("deep/down")).args(["-c", words]));
    at("git rapid init").ok();
    // Nothing was committed, so that is still the first step.
    at("git rapid init").ok().says("git add :/.rapid/config.toml && git commit");
    const START: &str = "git rapid start feature --title T --task t";
    let refused = at(START).ends(1).names("RAPID1308");
    at(&format!("{} --quiet --message terms", hinted(&refused, "commit it first"))).ok();
    at(START).ok();
    let quiet = at("git rapid init").ok();
    assert!(!quiet.stdout.contains("git commit"), "{quiet}");
}

#[test]
fn the_test_command_is_said_to_init_or_told_from_the_files() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    repo.write("package.json", "{\"scripts\": {\"test\": \"echo \\\"Error: no test specified\\\" && exit 1\"}}\n");
    repo.rapid(&["init", "--no-hooks", "--", "sh", "-c", "echo \"a\""]).ok().says("the test command is 'sh -c");
    repo.rapid(&["init", "--no-hooks", "--", "sh", "-c", "echo \"a\""]).ok().says("is there already");
    repo.rapid(&["init", "--no-hooks", "--", "make"]).ends(2).names("RAPID001").says("change test_command in it");
    std::fs::remove_file(repo.path().join(".rapid/config.toml")).unwrap();
    repo.rapid(&["init", "--no-hooks"]).ok().says("no test command was recognised");
}

#[test]
fn a_second_run_in_a_worktree_leaves_the_first_one_where_it_is() {
    let world = World::new();
    let repo = project(&world, "work");
    let start = |title: &str, more: &[&str]| {
        repo.rapid(&[&["start", "feature", "--title", title, "--task", "t"], more].concat())
    };
    start("One", &["--worktree"]).ok();
    start("Two", &[]).ends(1).names("RAPID1301").says("add --worktree");
    let said = start("Two", &["--worktree"]).ok().says("Another run is active here").says("cd ");
    assert!(said.stdout.contains("work.rapid/two-r1-run-001"), "{said}");
    repo.rapid(&["next", "--json"]).ok().says("\"run_id\": \"one-r1-run-001\"");
    let two = Repo::at(&world, world.path("work.rapid/two-r1-run-001"));
    two.rapid(&["next", "--json"]).ok().says("\"run_id\": \"two-r1-run-001\"");
    two.rapid(&["task", "start", "T001"]).ok();
    repo.rapid(&["abort"]).ok();
    two.rapid(&["next", "--json"]).ok().says("\"run_id\": \"two-r1-run-001\"");
}

#[test]
fn a_worktree_that_is_gone_is_said_and_comes_back_as_it_is_told() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.rapid(&["start", "feature", "--title", "One", "--task", "t", "--worktree"]).ok();
    let path = world.path("work.rapid/one-r1-run-001");
    std::fs::remove_dir_all(&path).unwrap();
    for prune in [false, true] {
        if prune {
            std::fs::remove_dir_all(&path).unwrap();
            repo.git(&["worktree", "prune"]);
        }
        let gone = repo.rapid(&["next", "--json"]).ok().says("worktree is gone").says("\"kind\": \"blocked\"").json();
        let words = gone.get("action").and_then(|action| action.get("command")).and_then(Value::as_list).unwrap();
        let words: Vec<&str> = words.iter().filter_map(Value::as_text).collect();
        repo.sh(&words.join(" "));
        repo.rapid(&["next"]).ok().says("git rapid task start T001");
    }
}

/// A run with its work done, at the point where a person is asked.
fn worked(world: &std::sync::Arc<World>) -> Repo {
    let repo = project(world, "work");
    Loop::start(&repo, "Say more").work();
    repo
}

#[test]
fn code_that_changed_since_its_check_is_one_reason_and_not_one_for_each_record() {
    let world = World::new();
    let repo = worked(&world);
    repo.write("greeting.sh", "echo hello\necho other\n");
    let next = repo.rapid(&["next"]).ok().says("The code changed since it was checked").says("git rapid check --gate");
    assert!(!next.stdout.contains("does not count"), "{next}");
    repo.rapid(&["check", "--gate", "gate.tests", "--task", "T001"]).ok();
    let open = repo.rapid(&["finish"]).ends(1).names("RAPID1225").says("gate.final-verification");
    assert!(!open.stdout.contains("run.lifecycle") && !open.stderr.contains("run.lifecycle"), "{open}");
}

#[test]
fn a_run_that_changed_no_file_is_told_to_do_the_work() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    repo.rapid(&["task", "start", "T001"]).ok();
    repo.rapid(&["task", "done", "T001"]).ok();
    let next = repo.rapid(&["next"]).ok().says("the run changed no file").says("git rapid abort");
    assert!(!next.stdout.contains("evidence add"), "{next}");
}

#[test]
fn a_baseline_that_shows_nothing_says_why_and_how_to_get_out() {
    let world = World::new();
    let repo = project(&world, "work");
    for (script, why) in [
        ("echo x >>side.txt\necho 1..1\necho ok 1\n", "the code changed while it ran"),
        ("echo 1..0\n", "no test was executed"),
        ("exec no-such-program-at-all\n", "is red"),
    ] {
        repo.write("test.sh", script);
        repo.commit("other tests");
        repo.rapid(&["start", "feature", "--title", why, "--task", "t"]).ok();
        repo.rapid(&["next"]).ok().says(why).says("git rapid abort, set test_command");
        repo.rapid(&["abort"]).ok();
    }
}

#[test]
fn what_no_verdict_speaks_of_is_named_with_its_reason_before_it_is_committed() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Say more");
    std::fs::write(repo.path().join("big.bin"), vec![0; 11 << 20]).unwrap();
    repo.write("id_rsa", "none\n");
    run.work();
    const BIG: &str = "big.bin: larger than snapshot.max_file_size";
    repo.rapid(&["check"]).ok().says(BIG).says("id_rsa: looks secret");
    run.try_approve(&format!("approve {GATE}")).ok().says(BIG);
    run.finish().says(BIG).says("git add");
    // And to whoever looks at the commit elsewhere: the tests may have read them.
    repo.git(&["commit", "--quiet", "--all", "--message", "work"]);
    let said = repo.rapid(&["verify", "--commit", "HEAD", "--json"]).ok().says("tree_notes");
    said.says("big.bin").says("id_rsa").json();
    repo.rapid(&["verify", "--commit", "HEAD"])
        .ok()
        .says("left out of the tree, too large or named like a secret: big.bin, id_rsa");
}

#[test]
fn a_template_that_is_handed_in_as_it_stands_opens_no_run() {
    let world = World::new();
    let repo = project(&world, "work");
    let next = repo.rapid(&["next", "--json"]).ok().json();
    let template = next.get("action").and_then(|action| action.get("spec_template")).unwrap();
    repo.write("spec.json", &template.pretty());
    let start = |text: Option<&str>| {
        if let Some(text) = text {
            repo.write("spec.json", text);
        }
        repo.rapid(&["start", "feature", "--spec-file", "spec.json"])
    };
    start(None).ends(2).names("RAPID1303").says("title, business_objective");
    start(Some("{\"title\": \"More\", \"scope\": [\"What belongs to it\"], \"implementation_tasks\": [\"Do\"]}"))
        .ends(2)
        .says("own words in scope");
    start(Some("{\"title\": \"More\", \"implementation_tasks\": [\"Do\"], \"data_impact\": \"none\"}")).ok();
}

#[test]
fn a_person_who_mistyped_is_told_to_type_it_again_and_who_approved_is_told_so() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Say more");
    let early = run.try_approve("").says("RAPID1014");
    assert_eq!(early.stdout.matches("hint: ").count(), 1, "{early}");
    run.work();
    let slip = run.try_approve("aprove it").says("RAPID1310").says("type the sentence as it is shown");
    assert!(!slip.stdout.contains("ask a person"), "{slip}");
    run.approve();
    run.try_approve(&format!("approve {GATE}")).says("approved exactly this already (E00");
}

/// What `next` says to do: the kind, the command where there is one, and the words.
fn advised(repo: &Repo) -> (String, Option<Vec<String>>, String) {
    let next = repo.rapid(&["next", "--json"]).ok().json();
    let action = next.get("action").unwrap();
    let text = |key: &str| action.get(key).and_then(Value::as_text).unwrap_or_default().to_owned();
    let command = action.get("command").and_then(Value::as_list);
    let words = command.map(|words| words.iter().filter_map(Value::as_text).map(str::to_owned).collect());
    (text("kind"), words, text("instructions"))
}

#[test]
fn a_bugfix_is_not_done_before_its_failure_was_shown_and_no_command_is_given_that_cannot_succeed() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", "test \"$(sh greeting.sh | head -n 1)\" = \"$(cat expected)\"\n");
    repo.write("expected", "hello\n");
    repo.commit("what is expected stands beside the tests");
    let run = Loop::start_as(&repo, "bugfix", "Greet louder");
    repo.rapid(&["task", "start", "T001"]).ok();
    // A test and its repair at once: nobody has seen it red.
    repo.write("expected", "HELLO\n");
    repo.write("greeting.sh", "echo HELLO\n");
    for more in [&[][..], &["--no-check"]] {
        let refused = repo.rapid(&[&["task", "done", "T001"], more].concat()).ends(1).names("RAPID1010");
        refused.says("never shown").says("--expect fail --task T001 -- sh test.sh").says("git stash push");
    }
    let (kind, command, _) = advised(&repo);
    assert_eq!((kind.as_str(), command.is_some()), ("implement_task", true), "it may not be in yet");
    repo.rapid(&["check", "--expect", "fail", "--task", "T001"]).ends(1);
    let (kind, command, words) = advised(&repo);
    assert_eq!((kind.as_str(), command), ("implement_task", None), "{words}");
    assert!(words.contains("git stash push -- <the repaired files>") && words.contains("git stash pop"), "{words}");
    repo.git(&["stash", "push", "--quiet", "--", "greeting.sh"]);
    repo.rapid(&["check", "--expect", "fail", "--task", "T001", "--", "sh", "test.sh"]).ok();
    repo.git(&["stash", "pop", "--quiet"]);
    repo.rapid(&["task", "done", "T001"]).ok();
    run.approve().finish();
}

#[test]
fn what_the_tests_wrote_before_the_work_is_named_with_the_command_that_keeps_it() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.write("test.sh", "test -e the.lock || echo 1 > the.lock\ntest \"$(sh greeting.sh)\" = hello\n");
    repo.commit("a lock file is made");
    repo.rapid(&["start", "feature", "--title", "T", "--task", "Do"]).ok().says("the.lock");
    let next = repo.rapid(&["next"]).ok().says("It wrote the.lock").says("run:   git add -- the.lock");
    repo.sh("git add -- the.lock && git commit --quiet -m 'Add the.lock' -- the.lock");
    assert!(next.stdout.contains("then:  git commit -m 'Add the.lock' -- the.lock"), "{next}");
    let (kind, command, words) = advised(&repo);
    assert_eq!(kind, "run_baseline");
    assert!(!words.contains("It wrote"), "{words}");
    repo.sh(&command.unwrap().join(" "));
    assert_eq!(advised(&repo).0, "implement_task");
}

#[test]
fn a_bare_repository_says_that_it_is_bare_and_what_works_there() {
    let world = World::new();
    let bare = world.remote("bare.git");
    let (kind, command, words) = advised(&bare);
    assert_eq!((kind.as_str(), command), ("blocked", None));
    assert!(words.contains("bare") && words.contains("git worktree add"), "{words}");
    let said = bare.rapid(&["status"]).ok().says("bare");
    assert!(!said.stdout.contains("git rapid start"), "{said}");
}

#[test]
fn a_commit_is_proposed_with_its_message_whatever_the_title_is() {
    if nobody_here() {
        return;
    }
    let world = World::new();
    let repo = project(&world, "work");
    let run = Loop::start(&repo, "Don't greet \"$USER\"");
    run.work().approve();
    let said = run.finish();
    let line =
        said.stdout.lines().find_map(|line| line.trim().strip_prefix("run:   ").or(line.trim().strip_prefix("run: ")));
    repo.sh(line.unwrap_or_else(|| panic!("{said}")));
    assert_eq!(repo.git(&["log", "-1", "--format=%s"]), "Don't greet \"$USER\"");
}
