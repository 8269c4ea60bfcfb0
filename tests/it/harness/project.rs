//! A small project whose tests are a shell script, and the whole loop over it, driven through the command line.

use super::{Output, Repo, World, answer, somebody_can_be_asked, step_aside};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

/// The gate that only a person decides.
pub const GATE: &str = "gate.final-verification";

/// The run that `start feature --title 'Add a greeting'` opens.
pub fn run_of(title: &str, ordinal: u32) -> String {
    format!("{}-r1-run-{ordinal:03}", title.to_lowercase().replace(' ', "-"))
}

/// A repository with the small project committed in it.
pub fn project(world: &Arc<World>, name: &str) -> Repo {
    let repo = world.repository(name, &[]);
    project_in(&repo);
    repo
}

/// Puts the small project into a repository and commits it.
pub fn project_in(repo: &Repo) {
    repo.write("greeting.sh", "echo hello\n");
    repo.write("test.sh", "test \"$(sh greeting.sh | head -n 1)\" = hello\n");
    repo.write(".rapid/config.toml", "test_command = [\"sh\", \"test.sh\"]\nruleset = 4\n");
    repo.commit("a project");
}

/// The loop over a repository, step by step.
pub struct Loop<'r> {
    repo: &'r Repo,
    /// The run.
    pub run: String,
}

impl<'r> Loop<'r> {
    /// Opens a run with one task.
    pub fn start(repo: &'r Repo, title: &str) -> Loop<'r> {
        Loop::start_as(repo, "feature", title)
    }

    /// Opens a run of some kind of work, with one task.
    pub fn start_as(repo: &'r Repo, mode: &str, title: &str) -> Loop<'r> {
        let started = repo.git_rapid(&["start", mode, "--title", title, "--task", "Write it", "--json"]).ok();
        let run = started.json().get("run_id").and_then(|id| id.as_text().map(str::to_owned)).unwrap();
        Loop { repo, run }
    }

    /// Does the work: one more line in a file that the tests read.
    pub fn work(&self) -> &Self {
        let path = self.repo.path().join("greeting.sh");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, format!("{text}echo '{}'\n", self.run)).unwrap();
        self.repo.git_rapid(&["task", "start", "T001"]).ok();
        self.repo.git_rapid(&["task", "done", "T001"]).ok();
        self
    }

    /// A person approves, at a terminal.
    pub fn approve(&self) -> &Self {
        let answered = self.try_approve(&format!("approve {GATE}"));
        answered.ok().says(&format!("approved {GATE}"));
        self
    }

    /// A person types something, at a terminal.
    pub fn try_approve(&self, sentence: &str) -> Output {
        let mut command = self.repo.world().command("git", self.repo.path());
        command.args(["rapid", "approve", GATE]);
        answer(command, "anything else to leave it: ", sentence)
    }

    /// Closes the run; it passes.
    pub fn finish(&self) -> Output {
        self.repo.git_rapid(&["finish"]).ok().says("PASS")
    }

    /// All of it, and the commit of what was done.
    pub fn whole(repo: &'r Repo, title: &str) -> Loop<'r> {
        let run = Loop::start(repo, title);
        run.work().approve().finish();
        repo.commit(title);
        run
    }
}

/// A copy of a project with one finished run, its work committed: `work` in a world of its own. The run is driven once for
/// each build and copied from then on. `None`, said aloud, where nobody can be asked to approve it.
pub fn finished() -> Option<Repo> {
    if !somebody_can_be_asked() {
        step_aside("a run is finished by a person's approval, and these tests run under a coding agent");
        return None;
    }
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    let made = MADE.get_or_init(make_once);
    let world = World::new();
    let from = made.join("work");
    Output::of(world.command("cp", world.top()).arg("-a").arg(&from).arg(world.path("work"))).ok();
    let path = world.path("work");
    Some(Repo::at(&world, path))
}

fn make_once() -> PathBuf {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = kept.join(format!("finished-{}", stamp()));
    if !place.exists() {
        let world = World::new();
        let repo = project(&world, "work");
        Loop::whole(&repo, "Add a greeting");
        let made = tempfile::tempdir_in(kept).unwrap().keep();
        Output::of(world.command("cp", world.top()).arg("-a").arg(repo.path()).arg(&made)).ok();
        // Whoever is second finds the place taken, and the same thing in it.
        if std::fs::rename(&made, &place).is_err() {
            std::fs::remove_dir_all(&made).unwrap();
        }
    }
    place
}

/// Tells one build of the tool and of the tests from the next.
fn stamp() -> String {
    let of = |path: &Path| {
        let data = std::fs::metadata(path).unwrap();
        let time = data.modified().unwrap().duration_since(UNIX_EPOCH).unwrap().as_nanos();
        format!("{time:x}-{:x}", data.len())
    };
    let tests = std::env::current_exe().unwrap();
    let formats = ["RAPID_TEST_OBJECT_FORMAT", "RAPID_TEST_REF_FORMAT"];
    let formats: String =
        formats.iter().filter_map(|name| std::env::var(name).ok()).map(|name| format!("-{name}")).collect();
    format!("{}-{}{formats}", of(Path::new(env!("CARGO_BIN_EXE_git-rapid"))), of(&tests))
}
