//! The worktrees of runs: listed with what is in them, taken over from a start that died, removed only when nothing is lost.

use crate::harness::{Output, Repo, World, project};
use git_rapid::domain::json::Value;

const START: &[&str] = &["start", "feature", "--title", "T", "--task", "Do", "--worktree", "--json"];

fn only(repo: &Repo) -> Value {
    let all = repo.rapid(&["status", "--all", "--json"]).ok().json();
    let [one] = all.get("worktrees").and_then(Value::as_list).unwrap() else { panic!("{all:?}") };
    one.clone()
}

fn word(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned()
}

#[test]
fn each_is_listed_with_its_size_its_age_and_how_it_stands() {
    let repo = project(&World::new(), "work");
    repo.rapid(START).ok();
    let path = repo.world().path("work.rapid/t-r1-run-001");
    let one = only(&repo);
    assert_eq!((word(&one, "run_id"), word(&one, "path")), ("t-r1-run-001".into(), path.display().to_string()));
    assert_eq!((word(&one, "status"), one.get("changed")), ("active".into(), Some(&Value::Bool(false))));
    assert!(
        one.get("bytes").and_then(Value::as_int).unwrap() > 50 && one.get("age_seconds").unwrap().as_int().is_some()
    );
    assert_eq!(one.get("advice"), Some(&Value::Null));
    std::fs::write(path.join("new"), vec![b'x'; 5000]).unwrap();
    repo.rapid(&["status", "--all"]).ok().says("worktrees of runs").says("active  6 kB").says("has changes");
    // What was written there is not thrown away, and not proposed to be.
    repo.rapid(&["abort", "--reason", "enough"]).ok().says("was kept");
    let one = only(&repo);
    assert_eq!((word(&one, "status"), one.get("advice")), ("cancelled".into(), Some(&Value::Null)));
    std::fs::remove_file(path.join("new")).unwrap();
    let command = word(&only(&repo), "advice");
    assert_eq!(command, format!("git worktree remove {}", path.display()));
    repo.sh(&command).ok();
    assert!(!repo.rapid(&["status", "--all"]).ok().stdout.contains("worktrees of runs"));
}

#[test]
fn what_git_ignores_is_not_taken_away_with_a_worktree() {
    let repo = project(&World::new(), "work");
    repo.write(".gitignore", ".env\nbuild/\n");
    repo.commit("ignore");
    repo.rapid(START).ok();
    let path = repo.world().path("work.rapid/t-r1-run-001");
    std::fs::write(path.join(".env"), "KEY=only here\n").unwrap();
    std::fs::create_dir(path.join("build")).unwrap();
    std::fs::write(path.join("build/out"), "x").unwrap();
    repo.rapid(&["abort"]).ok().says("was kept").says("which would be lost: .env, build/").says("git worktree remove");
    assert_eq!(std::fs::read_to_string(path.join(".env")).unwrap(), "KEY=only here\n");
    repo.rapid(&["start", "feature", "--title", "U", "--task", "Do", "--worktree"]).ok();
    repo.rapid(&["abort", "--run", "u-r1-run-001"]).ok().says("held nothing more and was removed; its branch stays");
    assert!(!repo.world().path("work.rapid/u-r1-run-001").exists());
}

