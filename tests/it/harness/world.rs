//! A directory with a home in it and an environment that knows nothing of the one the tests were started in.

use super::{Output, Repo};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;

/// The binary that was built for this test run.
const BINARY: &str = env!("CARGO_BIN_EXE_git-rapid");

/// What a run of the tests may ask for, and what tells git of it.
const FORMATS: [(&str, &str); 2] =
    [("RAPID_TEST_OBJECT_FORMAT", "GIT_DEFAULT_HASH"), ("RAPID_TEST_REF_FORMAT", "GIT_DEFAULT_REF_FORMAT")];

/// One test's world; gone when the test is.
pub struct World {
    directory: TempDir,
}

impl World {
    /// An empty one.
    pub fn new() -> Arc<World> {
        let directory = tempfile::Builder::new().prefix("rapid-it-").tempdir().unwrap();
        let world = World { directory };
        std::fs::create_dir(world.path("home")).unwrap();
        std::fs::create_dir(world.path("tmp")).unwrap();
        world.configure("[user]\n\tname = Ada\n\temail = ada@example.com\n");
        Arc::new(world)
    }

    /// Sets git's global configuration, with the branch name and protocols that the tests rely on.
    pub fn configure(&self, text: &str) {
        let always = "[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n";
        std::fs::write(self.path("gitconfig"), format!("{always}{text}")).unwrap();
    }

    /// Whether objects are named by SHA-256 in this run of the tests.
    pub fn is_sha256() -> bool {
        std::env::var_os("RAPID_TEST_OBJECT_FORMAT").is_some_and(|format| format == "sha256")
    }

    /// A path of programs with git first, ours not among them: a second git of the system may be another one.
    pub fn bare_path() -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        let git = path.split(':').find(|directory| Path::new(directory).join("git").exists()).unwrap_or("/usr/bin");
        format!("{git}:/usr/bin:/bin")
    }

    /// Whether refs are files in this run of the tests; what speaks of those files has nothing to say elsewhere.
    pub fn refs_are_files() -> bool {
        std::env::var_os("RAPID_TEST_REF_FORMAT").is_none_or(|format| format == "files")
    }

    /// A path in this world.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The directory that holds this world.
    pub fn top(&self) -> &Path {
        self.directory.path()
    }

    /// A program in this world's environment, which holds nothing of ours: no agent's marks, no `GIT_*`, no locale.
    pub fn command(&self, program: &str, at: &Path) -> Command {
        let mut command = Command::new(program);
        let beside = Path::new(BINARY).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        command.env_clear().current_dir(at);
        command.env("PATH", format!("{}:{path}", beside.display()));
        for (name, value) in toolchains() {
            command.env(name, value);
        }
        command.env("HOME", self.path("home")).env("TMPDIR", self.path("tmp"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.path("gitconfig"));
        // The whole suite in another format (docs/contributing.md): what `git init` makes where nobody says otherwise.
        for (asked, variable) in FORMATS {
            if let Some(format) = std::env::var_os(asked) {
                command.env(variable, format);
            }
        }
        // Bytecode is cached by whole seconds; two edits of a test may lie within one.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.env("TZ", "UTC").env("LC_ALL", "C").env("NO_COLOR", "1").env("COLUMNS", "100").env("PAGER", "cat");
        command
    }

    /// The tool itself, started directly.
    pub fn tool(&self, at: &Path) -> Command {
        self.command(BINARY, at)
    }

    /// Git, with fixed times, so that the ids of commits are the same each time.
    pub fn git_command(&self, at: &Path) -> Command {
        let mut command = self.command("git", at);
        command.env("GIT_AUTHOR_DATE", "1767300000 +0000").env("GIT_COMMITTER_DATE", "1767300000 +0000");
        command
    }

    /// Runs git anywhere in this world; it must succeed.
    pub fn git_at(&self, at: &Path, arguments: &[&str]) -> Output {
        Output::of(self.git_command(at).args(arguments)).ok()
    }

    /// A new repository; `options` are those of `git init`.
    pub fn repository(self: &Arc<World>, name: &str, options: &[&str]) -> Repo {
        self.git_at(self.top(), &[&["init", "--quiet"], options, &[name]].concat());
        Repo::at(self, self.path(name))
    }

    /// A new bare repository, to be a remote.
    pub fn remote(self: &Arc<World>, name: &str) -> Repo {
        self.repository(name, &["--bare"])
    }

    /// A clone of a repository of this world.
    pub fn clone_of(self: &Arc<World>, of: &Repo, name: &str) -> Repo {
        self.git_at(self.top(), &["clone", "--quiet", of.path().to_str().unwrap(), name]);
        Repo::at(self, self.path(name))
    }
}

/// Where the toolchains of the real home lie, for tests that drive them: in a new home they would not be found.
fn toolchains() -> Vec<(&'static str, std::ffi::OsString)> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let below = [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo"), ("PYENV_ROOT", ".pyenv")];
    let found = below
        .into_iter()
        .map(|(name, place)| (name, std::env::var_os(name).unwrap_or_else(|| home.join(place).into_os_string())));
    found.filter(|(_, place)| Path::new(place).exists()).collect()
}
