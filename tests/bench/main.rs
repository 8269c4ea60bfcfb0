//! Benchmarks beside their reference in the same run, as ratios: `cargo bench`. Never a test, never a bound on a clock. What is
//! printed is Markdown, as `docs/performance.md` has it; `cargo bench -- --all` prints all of it.
//!
//! `git rapid next` against `git status`, one `evidence add` against git's plumbing, process start against `git version`; all
//! in one repository of 10,000 files with a ledger of 10,000 entries, on a memory file system where there is one. Git's own
//! commands with and without our hooks. Then `git rapid snapshot` against `git status` in 10,000 and 80,000 files (these
//! alone: `cargo bench -- --snapshot`), and `git rapid check` against the command that it runs, which prints 100 MB (alone:
//! `cargo bench -- --check`). Backlogs of up to 10,000 stories beside another tool: `cargo bench -- --stories`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark prints its table and stops at whatever it does not expect"
)]

mod measure;
mod scale;
#[path = "../it/stories/shapes.rs"]
mod shapes;
mod stories;
mod world;

use measure::{Comparison, compare, head};
use world::World;

fn main() {
    if std::env::args().any(|word| word == "--all") {
        println!(
            "Two processors or so, a memory file system; medians of wall time in turns where nothing else is said."
        );
        verbs((10_000, 10_000));
        check(true);
        [10_000, 80_000].into_iter().for_each(snapshots);
        scale::print();
        return stories::print();
    }
    if std::env::args().any(|word| word == "--scale") {
        return scale::print();
    }
    if std::env::args().any(|word| word == "--stories") {
        return stories::print();
    }
    if std::env::args().any(|word| word == "--hooks") {
        head("Hooks, in 10,000 files");
        return hooks(10_000, 101).iter().for_each(|row| println!("{row}"));
    }
    let quick = std::env::args().any(|word| word == "--quick" || word == "--test");
    if std::env::args().any(|word| word == "--check") {
        return check(!quick);
    }
    if !std::env::args().any(|word| word == "--snapshot") {
        verbs(if quick { (200, 50) } else { (10_000, 10_000) });
    }
    check(!quick);
    for files in if quick { [100, 800] } else { [10_000, 80_000] } {
        snapshots(files);
    }
}

/// The tree of the working copy, clean and not.
fn snapshots(files: u32) {
    let world = World::new(files, 0);
    head(&format!("The tree of a working copy of {files} files"));
    let rounds = if files < 1000 { 3 } else { 31 };
    let snapshot = || world.tool(&["snapshot"]);
    let status = || world.git(&["--no-optional-locks", "status"]);
    let row =
        |title: &str| println!("{}", compare(title, "git-rapid snapshot", snapshot, "git status", status, rounds));
    row("snapshot, clean");
    world.change(50);
    row("snapshot, 50 changed, 50 new");
}

/// What `check` adds to a command that prints a great deal, and how much memory it takes. Both print into nowhere.
fn check(whole: bool) {
    let world = World::new(20, 0);
    let lines: u32 = if whole { 1_600_000 } else { 16_000 };
    let script = format!(
        "BEGIN {{ for (i = 0; i < {lines}; i++) {{ for (j = 0; j < 12; j++) s += j; \
         print \"a line of output as a test runner prints them, number \" i }} }}"
    );
    let quiet = |mut command: std::process::Command| {
        command.stdout(std::process::Stdio::null());
        command
    };
    let ours = || quiet(world.tool(&["check", "--", "awk", &script]));
    let bare = || quiet(world.plain("awk", &[&script]));
    head(&format!("A check of a command that prints {} MB", u64::from(lines) * 62 / 1_000_000));
    let rounds = if whole { 5 } else { 3 };
    println!("{}", compare("check over the bare command", "git-rapid check", ours, "the command", bare, rounds));
    println!("\nIts peak memory: {:.1} MiB.", scale::peak(&ours()));
}

/// What is done every day, in one repository.
fn verbs((files, entries): (u32, u32)) {
    let world = World::new(files, entries);
    head(&format!("What is done every day, in {files} files and beside {entries} entries"));
    let rounds = if files < 1000 { 3 } else { 31 };
    let mut table: Vec<Comparison> = Vec::new();
    table.push(compare(
        "process start",
        "git-rapid version",
        || world.tool(&["version"]),
        "git version",
        || world.git(&["version"]),
        rounds,
    ));
    assert!(world.tool(&["harness", "install", "claude"]).status().expect("it starts").success());
    table.push(compare(
        "a guard's decision",
        "git-rapid hook harness",
        || world.guard(),
        "git-rapid version",
        || world.tool(&["version"]),
        rounds,
    ));
    let status = || world.git(&["--no-optional-locks", "status"]);
    table.push(compare("next, clean", "git-rapid next", || world.tool(&["next"]), "git status", status, rounds));
    world.change(50);
    table.push(compare(
        "next, 50 changed, 50 new",
        "git-rapid next",
        || world.tool(&["next"]),
        "git status",
        status,
        rounds,
    ));
    world.restore();
    table.push(compare(
        "append, flushed",
        "git-rapid evidence add",
        || world.append(),
        "hash-object, mktree, commit-tree, update-ref",
        || world.recipe(),
        rounds,
    ));
    let verify = || world.tool(&["verify", "--full"]);
    table.push(compare(
        "verify, whole",
        "git-rapid verify",
        verify,
        "git fsck",
        || world.git(&["fsck", "--no-dangling"]),
        3,
    ));
    drop(world);
    table.extend(hooks(files, if rounds > 3 { 101 } else { 3 }));
    for row in &table {
        println!("{row}");
    }
}

/// What the hooks add to git's own commands when they have nothing to do: the same command with and without them, in turns.
fn hooks(files: u32, rounds: usize) -> Vec<Comparison> {
    let world = World::new(files, 50);
    world.with_hooks();
    let mut rows = Vec::new();
    let push = &["push", "--quiet", "origin", "main"][..];
    for (title, arguments, instead) in [
        ("push, up to date", push, "/dev/null"),
        ("the same, beside 'exit 0'", push, "../empty"),
        ("push, no branch or tag", &["push", "--quiet", "--force", "origin"], "/dev/null"),
        ("commit, no run active", &["commit", "--quiet", "--allow-empty", "--message", "x"], "/dev/null"),
        ("checkout, no run active", &["checkout", "--quiet", "--detach"], "/dev/null"),
    ] {
        let with = || world.git_with_hooks(arguments, None);
        let without = || world.git_with_hooks(arguments, Some(instead));
        rows.push(compare(title, "with hooks", with, "without", without, rounds));
    }
    rows
}
