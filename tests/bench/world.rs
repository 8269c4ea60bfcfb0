//! The repository that everything is measured in: many files, a long ledger, one run whose tasks are done.

use git_rapid::domain::{
    ids::{RunId, SpecId},
    lifecycle::SpecStatus,
    mode::Mode,
    spec::{Document, SpecDraft, SpecRevision, StatusRecord},
};
use git_rapid::os::environment::Environment;
use git_rapid::registry::{Draft, Place};
use git_rapid::verbs::{evidence, rapid::Rapid};
use std::cell::Cell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The repository.
pub struct World {
    top: PathBuf,
    /// Takes it away in the end; `None` when it is kept.
    _directory: Option<tempfile::TempDir>,
    appended: Cell<u32>,
}

/// How many entries of a ledger that is made are appended one by one.
const APPENDED: u32 = 200;

const RECIPE: &str = r#"
set -e
tip=$(git rev-parse --quiet --verify refs/bench/ledger || true)
blob=$(git hash-object -w --stdin <record.json)
entry="100644 blob $blob\tE$1.json"
last="E$1.json"
for path in runs/shard/run/evidence runs/shard/run runs/shard runs; do
  old=$( [ -n "$tip" ] && git ls-tree "$tip:$path" 2>/dev/null | grep -v "	$last\$" || true)
  tree=$(printf "%s\n$entry\n" "$old" | sed '/^$/d' | git mktree)
  last=${path##*/}
  entry="040000 tree $tree\t$last"
done
tree=$(printf "$entry\n" | git mktree)
if [ -n "$tip" ]; then commit=$(git commit-tree "$tree" -p "$tip" -m entry); else commit=$(git commit-tree "$tree" -m entry); fi
git update-ref --create-reflog -m entry refs/bench/ledger "$commit" $tip
"#;

const TESTS: &str = r#"{"kind":"test_result","producer":"ci:bench","summary":"tests","payload":{"suite":"unit","exit_code":0,"passed":9,"failed":0,"skipped":0},"task_ids":["T001"],"gate_ids":["gate.tests"]}"#;

const TOOL: &str = r#"{"kind":"tool_invocation","producer":"ci:bench","summary":"a tool","payload":{"tool_id":"bench","outcome":"success"},"task_ids":["T002"]}"#;

impl World {
    /// Makes it.
    pub fn new(files: u32, entries: u32) -> World {
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let directory = tempfile::Builder::new().prefix("rapid-bench-").tempdir_in(place).expect("a directory");
        let world = World { top: directory.path().to_owned(), _directory: Some(directory), appended: Cell::new(0) };
        world.make(files, entries);
        world
    }

    /// One that stays in a directory, made there unless it is there: a large ledger is made once and measured often.
    pub fn kept(top: PathBuf, files: u32, entries: u32) -> World {
        let world = World { top, _directory: None, appended: Cell::new(0) };
        let made = world.top().join("made");
        if !made.is_file() {
            std::fs::create_dir_all(world.top()).expect("a directory");
            world.make(files, entries);
            std::fs::write(made, "").expect("a file");
        }
        world
    }

    fn make(&self, files: u32, entries: u32) {
        let world = self;
        std::fs::create_dir(world.top().join("repo")).expect("a directory");
        std::fs::write(
            world.top().join("gitconfig"),
            "[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n",
        )
        .expect("a file");
        run(world.git(&["init", "--quiet"]));
        for number in 0..files {
            let path = world.repo().join(format!("src/d{:03}/f{number:05}.txt", number / 20));
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            std::fs::write(path, format!("file {number}\n").repeat(20)).expect("a file");
        }
        std::fs::create_dir(world.repo().join(".rapid")).expect("a directory");
        std::fs::write(world.repo().join(".rapid/config.toml"), "test_command = [\"true\"]\nruleset = 4\n")
            .expect("a file");
        std::fs::write(world.repo().join("record.json"), "{\"a\":1}\n".repeat(150)).expect("a file");
        run(world.git(&["add", "--all"]));
        run(world.git(&["commit", "--quiet", "--message", "files"]));
        world.fill(entries);
        run(world.tool(&["start", "feature", "--title", "Bench", "--task", "One", "--task", "Two"]));
        for arguments in
            [["task", "start", "T001"], ["task", "done", "T001"], ["task", "start", "T002"], ["task", "done", "T002"]]
        {
            run(world.tool(&arguments));
        }
        run(world.git(&["gc", "--quiet"]));
    }

    pub fn top(&self) -> &Path {
        &self.top
    }

    fn repo(&self) -> PathBuf {
        self.top().join("repo")
    }

    /// Entries of one spec each. The first ones are appended by the door that each verb takes; a hundred thousand of them
    /// would wait for as many flushes, so that the others come in one stream, as the same commits of the same records. That
    /// they are entries is proved by `verify --full`, which is measured.
    fn fill(&self, entries: u32) {
        let environment = Environment::from_pairs(self.repo(), self.variables());
        let rapid = Rapid::open(&environment).expect("a repository");
        let appended = entries.min(APPENDED);
        for number in 0..appended {
            let (id, revision, status) = spec(number);
            let appended = rapid.registry().append(|_| {
                let mut draft = Draft::new("spec", &id, "a spec");
                draft.revision(&revision)?;
                draft.spec_status(&status)?;
                Ok((draft, ()))
            });
            appended.expect("an entry");
        }
        if appended < entries {
            self.stream(appended..entries);
            run(self.git(&["repack", "-a", "-d", "-f", "--quiet"]));
        }
    }

    fn stream(&self, numbers: std::ops::Range<u32>) {
        let mut command = self.git(&["fast-import", "--quiet", "--date-format=raw"]);
        let mut git = command.stdin(std::process::Stdio::piped()).spawn().expect("git starts");
        let mut out = std::io::BufWriter::new(git.stdin.take().expect("its input"));
        let begin = numbers.start;
        for number in numbers {
            let (id, revision, status) = spec(number);
            let message = format!("a spec\n\nRapid-Verb: spec\nRapid-Subject: {id}\n");
            let seconds = 1_700_000_000 + number;
            write!(
                out,
                "commit refs/rapid/ledger\ncommitter Bench <bench@example.com> {seconds} +0000\ndata {}\n{message}\n",
                message.len()
            )
            .expect("a stream");
            if number == begin {
                out.write_all(b"from refs/rapid/ledger^0\n").expect("a stream");
            }
            let documents = Document::ALL.iter().map(|document| {
                let place = Place::Document(id.clone(), 1, document.file_name().to_owned());
                (place, document.render(&revision.content).into_bytes())
            });
            let records = [
                (Place::Revision(id.clone(), 1), revision.to_value().record_bytes()),
                (Place::SpecStatus(id.clone(), 1), status.to_value().record_bytes()),
            ];
            for (place, bytes) in documents.chain(records) {
                writeln!(out, "M 100644 inline {}\ndata {}", place.path(), bytes.len()).expect("a stream");
                out.write_all(&bytes).expect("a stream");
            }
            out.write_all(b"\n").expect("a stream");
        }
        drop(out);
        assert!(git.wait().expect("it ends").success());
    }

    /// Adds pieces of evidence to a run, in process: tests that somebody else ran, and calls of tools.
    pub fn observe(&self, id: &str, records: u32) {
        let environment = Environment::from_pairs(self.repo(), self.variables());
        let rapid = Rapid::open(&environment).expect("a repository");
        let id = RunId::parse(id).expect("an id");
        for number in 0..records {
            let document = if number % 2 == 0 { TESTS } else { TOOL };
            evidence::add(&rapid, &id, document.as_bytes(), None).expect("an entry");
        }
        run(self.git(&["gc", "--quiet"]));
    }

    fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("PATH", path()),
            ("HOME", self.top().display().to_string()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("GIT_CONFIG_GLOBAL", self.top().join("gitconfig").display().to_string()),
        ]
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.repo()).env_clear().envs(self.variables());
        command
    }

    /// How many bytes the packs have. Everything was packed when the world was made.
    pub fn packed_bytes(&self) -> u64 {
        let output = self.git(&["count-objects", "-v"]).output().expect("git");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let size = text.lines().find_map(|line| line.strip_prefix("size-pack: ")).expect("a size");
        size.parse::<u64>().expect("a number") << 10
    }

    /// A script, with the tool on its path.
    pub fn shell(&self, script: &str) -> Command {
        let beside = Path::new(env!("CARGO_BIN_EXE_git-rapid")).parent().expect("a directory");
        let mut command = self.command("sh", &["-c", script]);
        command.env("PATH", format!("{}:{}", beside.display(), std::env::var("PATH").unwrap_or_default()));
        command
    }

    /// Any program, in the repository.
    pub fn plain(&self, program: &str, arguments: &[&str]) -> Command {
        self.command(program, arguments)
    }

    /// The tool.
    pub fn tool(&self, arguments: &[&str]) -> Command {
        self.command(env!("CARGO_BIN_EXE_git-rapid"), arguments)
    }

    /// Puts the hooks in, with no run active, and a remote that has the branch.
    pub fn with_hooks(&self) {
        run(self.tool(&["abort", "--reason", "measured"]));
        run(self.git(&["init", "--quiet", "--bare", "../remote.git"]));
        run(self.git(&["remote", "add", "origin", "../remote.git"]));
        run(self.git(&["push", "--quiet", "origin", "main"]));
        run(self.git(&["commit", "--quiet", "--allow-empty", "--message", "another"]));
        run(self.git(&["push", "--quiet", "origin", "main"]));
        run(self.tool(&["hooks", "install"]));
        let empty = "mkdir ../empty && printf '#!/bin/sh\\nexit 0\\n' >../empty/pre-push && chmod +x ../empty/pre-push";
        run(self.command("sh", &["-c", empty]));
    }

    /// Git with the hooks that are installed, or with those in another directory. A push that names no ref sends one that is neither branch nor tag, another each time.
    pub fn git_with_hooks(&self, arguments: &[&str], instead: Option<&str>) -> Command {
        let number = self.appended.get() + 1;
        self.appended.set(number);
        let sent = if (number / 2).is_multiple_of(2) { "main" } else { "main~1" };
        let sent = format!("{sent}:refs/notes/{}", if instead.is_none() { "with" } else { "without" });
        let elsewhere = instead.map(|path| format!("core.hooksPath={path}"));
        let mut words: Vec<&str> = elsewhere.iter().flat_map(|set| ["-c", set.as_str()]).collect();
        words.extend(arguments);
        if arguments.contains(&"--force") {
            words.push(&sent);
        }
        self.git(&words)
    }

    /// The guard of a harness, asked about a command; the harness has to be installed.
    pub fn guard(&self) -> Command {
        let message = self.top().join("message.json");
        let text = format!(
            r#"{{"session_id":"s","cwd":"{}","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"cargo test --quiet 2>&1 | tail -n 20"}},"tool_use_id":"t"}}"#,
            self.repo().display()
        );
        std::fs::write(&message, text).expect("a file");
        let mut command = self.tool(&["hook", "harness", "claude", "pre-tool"]);
        command.stdin(std::fs::File::open(message).expect("a file"));
        command
    }

    /// Git.
    pub fn git(&self, arguments: &[&str]) -> Command {
        self.command("git", arguments)
    }

    /// One append by the tool, as a process.
    pub fn append(&self) -> Command {
        let number = self.appended.get() + 1;
        self.appended.set(number);
        let document = format!(
            "{{\"kind\":\"tool_invocation\",\"producer\":\"ci:bench\",\"summary\":\"number {number}\",\"payload\":{{\"tool_id\":\"bench\",\"outcome\":\"success\"}}}}"
        );
        let path = self.top().join("evidence.json");
        std::fs::write(&path, document).expect("a file");
        self.tool(&["evidence", "add", "--run", "bench-r1-run-001", "--input", &path.display().to_string()])
    }

    /// One append by git's plumbing, as a shell script would do it.
    pub fn recipe(&self) -> Command {
        let number = self.appended.get().to_string();
        self.command("sh", &["-c", RECIPE, "recipe", &number])
    }

    /// Changes some files and adds as many.
    pub fn change(&self, count: u32) {
        for number in 0..count {
            let path = self.repo().join(format!("src/d{:03}/f{:05}.txt", number * 3 / 20, number * 3));
            std::fs::write(path, format!("changed {number}\n")).expect("a file");
            std::fs::write(self.repo().join(format!("new-{number}.txt")), "new\n").expect("a file");
        }
    }

    /// Takes the changes back.
    pub fn restore(&self) {
        run(self.git(&["checkout", "--quiet", "--", "."]));
        run(self.git(&["clean", "--quiet", "--force"]));
    }
}

/// The spec of one entry.
fn spec(number: u32) -> (SpecId, SpecRevision, StatusRecord) {
    let id = SpecId::parse(&format!("spec-{number:05}")).expect("an id");
    let content = SpecDraft::new(Mode::Feature, &format!("Spec {number}")).expect("a spec");
    let revision = SpecRevision::new(id.clone(), 1, content);
    let status = StatusRecord { spec_id: id.clone(), ordinal: 1, status: SpecStatus::Draft, current_revision: 1 };
    (id, revision, status)
}

/// The tool is on the path, as it is for whoever uses it.
fn path() -> String {
    let tool = Path::new(env!("CARGO_BIN_EXE_git-rapid")).parent().expect("a directory");
    format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default())
}

fn run(mut command: Command) {
    let output = command.output().expect("the command starts");
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
