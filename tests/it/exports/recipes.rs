//! The jobs of docs/ci.md: every shell line in them is run, in a clone, in the order in which it stands there.

use crate::harness::{Output, Repo, World, finished};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

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

/// A forge as it stands when somebody asks for a merge: the work on a branch, merged by the forge, the ledger pushed.
struct Forge {
    world: Arc<World>,
    server: Repo,
}

/// How a job checks out.
#[derive(Clone, Copy)]
struct Checkout {
    /// The ref that the forge names.
    what: &'static str,
    /// Its history: `None` for all of it, and then all branches too.
    depth: Option<&'static str>,
}

/// What the documentation asks for, of the branch that is to be merged.
const WHOLE: Checkout = Checkout { what: "refs/heads/topic", depth: None };

impl Forge {
    fn new() -> Option<Forge> {
        let author = finished()?;
        let world = World::new();
        let server = world.remote("server");
        author.git(&["remote", "add", "origin", server.path().to_str().unwrap()]);
        let merge = author.git(&["commit-tree", "-p", "HEAD~1", "-p", "HEAD", "-m", "merge", "HEAD^{tree}"]);
        let refs = ["HEAD~1:refs/heads/main", "HEAD:refs/heads/topic", &format!("{merge}:refs/pull/1/merge")];
        author.git(&[&["push", "--quiet", "origin"][..], &refs].concat());
        author.git_rapid(&["push"]).ok();
        Some(Forge { world, server })
    }

    /// A clone as a job gets it: no branch, nothing of the ledger.
    fn job(&self, name: &str, checkout: Checkout) -> Repo {
        let job = self.world.repository(name, &[]);
        job.git(&["remote", "add", "origin", &format!("file://{}", self.server.path().display())]);
        let asked = format!("+{}:refs/remotes/asked", checkout.what);
        let depth = checkout.depth.map(|depth| format!("--depth={depth}"));
        let mut fetch = vec!["fetch", "--quiet", "--no-tags", "origin", asked.as_str()];
        match &depth {
            Some(depth) => fetch.insert(1, depth),
            None => fetch.push("+refs/heads/*:refs/remotes/origin/*"),
        }
        job.git(&fetch);
        job.git(&["checkout", "--quiet", "--detach", "refs/remotes/asked"]);
        assert_eq!(job.git(&["for-each-ref", "refs/rapid"]), "");
        job
    }
}

/// Each line in its turn, until one ends with another status than 0, as a runner does it.
fn run_lines(job: &Repo, heading: &str, setting: &[(&str, &str)]) -> Vec<(String, Output)> {
    let mut said = Vec::new();
    for line in lines(heading) {
        let line = line.split("  #").next().unwrap_or_default().trim().to_owned();
        if line.starts_with("cargo install") {
            continue;
        }
        let mut command = job.world().command("sh", job.path());
        let output = Output::of(command.envs(setting.iter().copied()).args(["-e", "-c", &line]));
        let is_over = output.code != 0;
        said.push((line, output));
        if is_over {
            break;
        }
    }
    said
}

const GITHUB: (&str, &[(&str, &str)]) = ("GitHub Actions", &[("GITHUB_BASE_REF", "main")]);
const GITLAB: (&str, &[(&str, &str)]) = ("GitLab", &[("CI_DEFAULT_BRANCH", "main")]);

fn every_line_of((heading, setting): (&str, &[(&str, &str)]), checkout: Checkout) {
    let Some(forge) = Forge::new() else { return };
    let job = forge.job("job", checkout);
    let lines = lines(heading);
    assert!(lines.iter().filter(|line| line.contains("git rapid")).count() >= 3, "{lines:?}");
    for (line, said) in run_lines(&job, heading, setting) {
        assert_eq!(said.code, 0, "{line}: {said}");
    }
    // What the job leaves for the forge to show.
    for file in ["verify.xml", "report.html"].iter().filter(|file| PAGE.contains(**file) && heading == "GitLab") {
        assert!(job.path().join(file).exists(), "{file}");
    }
}

#[test]
fn the_job_for_github_actions_runs_line_by_line() {
    every_line_of(GITHUB, WHOLE);
}

#[test]
fn the_job_for_gitlab_runs_line_by_line() {
    every_line_of(GITLAB, WHOLE);
}

