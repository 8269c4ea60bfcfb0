//! Backlogs in five shapes: `story validate` and a whole dry run, beside `regista` where it is (`$REGISTA`, or on PATH):
//! `cargo bench -- --stories`. Processor time and memory of whole processes, the least of three runs; no bound is asserted.

use super::scale::once;
use super::shapes::{SHAPES, blockers};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The largest dry run of the other tool: with 10,000 stories it takes hours. `--large` asks it for as many in every shape.
const ITS_MOST: u32 = 1000;

/// Prints a table: a command, a shape, a size, what both took.
pub fn print() {
    let other = std::env::var("REGISTA").unwrap_or_else(|_| "regista".to_owned());
    let other =
        Command::new(&other).arg("--version").output().is_ok_and(|output| output.status.success()).then_some(other);
    println!(
        "\n### Backlogs\n\nProcessor seconds and MiB at most, the least of three; the other tool is not measured where it is not here.\n"
    );
    println!("| what | shape | stories | s | MiB | the other's s | MiB | theirs / ours |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    let large = std::env::args().any(|word| word == "--large");
    for shape in SHAPES {
        for size in [100, 1000, 10_000] {
            let place = tempfile::tempdir().expect("a directory");
            fill(place.path(), shape, size);
            let ours = |arguments: &[&str]| command(env!("CARGO_BIN_EXE_git-rapid"), place.path(), arguments);
            let theirs = |arguments: &[&str]| other.as_ref().map(|other| command(other, place.path(), arguments));
            row("validate", shape, size, &ours(&["story", "validate"]), theirs(&["validate", "."]).as_ref());
            let theirs = theirs(&["run", ".", "--dry-run", "--quiet"])
                .filter(|_| size < ITS_MOST || size == ITS_MOST && (large || shape == SHAPES[0]));
            row("dry run", shape, size, &ours(&["story", "run", "--dry-run", "--quiet"]), theirs.as_ref());
        }
    }
}

fn row(what: &str, shape: &str, size: u32, ours: &Command, theirs: Option<&Command>) {
    let least = |command: &Command, rounds: usize| {
        let all = (0..rounds).map(|_| once(command)).map(|[user, system, peak, _]| (user + system, peak / 1024.0));
        all.min_by(|one, other| one.0.total_cmp(&other.0)).expect("a round")
    };
    let (seconds, peak) = least(ours, 3);
    let slow = what == "dry run" && size >= ITS_MOST;
    let beside = theirs.map(|theirs| least(theirs, if slow { 1 } else { 3 }));
    let beside = beside
        .map_or_else(|| " | | ".to_owned(), |(s, mib)| format!("{s:.3} | {mib:.1} | {:.1}", s / seconds.max(0.005)));
    println!("| {what} | {shape} | {size} | {seconds:.3} | {peak:.1} | {beside} |");
}

fn command(program: &str, place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place).args(arguments).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", place);
    command
}

/// A project that both tools read.
fn fill(place: &Path, shape: &str, stories: u32) {
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write(".regista/config.toml", "[agents]\nprovider = \"pi\"\n[git]\nenabled = false\n");
    for role in ["product-owner", "qa-engineer", "developer", "reviewer"] {
        write(&format!(".pi/skills/{role}/SKILL.md"), "---\nname: x\ndescription: x\n---\n");
    }
    let mut dice = 7;
    for number in 1..=stories {
        let id = |number: u32| format!("STORY-{number:05}");
        let names: Vec<String> = blockers(shape, number, stories, &mut dice).into_iter().map(id).collect();
        let status = if names.is_empty() { "Draft" } else { "Blocked" };
        let mut text = format!(
            "# {}: Title\n\n## Status\n**{status}**\n\n## Epic\nEPIC-001\n\n## Descripción\nPara quién. áéíóú\n\n## Criterios de aceptación\n- [ ] CA1\n- [ ] CA2\n\n",
            id(number)
        );
        if !names.is_empty() {
            write!(text, "## Dependencias\n- Bloqueado por: {}\n\n", names.join(", ")).expect("text");
        }
        text.push_str(
            "## Activity Log\n- 2026-05-01 | PO | Creada\n- 2026-05-02 | PO | nota 1\n- 2026-05-02 | PO | nota 2\n",
        );
        write(&format!(".regista/stories/{}.md", id(number)), &text);
    }
}
