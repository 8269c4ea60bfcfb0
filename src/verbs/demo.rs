//! The demonstration: the whole loop on a small real project, as the commands a user would type.
//!
//! Only the script: what is written where, what is run, what it must end with. Running it and showing it is the command's
//! (`cli::demo`). There is no simulated person in it: where a person decides, the command is run and the person is asked.

use crate::diagnostics::{Code, Result};
use crate::os::files;
use std::path::{Path, PathBuf};

/// One step.
pub enum Step {
    /// A new part of the story begins.
    Part(&'static str),
    /// Something is explained.
    Say(String),
    /// Somebody writes a file.
    Write {
        /// Who.
        who: &'static str,
        /// Below the demonstration's directory.
        path: &'static str,
        /// Its text.
        text: &'static str,
    },
    /// A command is run in a directory below the demonstration's.
    Run {
        /// Where.
        at: &'static str,
        /// The command.
        command: Vec<&'static str>,
        /// What it must end with.
        ends: Ends,
        /// Whether it is shown with its output, or only done.
        quiet: bool,
    },
    /// The same two ways on: with the person's approval, or without.
    Fork {
        /// When the last command succeeded.
        approved: Vec<Step>,
        /// When it did not.
        refused: Vec<Step>,
    },
}

/// What a command must end with for the demonstration to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Status 0.
    Well,
    /// Another status.
    Badly,
    /// Either: it is a person's decision.
    Either,
}

fn run(at: &'static str, command: &[&'static str], ends: Ends) -> Step {
    Step::Run { at, command: command.to_vec(), ends, quiet: false }
}

fn quietly(at: &'static str, command: &[&'static str]) -> Step {
    Step::Run { at, command: command.to_vec(), ends: Ends::Well, quiet: true }
}

fn write(who: &'static str, path: &'static str, text: &'static str) -> Step {
    Step::Write { who, path, text }
}

/// The whole story.
pub fn script() -> Vec<Step> {
    use Ends::{Badly, Either, Well};
    const APP: &str = "discounts";
    vec![
        Step::Part("A repository with a remote and a small project with tests"),
        quietly(".", &["git", "init", "--quiet", "--bare", "--initial-branch=main", "server.git"]),
        quietly(".", &["git", "init", "--quiet", "--initial-branch=main", APP]),
        quietly(APP, &["git", "config", "user.name", "Dana Developer"]),
        quietly(APP, &["git", "config", "user.email", "dana@example.com"]),
        quietly(APP, &["git", "remote", "add", "origin", "../server.git"]),
        write("the project has", "discounts/discount.sh", include_str!("../../templates/demo/discount.sh")),
        write("the project has", "discounts/tests.sh", include_str!("../../templates/demo/tests.sh")),
        write("the project has", "discounts/checks.sh", include_str!("../../templates/demo/checks-before.sh")),
        run(APP, &["git", "rapid", "init"], Well),
        quietly(APP, &["git", "add", "--all"]),
        quietly(APP, &["git", "commit", "--quiet", "--message", "Discounts, and git-rapid's configuration"]),
        quietly(APP, &["git", "push", "--quiet", "--set-upstream", "origin", "main"]),
        Step::Part("A run is opened: the contract is frozen, the tests are run before the work"),
        run(
            APP,
            &[
                "git",
                "rapid",
                "start",
                "feature",
                "--title",
                "Refuse absurd discounts",
                "--task",
                "Refuse discounts of more than 100 percent",
            ],
            Well,
        ),
        Step::Part("An agent works: it asks what to do, and does it wrong first"),
        run(APP, &["git", "rapid", "next"], Well),
        run(APP, &["git", "rapid", "task", "start", "T001"], Well),
        write("the agent writes", "discounts/discount.sh", include_str!("../../templates/demo/discount-wrong.sh")),
        write("the agent writes", "discounts/checks.sh", include_str!("../../templates/demo/checks-after.sh")),
        run(APP, &["git", "rapid", "check"], Badly),
        Step::Say("The check is red, and recorded as it was. The agent repairs the code:".to_owned()),
        write("the agent writes", "discounts/discount.sh", include_str!("../../templates/demo/discount-right.sh")),
        run(APP, &["git", "rapid", "task", "done", "T001"], Well),
        run(APP, &["git", "rapid", "next"], Well),
        Step::Part("A person decides"),
        run(APP, &["git", "rapid", "approve", "gate.final-verification"], Either),
        Step::Fork { approved: approved(), refused: refused() },
    ]
}

fn approved() -> Vec<Step> {
    use Ends::Well;
    vec![
        Step::Part("The run is closed, and the code and the ledger are pushed"),
        run("discounts", &["git", "rapid", "finish"], Well),
        run("discounts", &["git", "commit", "--quiet", "--all", "--message", "Refuse absurd discounts"], Well),
        run("discounts", &["git", "push", "--quiet"], Well),
        run("discounts", &["git", "rapid", "push"], Well),
        Step::Part("A reviewer, in a clone of their own, trusts nobody"),
        run(".", &["git", "clone", "--quiet", "server.git", "reviewer"], Well),
        run("reviewer", &["git", "rapid", "fetch"], Well),
        run("reviewer", &["git", "rapid", "verify", "--commit", "HEAD", "--require-pass"], Well),
        Step::Say("Exit status 0: this commit is exactly what was checked and approved.".to_owned()),
    ]
}

fn refused() -> Vec<Step> {
    use Ends::{Badly, Well};
    vec![
        Step::Say(
            "Nobody approved: a gate like this one is a person's, and git-rapid has no other way to open it. Without a \
             terminal, or without the typed sentence, the run cannot pass:"
                .to_owned(),
        ),
        run("discounts", &["git", "rapid", "finish"], Badly),
        run("discounts", &["git", "commit", "--quiet", "--all", "--message", "Refuse absurd discounts"], Well),
        run("discounts", &["git", "push", "--quiet"], Well),
        run("discounts", &["git", "rapid", "push"], Well),
        Step::Part("A reviewer, in a clone of their own, sees it"),
        run(".", &["git", "clone", "--quiet", "server.git", "reviewer"], Well),
        run("reviewer", &["git", "rapid", "fetch"], Well),
        run("reviewer", &["git", "rapid", "verify", "--commit", "HEAD", "--require-pass"], Badly),
        Step::Say(
            "The ledger is proven, the commit is not covered: the verdict is unverified, because nobody approved. Run the \
             demonstration in a terminal to be asked."
                .to_owned(),
        ),
    ]
}

/// The demonstration's directory: the named one, which must be new or empty, else a new temporary one that stays.
pub fn place(named: Option<&Path>) -> Result<PathBuf> {
    let unusable = |path: &Path, why: String| {
        Code::Rapid002
            .because(format!("'{}' cannot hold the demonstration: {why}", path.display()))
            .hint("name a new directory")
    };
    let Some(path) = named else {
        let made = tempfile::Builder::new().prefix("git-rapid-demo-").tempdir();
        let made =
            made.map_err(|error| Code::Rapid002.because(format!("no temporary directory can be made: {error}")))?;
        return Ok(made.keep());
    };
    if let Ok(mut entries) = std::fs::read_dir(path)
        && entries.next().is_some()
    {
        return Err(unusable(path, "it is not empty".to_owned()));
    }
    files::create_dir_all(path).map_err(|error| unusable(path, error.message))?;
    path.canonicalize().map_err(|error| unusable(path, error.to_string()))
}
