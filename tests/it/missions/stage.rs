//! A project with a plan and players: its tests run every part that the work packages make.

use crate::harness::{Lying, Output, Repo, World, answer, everything_below};
use git_rapid::domain::json::{self, Value};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

const TEST: &str =
    "for part in parts/*.sh src/auth/*.sh; do test -e \"$part\" || continue; sh \"$part\" || exit 1; done\n";

/// A project with players.
pub struct Stage {
    pub repo: Repo,
}

/// A work package of a plan.
pub struct Wp {
    pub number: usize,
    pub needs: Vec<usize>,
    pub scope: Vec<&'static str>,
    pub risk: &'static str,
}

/// One that makes its own part.
pub fn wp(number: usize, needs: &[usize]) -> Wp {
    Wp { number, needs: needs.to_vec(), scope: Vec::new(), risk: "low" }
}

impl Wp {
    /// The same with another scope.
    pub fn in_scope(mut self, scope: &'static str) -> Wp {
        self.scope.push(scope);
        self
    }

    fn to_value(&self) -> Value {
        let own = format!("parts/{:03}.sh", self.number);
        let scope: Vec<&str> = if self.scope.is_empty() { vec![&own] } else { self.scope.clone() };
        Value::object([
            ("id", id(self.number).into()),
            ("title", format!("Make part {}", self.number).into()),
            ("description", "Make the part.".into()),
            ("size", "S".into()),
            ("risk_class", self.risk.into()),
            ("depends_on", Value::list(self.needs.iter().map(|need| id(*need)))),
            ("scope", Value::list(scope)),
            ("targets", Value::list(Vec::<String>::new())),
            ("tests", Value::List(vec![Value::list(["sh", "test.sh"])])),
            ("acceptance", Value::list(["it runs"])),
        ])
    }
}

pub fn id(number: usize) -> String {
    format!("WP-{number:03}")
}

/// A plan of these.
pub fn plan(packages: &[Wp]) -> Value {
    Value::object([
        ("schema_version", 1.into()),
        ("objective", "Put it together".into()),
        ("work_packages", Value::list(packages.iter().map(Wp::to_value))),
        ("order", Value::list(packages.iter().map(|package| id(package.number)))),
    ])
}

impl Stage {
    /// One whose agents do this, in the shell's words, and whose configuration has this besides.
    pub fn with(script: &str, configuration: &str) -> Stage {
        let world = World::new();
        let repo = world.repository("work", &[]);
        let stage = Stage { repo };
        std::fs::create_dir(stage.case()).unwrap();
        let player = world.path("player");
        std::fs::write(&player, include_str!("player.sh")).unwrap();
        std::fs::set_permissions(&player, std::fs::Permissions::from_mode(0o755)).unwrap();
        stage.plays(script);
        stage.repo.write("test.sh", TEST);
        let config = format!(
            "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n{configuration}\n[mission]\nprovider = \"player\"\n\
             [providers.player]\nbinary = \"{}\"\n",
            player.display()
        );
        stage.repo.write(".rapid/config.toml", &config);
        stage.repo.commit("a project");
        stage
    }

    pub fn new(script: &str) -> Stage {
        Stage::with(script, "")
    }

    /// From now on they do this.
    pub fn plays(&self, script: &str) {
        std::fs::write(self.case().join("script"), script).unwrap();
    }

    pub fn case(&self) -> PathBuf {
        self.repo.world().path("case")
    }

    /// A plan is taken as the mission `m`.
    pub fn planned(&self, packages: &[Wp]) -> &Stage {
        self.mission_with_input(&["plan", "-", "--id", "m"], &plan(packages)).ok();
        self
    }

    pub fn mission_with_input(&self, arguments: &[&str], input: &Value) -> Output {
        let path = self.repo.world().path("input.json");
        std::fs::write(&path, input.pretty()).unwrap();
        let path = path.display().to_string();
        let arguments: Vec<&str> =
            arguments.iter().map(|word| if *word == "-" { path.as_str() } else { word }).collect();
        self.mission(&arguments)
    }

