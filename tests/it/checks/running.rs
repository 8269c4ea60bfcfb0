//! How a command is run: what a person sees meanwhile, how it ends, and how much memory its output costs.

use crate::harness::{Loop, Output, Repo, World, answer_after, peak_memory, project, step_aside};
use git_rapid::domain::json::Value;

fn with_run() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo
}

/// The names of the records of checks.
fn evidence(repo: &Repo) -> usize {
    repo.records().iter().filter(|path| path.contains("/evidence/") && path.ends_with(".json")).count()
}

#[test]
fn on_a_terminal_a_line_says_for_how_long_it_runs_and_goes_away() {
    let repo = with_run();
    let gate = repo.world().path("gate");
    repo.world().command("mkfifo", repo.path()).arg(&gate).status().unwrap();
    let script = format!("printf 'half\\033[2J\\nbegun\\n'; read line < '{}'; echo end", gate.display());
    let mut command = repo.world().command("git", repo.path());
    command.args(["rapid", "check", "--", "sh", "-c", &script]);
    // The command waits until the line was seen.
    let seen = answer_after(command, "running for ", "", || std::fs::write(&gate, "go\n").unwrap());
    let shown = &seen.stdout;
    let (before, after) = shown.split_once("running for ").unwrap();
    assert!(before.contains("half\\u{1b}[2J\nbegun\n"), "output comes at once, and is not obeyed: {shown:?}");
    let (_, rest) = after.split_once("\u{1b}[2K").expect("the line is taken away");
    assert!(rest.contains("end\n") && !rest.ends_with("\u{1b}[2K"), "{shown:?}");
    assert!(rest.contains("E003"), "and the answer stands below: {shown:?}");
}

#[test]
fn its_own_status_is_ours_once_that_is_recorded() {
    let repo = with_run();
    for (script, code) in [("exit 7", 7), ("kill -TERM $$", 143), ("exec sleep 600", 124)] {
        let before = evidence(&repo);
        repo.git_rapid(&["check", "--timeout", "1s", "--", "sh", "-c", script]).ends(code);
        assert_eq!(evidence(&repo), before + 1, "{script}");
    }
    let before = evidence(&repo);
    repo.git_rapid(&["check", "--", "no-such-program"]).ends(125).names("RAPID1307");
    assert_eq!(evidence(&repo), before, "what never ran is no evidence");
}

#[test]
fn a_program_that_asks_gets_no_answer_and_sees_no_terminal() {
    let repo = with_run();
    let script = "read answer || echo nobody; test -t 0 || test -t 1 || test -t 2 || echo no terminal";
    repo.git_rapid(&["check", "--", "sh", "-c", script]).ok().says("nobody\nno terminal");
}

#[test]
fn what_is_left_in_the_background_neither_holds_us_nor_passes() {
    let repo = with_run();
    let script = "(sleep 5; echo 9 passed, 0 failed) & echo 3 passed, 0 failed";
    let seen = repo.git_rapid(&["check", "--json", "--", "sh", "-c", script]).ok().json();
    assert_eq!(seen.get("outcome").and_then(Value::as_text), Some("unverified"), "{seen:?}");
    assert_eq!(seen.get("counted"), Some(&Value::Bool(false)));
}

#[test]
fn memory_does_not_grow_with_the_output() {
    let repo = with_run();
    let print = |lines: u32| {
        let script = format!("BEGIN {{ for (i = 0; i < {lines}; i++) print \"a line of output that says little\" }}");
        let mut command = repo.tool();
        command.args(["check", "--", "awk", &script]);
        peak_memory(&mut command)
    };
    let Some((some, enough)) = print(600_000) else {
        return step_aside("this system does not tell the memory of a process");
    };
    let (more, peak) = print(1_500_000).unwrap();
    assert!(some.stdout.len() > 17 << 20 && more.stdout.len() > 45 << 20, "all of it is shown");
    assert!(peak < enough + (8 << 10), "{peak} KiB for a great deal, {enough} KiB for enough");
    let log = repo.git_rapid(&["evidence", "log", "E004", "--run", &crate::harness::run_of("Add a greeting", 1)]).ok();
    assert!(log.stdout.len() < 512 << 10 && log.stdout.contains("bytes left out"));
}