/// What `actions/checkout` takes when nobody names a commit: the merge that the forge made.
#[test]
fn the_forges_own_merge_is_covered_too() {
    every_line_of(GITHUB, Checkout { what: "refs/pull/1/merge", ..WHOLE });
}

#[test]
fn a_shallow_checkout_proves_the_ledger_and_needs_the_branch_to_be_fetched() {
    let Some(forge) = Forge::new() else { return };
    for what in ["refs/heads/topic", "refs/pull/1/merge"] {
        let job = forge.job(&what.replace('/', "-"), Checkout { what, depth: Some("1") });
        // GitLab's lines fetch the branch. The job as it stands for GitHub does not: nobody can say, and it is no accusation.
        let said = run_lines(&job, GITHUB.0, GITHUB.1);
        let (line, last) = said.last().unwrap();
        assert!(line.contains("--format github") && last.code == 2, "{line}: {last}");
        assert!(last.stdout.contains("::warning title=RAPID1506::") && !last.stdout.contains("::error"), "{last}");
        for (line, said) in run_lines(&job, GITLAB.0, GITLAB.1) {
            assert_eq!(said.code, 0, "{line}: {said}");
        }
        assert_eq!(job.git(&["rev-parse", "--is-shallow-repository"]), "true");
    }
}

#[test]
fn what_no_run_covers_stops_the_job_and_is_annotated() {
    let Some(forge) = Forge::new() else { return };
    let author = forge.world.clone_of(&forge.server, "author");
    author.git(&["checkout", "--quiet", "topic"]);
    author.write("greeting.sh", "echo goodbye\n");
    author.commit("more than was agreed on");
    author.git(&["push", "--quiet", "origin", "topic"]);
    let said = run_lines(&forge.job("github", WHOLE), GITHUB.0, GITHUB.1);
    let (line, last) = said.last().unwrap();
    assert!(line.contains("--format github") && last.code == 1, "{line}: {last}");
    assert!(last.stdout.contains("\n::error title=RAPID1530::"), "{last}");
    assert!(last.stdout.contains("\n::warning file=greeting.sh,title=RAPID1530::"), "{last}");
    assert_eq!(last.stderr, "", "the runner reads both streams");
    let job = forge.job("gitlab", WHOLE);
    let said = run_lines(&job, GITLAB.0, GITLAB.1);
    assert_eq!(said.last().unwrap().1.code, 1);
    let report = std::fs::read_to_string(job.path().join("verify.xml")).unwrap();
    assert!(report.contains("failures=\"1\"") && report.contains("RAPID1530"), "{report}");
    assert!(job.path().join("report.html").exists(), "for whoever asks why");
}

/// A token that may read only: everything holds but the last line, which says whose refusal it is.
#[test]
fn a_token_that_may_only_read_verifies_and_is_refused_at_the_push() {
    let Some(forge) = Forge::new() else { return };
    let hook = forge.server.path().join("hooks/pre-receive");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::write(&hook, "#!/bin/sh\necho 'this token may read' >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let job = forge.job("job", WHOLE);
    let mut said = run_lines(&job, GITHUB.0, GITHUB.1);
    let (line, last) = said.pop().unwrap();
    assert!(line == "git rapid push" && last.code == 1, "{line}: {last}");
    last.names("RAPID1533").says("this token may read");
    assert!(said.iter().all(|(_, said)| said.code == 0));
    // Without it the job is green.
    job.git_rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("re-run by another party");
}

/// A remote to which nobody pushed a ledger: no job is green by that.
#[test]
fn where_there_is_no_ledger_the_job_says_that_nobody_can_say() {
    let Some(forge) = Forge::new() else { return };
    for name in ["refs/rapid/ledger", "refs/rapid/attachments"] {
        let _ = forge.server.try_git(&["update-ref", "-d", name]);
    }
    let said = run_lines(&forge.job("job", WHOLE), GITHUB.0, GITHUB.1);
    let (line, last) = said.last().unwrap();
    assert!(last.code != 0 && line.starts_with("git rapid"), "{line}: {last}");
    let asked =
        forge.job("asked", WHOLE).git_rapid(&["verify", "--commit", "HEAD", "--require-pass", "--format", "github"]);
    asked.ends(2).says("::warning title=RAPID1510::");
}
