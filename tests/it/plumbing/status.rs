//! The one screen: what is open elsewhere in the clone and waits for somebody; a watch that outlives what happens below it and fits
//! into its terminal.

use crate::harness::{GATE, Loop, Repo, World, answer_all, project};
use git_rapid::domain::json::Value;

#[test]
fn what_is_open_elsewhere_and_waits_for_a_person_is_shown() {
    let world = World::new();
    let repo = project(&world, "work");
    repo.git(&["worktree", "add", "-q", "../beside", "-b", "beside"]);
    let beside = Repo::at(&world, world.path("beside"));
    Loop::start(&beside, "Beside").work();
    let plain = repo.rapid(&["status"]).ok().says("no run is active here").says("also open: run beside-r1-run-001 in ");
    let command = plain.stdout.lines().find_map(|line| line.trim().strip_prefix("run:  ")).unwrap().to_owned();
    assert!(command.ends_with(&format!("/beside && git rapid approve {GATE}")), "{plain}");
    // It can be typed as it stands; only a person may go on with it.
    let typed = crate::harness::Output::of(world.command("sh", repo.path()).args(["-c", &command]));
    typed.ends(1).names("RAPID1310");
    repo.write(
        "plan.json",
        r#"{"schema_version":1,"objective":"Go","work_packages":[{"id":"WP-001","title":"T","description":"D","size":"S",
        "risk_class":"low","depends_on":[],"scope":["greeting.sh"],"targets":["greet"],"tests":[["sh","test.sh"]],
        "acceptance":["A"]}],"order":["WP-001"]}"#,
    );
    repo.rapid(&["mission", "plan", "plan.json", "--id", "voyage"]).ok();
    repo.rapid(&["status"]).ok().says("also open: mission voyage is planned");
    let document = repo.rapid(&["status", "--json"]).ok().json();
    let elsewhere = document.get("elsewhere").unwrap();
    let first = |key: &str| elsewhere.get(key).and_then(Value::as_list).unwrap().first().cloned().unwrap();
    assert_eq!(first("missions").get("mission"), Some(&"voyage".into()));
    assert_eq!(first("runs").get("run_id"), Some(&"beside-r1-run-001".into()));
    assert_eq!(first("runs").get("next"), Some(&"await_human_approval".into()));
    assert_eq!(elsewhere.get("stories").and_then(Value::as_list), Some(&[][..]));
    // A run with a worktree of its own is shown once.
    repo.rapid(&["start", "feature", "--title", "Own", "--task", "t", "--worktree"]).ok();
    let own = repo.rapid(&["status"]).ok();
    assert!(!own.stdout.contains("also open: run own"), "{own}");
    // From there the run is not elsewhere, and a worktree that is gone troubles nobody.
    let there = beside.rapid(&["status"]).ok().says("run beside-r1-run-001 is active");
    assert!(!there.stdout.contains("also open: run beside"), "{there}");
    assert_eq!(there.stdout.matches("also open: run own").count(), 1, "{there}");
    std::fs::remove_dir_all(beside.path()).unwrap();
    let gone = repo.rapid(&["status"]).ok();
    assert!(!gone.stdout.contains("also open: run"), "{gone}");
}

#[test]
fn a_watch_goes_on_when_the_repository_gets_another_name_or_cannot_be_read() {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet");
    let mut command = world.command("git-rapid", repo.path());
    command.args(["status", "--watch"]);
    let asked = std::cell::Cell::new(0);
    let end = "Ctrl-C ends it";
    let shown =
        answer_all(command, &[(end, ""), ("error[", ""), ("greet-r1-run-001 is active", ""), (end, "\u{3}")], || {
            let (here, there) = (world.path("work"), world.path("moved"));
            match asked.replace(asked.get() + 1) {
                // It moves, and what tells a repository from a directory is away.
                0 => {
                    std::fs::rename(&here, &there).unwrap();
                    std::fs::rename(there.join(".git"), world.path("away")).unwrap();
                }
                1 => std::fs::rename(world.path("away"), there.join(".git")).unwrap(),
                _ => {}
            }
        });
    assert!(shown.code == 0 || shown.code == 130, "{shown}");
    assert!(shown.stdout.contains("RAPID1500"), "what could not be read was said: {shown}");
    assert_eq!(asked.get(), 4, "it was shown again afterwards: {shown}");
}

#[test]
fn a_watch_fits_into_its_terminal_also_when_that_gets_smaller() {
    let world = World::new();
    let repo = project(&world, "work");
    let _run = Loop::start(&repo, "Greet");
    // Whoever writes into the pipe makes the terminal smaller.
    let script = "mkfifo ../pipe; stty rows 60 cols 100
        { cat ../pipe >../read; stty rows 8 cols 40 </dev/tty; } & exec git-rapid status --watch";
    let mut command = world.command("sh", repo.path());
    command.args(["-c", script]);
    let asked = std::cell::Cell::new(0);
    let end = "Ctrl-C ends it";
    let shown = answer_all(command, &[(end, ""), ("more lines; watching", "\u{3}")], || {
        if asked.replace(asked.get() + 1) == 0 {
            std::fs::write(world.path("pipe"), "now\n").unwrap();
        }
    });
    let screens: Vec<&str> = shown.stdout.split("\u{1b}[H\u{1b}[2J").collect();
    let (first, last) = (screens[1], *screens.last().unwrap());
    assert!(first.contains("ledger ") && !first.contains("more lines"), "all of it fits: {shown}");
    let rows: usize = last.lines().map(|line| line.chars().count().div_ceil(40).max(1)).sum();
    assert!(
        last.starts_with("run greet-r1-run-001 is active") && rows <= 9,
        "the top is kept, in {rows} rows: {shown}"
    );
}