/// One endless line, and bytes that are no text: 1 GiB of each with RAPID_SLOW_TESTS, 40 MiB without.
#[test]
fn a_flood_is_recorded_in_bounded_memory() {
    let repo = with_run();
    let whole = std::env::var_os("RAPID_SLOW_TESTS").is_some();
    let size: u64 = if whole { 1 << 30 } else { 40 << 20 };
    for (nth, flood) in
        ["tr '\\000' x < /dev/zero", "tr '\\000-\\377' '\\200-\\377\\000-\\177' < /dev/zero", "yes"].iter().enumerate()
    {
        let script = format!("{flood} 2>/dev/null | head -c {size}");
        let mut command = repo.world().command("sh", repo.path());
        command.args(["-c", "exec git-rapid check --json -- sh -c \"$1\" 2>/dev/null", "sh", &script]);
        let Some((checked, peak)) = peak_memory(&mut command) else {
            return step_aside("this system does not tell the memory of a process");
        };
        let document = checked.ok().json();
        let log = document.get("log").unwrap();
        assert_eq!(log.get("truncated"), Some(&Value::Bool(true)));
        assert_eq!(document.get("counted"), Some(&Value::Bool(false)));
        // A debug build; an optimised one takes less.
        assert!(peak < 128 << 10, "{peak} KiB for {flood}");
        let id = document.get("evidence_id").and_then(Value::as_text).unwrap();
        let kept = repo.git_rapid(&["evidence", "log", id]).ok().stdout;
        assert!(kept.len() < 1 << 20 && kept.contains("bytes left out"), "{nth}");
        assert!(repo.git_rapid(&["evidence", "show", id]).ok().stdout.contains(&size.to_string()) || nth == 1);
    }
}

#[test]
fn what_is_too_long_to_be_read_passes_by_a_report_only() {
    let repo = with_run();
    repo.write(".gitignore", "/out.xml\n");
    let report = r#"<testsuite name="s" tests="1"><testcase name="a"/></testsuite>"#;
    let script = format!(
        "awk 'BEGIN {{ for (i = 0; i < 600000; i++) print \"a line of output that says little\" }}'; \
                          echo 3 passed, 0 failed; echo '{report}' > out.xml"
    );
    let outcome = |arguments: &[&str]| {
        let arguments = [&["check", "--json"], arguments, &["--", "sh", "-c", &script]].concat();
        let seen = repo.git_rapid(&arguments).ok().json();
        seen.get("outcome").and_then(Value::as_text).map(str::to_owned)
    };
    assert_eq!(outcome(&[]).as_deref(), Some("unverified"));
    assert_eq!(outcome(&["--junit", "out.xml"]).as_deref(), Some("pass"));
}

#[test]
fn a_check_that_is_interrupted_ends_what_it_started_and_records_nothing() {
    let repo = with_run();
    let before = evidence(&repo);
    // The command tells its own number, then interrupts its check as Ctrl-C would.
    let pid = repo.world().path("pid");
    let script = format!("echo $$ > '{}'; kill -INT $PPID; exec sleep 600", pid.display());
    repo.git_rapid(&["check", "--", "sh", "-c", &script]).ends(125).names("RAPID004");
    assert_eq!(evidence(&repo), before);
    let pid = std::fs::read_to_string(pid).unwrap();
    let alive = Output::of(repo.world().command("kill", repo.path()).args(["-0", pid.trim()]));
    assert_ne!(alive.code, 0, "nothing of it runs any more");
    repo.git_rapid(&["check"]).ok();
}
