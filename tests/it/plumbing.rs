//! The plumbing, through the built binary: every command once in words and as a document, and every wrong input with its
//! code, its exit status and a next step.

mod asked;
mod commands;
mod doctor;
mod drawn;
mod history;
mod near;
mod readers;
mod refusals;
mod status;

use crate::harness::{Output, Repo, World};
use git_rapid::domain::json::Value;

/// A repository with one commit, a ready spec and a run that was opened by plumbing.
struct Bench {
    repo: Repo,
    run: String,
}

impl Bench {
    fn new() -> Bench {
        let world = World::new();
        let repo = world.repository("work", &[]);
        repo.write("price.sh", "echo 1\n");
        repo.commit("a project");
        repo.rapid(&[
            "spec",
            "create",
            "--title",
            "Round prices",
            "--mode",
            "feature",
            "--task",
            "Round half up",
            "--status",
            "ready",
        ])
        .ok();
        let created = repo.rapid(&["run", "create", "--spec", "round-prices", "--json"]).ok();
        let run = text(&created.json(), "run_id");
        Bench { repo, run }
    }

    /// Runs the tool on the run: `RUN` among the words stands for its id.
    #[must_use = "how it ended is what a test asks"]
    fn rapid(&self, words: &str) -> Output {
        let words: Vec<&str> =
            words.split_whitespace().map(|word| if word == "RUN" { &self.run } else { word }).collect();
        self.repo.rapid(&words)
    }

    /// Runs it twice: in words, and as one document.
    fn both(&self, words: &str) -> Value {
        self.rapid(words).ok();
        self.rapid(&format!("{words} --json")).ok().json()
    }

    /// Adds evidence by plumbing.
    #[must_use = "how it ended is what a test asks"]
    fn add(&self, document: &str) -> Output {
        self.repo.write("evidence.json", document);
        self.rapid("evidence add --run RUN --input evidence.json")
    }
}

fn text(document: &Value, key: &str) -> String {
    document
        .get(key)
        .and_then(Value::as_text)
        .unwrap_or_else(|| panic!("'{key}' is in {}", document.canonical()))
        .to_owned()
}

fn items(document: &Value, key: &str) -> Vec<Value> {
    document
        .get(key)
        .and_then(Value::as_list)
        .unwrap_or_else(|| panic!("'{key}' is in {}", document.canonical()))
        .to_vec()
}

fn number(document: &Value, key: &str) -> i64 {
    document.get(key).and_then(Value::as_int).unwrap_or_else(|| panic!("'{key}' is in {}", document.canonical()))
}