    /// `git rapid mission` and what follows.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.repo.tool();
        command.arg("mission").args(arguments).env("CASE", self.case());
        command
    }

    #[must_use = "how it ended is what a test asks"]
    pub fn mission(&self, arguments: &[&str]) -> Output {
        Output::of(&mut self.command(arguments))
    }

    /// A run, which stops for this reason.
    pub fn runs_until(&self, stop: &str) -> Output {
        let code = match stop {
            "mission_completed" => 0,
            "error" => 2,
            _ => 1,
        };
        let output = self.mission(&["run", "--json"]).ends(code);
        let said = output.json();
        assert_eq!(said.get("stop").and_then(Value::as_text), Some(stop), "{output}");
        output
    }

    /// A person decides at a terminal.
    pub fn person(&self, arguments: &[&str], sentence: &str) -> Output {
        let mut command = self.repo.world().command("git", self.repo.path());
        command.args(["rapid", "mission", "approve", "--json"]).args(arguments);
        let said = answer(command, "anything else to leave it: ", sentence);
        // At a terminal the question stands before the document.
        if let (0, Some(at)) = (said.code, said.stdout.find("{\n")) {
            let document = json::parse(&said.stdout.as_bytes()[at..]).unwrap();
            crate::manual::fits(&["mission".to_owned(), "approve".to_owned()], &document);
        }
        said
    }

    pub fn status(&self) -> Value {
        self.mission(&["status", "--json", "--mission", "m"]).ok().json()
    }

    /// Where a work package stands.
    pub fn stands(&self, number: usize) -> String {
        self.of(number, "status").as_text().unwrap_or_default().to_owned()
    }

    pub fn of(&self, number: usize, key: &str) -> Value {
        let status = self.status();
        let packages = status.get("work_packages").and_then(Value::as_list).unwrap();
        let found = packages.iter().find(|one| one.get("id").and_then(Value::as_text) == Some(&id(number)));
        found.and_then(|one| one.get(key)).cloned().unwrap()
    }

    /// The children that played, in order.
    pub fn children(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.case().join("children")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub fn prompt(&self, child: &str) -> String {
        std::fs::read_to_string(self.case().join(format!("prompt-{child}"))).unwrap()
    }

    /// The types of the events on the ledger, in order.
    pub fn events(&self) -> Vec<Value> {
        let names = self.repo.git(&["ls-tree", "-r", "--name-only", "refs/rapid/ledger", "missions/"]);
        let events = names.lines().filter(|name| name.contains("/events/"));
        events
            .map(|name| {
                let text = self.repo.git(&["show", &format!("refs/rapid/ledger:{name}")]);
                let record = json::parse_text(&text).unwrap();
                record.get("event").cloned().unwrap()
            })
            .collect()
    }

    pub fn event_names(&self) -> Vec<String> {
        self.events().iter().map(|event| event.get("type").and_then(Value::as_text).unwrap().to_owned()).collect()
    }

    /// The ledger holds, here and in a fresh clone that fetches it.
    pub fn verifies(&self) {
        drop(self.repo.verify(&["--full"]).ends(0));
        crate::manual::records_fit(&self.repo);
    }

    /// No process, no worktree and no lock file of the mission is left.
    pub fn is_clean(&self) {
        assert_eq!(self.processes(), Vec::<u32>::new());
        assert_eq!(self.repo.git(&["worktree", "list"]).lines().count(), 1);
        let beside = self.repo.world().path("work.rapid");
        let left: Vec<_> = std::fs::read_dir(beside).map(|all| all.flatten().collect()).unwrap_or_default();
        assert!(left.is_empty(), "{left:?}");
    }

    /// Everything of the user's that a mission must not touch.
    pub fn users(&self) -> (String, String, Vec<u8>, BTreeMap<PathBuf, Lying>) {
        let head = std::fs::read_to_string(self.repo.path().join(".git/HEAD")).unwrap();
        let branch = self.repo.git(&["rev-parse", "main"]);
        let index = std::fs::read(self.repo.path().join(".git/index")).unwrap();
        let mut files = everything_below(self.repo.path());
        let git = self.repo.path().join(".git");
        files.retain(|path, _| !path.starts_with(&git));
        (head, branch, index, files)
    }

    /// The processes that carry the case in their environment.
    pub fn processes(&self) -> Vec<u32> {
        let mark = format!("CASE={}", self.case().display());
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let alive = std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
            let variables = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            alive && variables.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        })
        .collect()
    }
}
