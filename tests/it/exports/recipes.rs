//! The jobs of docs/ci.md: every shell line in them is run, in a clone, in the order in which it stands there.

use crate::harness::{Output, World, finished};

const PAGE: &str = include_str!("../../../docs/ci.md");

/// The shell lines of the YAML blocks below a heading: what stands behind `run:`, below `run: |`, or below `script:`.
fn lines(heading: &str) -> Vec<String> {
    let (_, below) = PAGE.split_once(&format!("\n## {heading}\n")).expect("the heading is there");
    let below = below.split("\n## ").next().unwrap_or_default();
    let blocks = below.split("```yaml\n").skip(1).filter_map(|block| block.split("\n```").next());
    let mut out = Vec::new();
    let mut inside: Option<usize> = None;
    for line in blocks.flat_map(str::lines) {
        let depth = line.len() - line.trim_start().len();
        let text = line.trim_start();
        if inside.is_some_and(|above| depth <= above) {
            inside = None;
        }
        let text = text.strip_prefix("- ").unwrap_or(text);
        match text.strip_prefix("run:").map(str::trim) {
            Some("|") => inside = Some(depth),
            Some(command) => out.push(command.to_owned()),
            None if matches!(text, "script:" | "after_script:") => inside = Some(depth),
            None if inside.is_some() && !text.starts_with('#') => out.push(text.to_owned()),
            None => {}
        }
    }
    out
}

fn every_line_of(heading: &str, setting: &[(&str, &str)]) {
    let Some(author) = finished() else { return };
    let world = World::new();
    let server = world.remote("server");
    author.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
    author.git(&["push", "--quiet", "origin", "HEAD"]);
    author.git_rapid(&["push"]).ok();
    let job = world.clone_of(&server, "job");
    let lines = lines(heading);
    assert!(lines.iter().filter(|line| line.contains("git rapid")).count() >= 3, "{lines:?}");
    for line in lines {
        let line = line.split("  #").next().unwrap_or_default().trim();
        if line.starts_with("cargo install") {
            continue;
        }
        let mut command = world.command("sh", job.path());
        let _ = Output::of(command.envs(setting.iter().copied()).args(["-e", "-c", line])).ok();
    }
    // What the job leaves for the forge to show.
    for file in ["verify.xml", "report.html"].iter().filter(|file| PAGE.contains(**file) && heading == "GitLab") {
        assert!(job.path().join(file).exists(), "{file}");
    }
}

#[test]
fn the_job_for_github_actions_runs_line_by_line() {
    every_line_of("GitHub Actions", &[("GITHUB_BASE_REF", "main")]);
}

#[test]
fn the_job_for_gitlab_runs_line_by_line() {
    every_line_of("GitLab", &[("CI_DEFAULT_BRANCH", "main")]);
}