#[test]
fn one_whose_directory_is_gone_comes_back_and_goes_on_by_what_is_printed() {
    let repo = project(&World::new(), "work");
    repo.rapid(START).ok();
    let path = repo.world().path("work.rapid/t-r1-run-001");
    let own = Repo::at(repo.world(), path.clone());
    let first = own.rapid(&["next", "--json"]).ok().json();
    std::fs::remove_dir_all(&path).unwrap();
    let said = repo.rapid(&["status", "--all"]).ok().says("goes on once it is back: git worktree add");
    assert!(!said.stdout.contains("no longer needed"), "{said}");
    let lost = repo.rapid(&["next", "--json"]).ok().json();
    let command = lost.get("action").and_then(|action| action.get("command")).and_then(Value::as_list).unwrap();
    let command: Vec<&str> = command.iter().filter_map(Value::as_text).collect();
    assert_eq!(word(&only(&repo), "advice"), command.join(" "));
    repo.git(&command[1..]);
    assert_eq!(own.rapid(&["next", "--json"]).ok().json(), first, "its own worktree knows its run again");
    own.rapid(&["task", "start", "T001"]).ok();
    own.rapid(&["status"]).ok().says("run t-r1-run-001 is active");
    own.rapid(&["start", "feature", "--title", "V", "--task", "Do"]).ends(1).names("RAPID1301");
    // Given up, nothing of it is said to have been removed that was gone.
    std::fs::remove_dir_all(&path).unwrap();
    let gone = repo.rapid(&["abort"]).ok().says("was gone already");
    assert!(!gone.stdout.contains("held nothing more"), "{gone}");
}

#[test]
fn one_whose_directory_is_gone_is_listed_and_can_be_forgotten() {
    let repo = project(&World::new(), "work");
    repo.rapid(START).ok();
    let path = repo.world().path("work.rapid/t-r1-run-001");
    std::fs::write(path.join("new"), "x").unwrap();
    repo.rapid(&["abort"]).ok().says("was kept");
    std::fs::remove_dir_all(path).unwrap();
    repo.rapid(&["status", "--all"]).ok().says("its directory is gone");
    repo.sh(&word(&only(&repo), "advice")).ok();
    assert_eq!(repo.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
}

/// A start that is killed when its worktree is there and its run is not recorded.
fn died() -> Repo {
    let repo = project(&World::new(), "work");
    let died = Output::of(repo.tool().args(START).env("RAPID_FAULT_POINT", "locked"));
    assert_eq!(died.code, 128 + 9, "{died}");
    repo
}

#[test]
fn one_left_behind_by_a_start_that_died_is_taken_over() {
    let repo = died();
    repo.rapid(&["status", "--all"]).ok().says("left behind by a start that died").says("takes it over");
    let index = std::fs::read(repo.path().join(".git/index")).unwrap();
    let started = repo.rapid(START).ok().json();
    assert_eq!(word(&started, "run_id"), "t-r1-run-001");
    assert_eq!(word(&only(&repo), "status"), "active");
    assert_eq!(std::fs::read(repo.path().join(".git/index")).unwrap(), index);
    repo.verify(&[]).ok();
}

#[test]
fn but_not_where_somebody_may_have_worked() {
    let repo = died();
    let path = repo.world().path("work.rapid/t-r1-run-001");
    std::fs::write(path.join("mine"), "mine\n").unwrap();
    repo.rapid(START).ends(1).names("RAPID1309").says("it has changes");
    assert!(path.join("mine").exists());
    std::fs::remove_file(path.join("mine")).unwrap();
    repo.write("more", "more\n");
    repo.commit("the branch moves on");
    repo.rapid(START).ends(1).names("RAPID1309").says("it stands at another commit").says("--run-id");
    std::fs::remove_dir_all(&path).unwrap();
    repo.rapid(START).ends(1).names("RAPID1309").says("its directory is gone");
    repo.git(&["worktree", "remove", &path.display().to_string()]);
    repo.rapid(START).ends(1).names("RAPID1309").says("git branch -d rapid/t-r1-run-001");
    repo.git(&["branch", "-d", "rapid/t-r1-run-001"]);
    repo.rapid(START).ok();
}

#[test]
fn a_run_whose_session_was_lost_gives_its_worktree_back() {
    let repo = project(&World::new(), "work");
    repo.rapid(START).ok();
    for session in crate::harness::everything_below(repo.path()).keys().filter(|path| path.ends_with("session.json")) {
        std::fs::remove_file(repo.path().join(session)).unwrap();
    }
    repo.rapid(&["next"]).ends(0).says("start");
    repo.rapid(&["abort", "--run", "t-r1-run-001", "--reason", "lost"]).ok();
    assert!(!repo.world().path("work.rapid/t-r1-run-001").exists());
    assert_eq!(repo.git(&["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
}
