//! A small governed project, and the words with which a test drives it.

use crate::harness::{Output, Repo, World, answer, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::Value;
use std::path::Path;

/// A test runner in shell: one test for each file below `tests/`, told as TAP.
const RUNNER: &str = "n=0
bad=0
for each in tests/*.sh; do
  n=$((n + 1))
  if sh \"$each\"; then echo \"ok $n - $each\"; else echo \"not ok $n - $each\"; bad=1; fi
done
echo \"1..$n\"
exit $bad
";

/// What a prompt of the tool ends with.
const PROMPT: &str = "anything else to leave it: ";

/// A repository with a project in it, and its world.
pub struct Lab {
    /// The repository; in a run with a worktree of its own, that worktree.
    pub repo: Repo,
}

/// Whether a person can be asked here; said aloud when not.
pub fn a_person_is_here() -> bool {
    let here = somebody_can_be_asked();
    if !here {
        step_aside("a person decides in this test, and a coding agent is above it");
    }
    here
}

impl Lab {
    /// A project of these files, committed, under this configuration.
    pub fn of(files: &[(&str, &str)], config: &str) -> Lab {
        let world = World::new();
        let repo = world.repository("work", &[]);
        for (name, text) in files {
            repo.write(name, text);
        }
        repo.write(".rapid/config.toml", config);
        repo.commit("a project");
        std::fs::write(world.path("log.txt"), "Ran 4 tests\n\nOK\n").unwrap();
        Lab { repo }
    }

    /// A project with `unittest`; `None`, said aloud, where there is no Python.
    pub fn python(files: &[(&str, &str)], ruleset: u8) -> Option<Lab> {
        let files = [files, &[(".gitignore", "__pycache__/\n")]].concat();
        let lab =
            Lab::of(&files, &format!("test_command = [\"python3\", \"-m\", \"unittest\"]\nruleset = {ruleset}\n"));
        let probe =
            Output::of_any(lab.repo.world().command("python3", lab.repo.path()).args(["-c", "import unittest"]));
        if probe.is_some_and(|output| output.code == 0) {
            return Some(lab);
        }
        assert!(std::env::var_os("RAPID_REQUIRE_TOOLS").is_none(), "the labs need python3, and it is not here");
        step_aside("there is no python3 here");
        None
    }

    /// A project in shell with two tests.
    pub fn shell(ruleset: u8) -> Lab {
        Lab::shell_with(ruleset, "")
    }

    /// The same with more configuration.
    pub fn shell_with(ruleset: u8, more: &str) -> Lab {
        let files = [
            ("greet.sh", "echo hello\n"),
            ("test.sh", RUNNER),
            ("tests/a.sh", "test \"$(sh greet.sh | head -n 1)\" = hello\n"),
            ("tests/b.sh", "test -f greet.sh\n"),
        ];
        Lab::of(&files, &format!("test_command = [\"sh\", \"test.sh\"]\nruleset = {ruleset}\n{more}"))
    }

    /// Runs the tool with the words of a line.
    #[must_use = "how it ended is what a test asks"]
    pub fn say(&self, line: &str) -> Output {
        self.repo.rapid(&words(line))
    }

    /// Runs it as a person does who types `sentence` when asked.
    #[must_use = "how it ended is what a test asks"]
    pub fn decide(&self, line: &str, sentence: &str) -> Output {
        let mut command = self.repo.world().command("git", self.repo.path());
        command.arg("rapid").args(words(line));
        answer(command, PROMPT, sentence)
    }

    /// A person approves a gate of a run.
    pub fn approve(&self, run: &str, gate: &str) -> Output {
        self.decide(&format!("approve {gate} --run {run}"), &format!("approve {gate}")).ok()
    }

    /// Writes a spec file beside the repository and gives its path.
    pub fn spec_file(&self, text: &str) -> String {
        let path = self.repo.world().path("spec.json");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Opens a run of one task, `Do it`, and gives its id.
    pub fn start(&self, mode: &str, title: &str, options: &str) -> String {
        let base = ["start", mode, "--title", title, "--task", "Do it", "--json"];
        let started = self.repo.git_rapid(&[&base, words(options).as_slice()].concat()).ok();
        text(&started.json(), "run_id")
    }

    /// Changes the code by a line that breaks nothing.
    pub fn edit(&self) {
        let path = self.repo.path().join("greet.sh");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{text}echo again\n")).unwrap();
    }

    /// Does the one task of the run that is active: a change, and the check of `task done`.
    pub fn work(&self) {
        self.say("task start T001").ok();
        self.edit();
        self.say("task done T001").ok();
    }

    /// Adds an authored document to a run.
    #[must_use = "how it ended is what a test asks"]
    pub fn add(&self, run: &str, document: &str) -> Output {
        let path = self.repo.world().path("evidence.json");
        std::fs::write(&path, document).unwrap();
        self.say(&format!("evidence add --run {run} --input {}", path.display()))
    }

    /// What is to be done next: the kind of the action, and the words of its command.
    pub fn next(&self) -> (String, String) {
        let document = self.say("next --json").ok().json();
        let action = document.get("action").unwrap();
        (text(action, "kind"), list(action, "command").join(" "))
    }

    /// The report on a run as it stands, by a ruleset (0: its own).
    pub fn report(&self, run: &str, ruleset: u8) -> Value {
        let by = if ruleset == 0 { String::new() } else { format!(" --ruleset {ruleset}") };
        self.say(&format!("eval run --run {run} --json{by}")).ok().json()
    }

    /// The gates of a run, in order.
    pub fn gates(&self, run: &str) -> Vec<String> {
        let document = self.say(&format!("run show {run} --json")).ok().json();
        let gates = document.get("state").and_then(|state| state.get("gates")).and_then(Value::as_list).unwrap();
        gates.iter().map(|gate| text(gate, "id")).collect()
    }

    /// The same project, seen from the worktree of a run.
    pub fn worktree_of(&self, run: &str) -> Lab {
        let path = self.repo.world().path("work.rapid").join(run);
        assert!(path.is_dir(), "{run} has a worktree at {}", path.display());
        Lab { repo: Repo::at(self.repo.world(), path) }
    }

    /// Whether a file of the repository's world is there.
    pub fn has(&self, name: &str) -> bool {
        Path::new(&self.repo.world().path(name)).exists()
    }
}

/// The words of a line.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A text member.
pub fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_text).unwrap_or_default().to_owned()
}

/// A member that is a list of texts.
pub fn list(value: &Value, key: &str) -> Vec<String> {
    let items = value.get(key).and_then(Value::as_list).unwrap_or_default();
    items.iter().filter_map(|item| item.as_text().map(str::to_owned)).collect()
}

/// Status and evidence of an assertion of a report.
pub fn assertion(report: &Value, id: &str) -> (String, Vec<String>) {
    let all = report.get("assertions").and_then(Value::as_list).unwrap();
    let found = all.iter().find(|assertion| text(assertion, "id") == id);
    let found = found.unwrap_or_else(|| panic!("the report has no assertion {id}: {}", report.pretty()));
    (text(found, "status"), list(found, "evidence_ids"))
}
