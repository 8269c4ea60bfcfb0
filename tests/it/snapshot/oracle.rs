//! A repository to take snapshots of, and git's answer to hold them against.
//!
//! The answer is `git add -A && git write-tree` on a copy of the index whose time is kept, with the settings that hide edits
//! at their defaults and the flags that hide edits cleared from every file that is there.

use git_rapid::diagnostics::Diagnostic;
use git_rapid::git::{Keep, Litter, REST, Repository, Snapshot, SnapshotOptions};
use git_rapid::os::environment::Environment;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A repository in a directory of its own.
pub struct Place {
    pub root: PathBuf,
    pub top: PathBuf,
    _directory: tempfile::TempDir,
}

const SETTINGS: &[&str] = &[
    "core.trustctime=true",
    "core.checkStat=default",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.ignoreStat=false",
    "advice.addEmbeddedRepo=false",
    "core.safecrlf=false",
];

impl Place {
    /// A repository with one commit: two texts, a script, a link, and rules that ignore `*.log` and `ignored/`.
    pub fn new() -> Place {
        let place = Place::unborn(&[]);
        place.fill();
        place
    }

    /// A repository without a commit, made with these options of `git init`.
    pub fn unborn(options: &[&str]) -> Place {
        let directory = tempfile::Builder::new().prefix("snapshot-").tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let top = root.join("work");
        std::fs::create_dir(&top).unwrap();
        let place = Place { root, top, _directory: directory };
        place.git(&[&["init", "-q", "-b", "main"], options].concat());
        place
    }

    /// The files of [`Place::new`], committed.
    pub fn fill(&self) {
        self.write("a.txt", "a\nb\n");
        self.write("d/x.txt", "x\n");
        self.write("run.sh", "#!/bin/sh\n");
        self.mode("run.sh", 0o755);
        self.link("a.txt", "ln");
        self.write(".gitignore", "*.log\nignored/\n");
        self.commit("first");
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// Makes everything look an hour old and known to the index, so that its metadata is believed. Never twice the same
    /// second: git would take a file of the same size for the one before.
    pub fn settle(&self) {
        static TURN: AtomicU64 = AtomicU64::new(0);
        let then = SystemTime::now() - Duration::from_secs(3600 + 2 * TURN.fetch_add(1, Ordering::Relaxed));
        age(&self.top, then);
        self.git(&["update-index", "-q", "--refresh"]);
    }

    pub fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.top.join(path)
    }

    pub fn write(&self, path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub fn append(&self, path: &str, text: &str) {
        let mut bytes = std::fs::read(self.path(path)).unwrap();
        bytes.extend_from_slice(text.as_bytes());
        std::fs::write(self.path(path), bytes).unwrap();
    }

    pub fn remove(&self, path: &str) {
        let path = self.path(path);
        match std::fs::symlink_metadata(&path).unwrap().is_dir() {
            true => std::fs::remove_dir_all(path).unwrap(),
            false => std::fs::remove_file(path).unwrap(),
        }
    }

    pub fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
    }

    pub fn mode(&self, path: &str, mode: u32) {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(self.path(path), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// A setting of this clone.
    pub fn config(&self, key: &str, value: &str) {
        self.git(&["config", key, value]);
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.top, arguments)
    }

    pub fn git_in(&self, directory: &Path, arguments: &[&str]) -> String {
        let output = self.command(directory, arguments).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {complaint}");
        String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
    }

    /// Git, whatever it answers.
    pub fn try_git(&self, arguments: &[&str]) -> bool {
        self.command(&self.top, arguments).output().unwrap().status.success()
    }

    fn command(&self, directory: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command
            .current_dir(directory)
            .env_clear()
            .envs(self.variables())
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments);
        command
    }

    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let mut variables = vec![
            ("PATH", std::env::var("PATH").unwrap()),
            ("HOME", self.root.to_string_lossy().into_owned()),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("GIT_TERMINAL_PROMPT", "0".to_owned()),
        ];
        for (person, name) in [("AUTHOR", "NAME"), ("AUTHOR", "EMAIL"), ("COMMITTER", "NAME"), ("COMMITTER", "EMAIL")] {
            let key: &'static str = match (person, name) {
                ("AUTHOR", "NAME") => "GIT_AUTHOR_NAME",
                ("AUTHOR", _) => "GIT_AUTHOR_EMAIL",
                (_, "NAME") => "GIT_COMMITTER_NAME",
                _ => "GIT_COMMITTER_EMAIL",
            };
            variables.push((key, "t@example.org".to_owned()));
        }
        variables
    }

    pub fn repository_in(&self, directory: &Path) -> Repository {
        Repository::discover(&Environment::from_pairs(directory, self.variables())).unwrap()
    }

    pub fn try_snapshot(&self, keep: Keep) -> Result<Snapshot, Diagnostic> {
        self.repository_in(&self.top).snapshot(&options(keep))
    }

    pub fn snapshot(&self) -> Snapshot {
        self.try_snapshot(Keep::Nothing).unwrap()
    }

    /// Git's answer for the working copy with this top.
    pub fn answer_in(&self, top: &Path) -> String {
        let real = self.git_in(top, &["rev-parse", "--path-format=absolute", "--git-path", "index"]);
        let copy = PathBuf::from(format!("{real}-oracle"));
        if let Ok(data) = std::fs::metadata(&real) {
            std::fs::copy(&real, &copy).unwrap();
            std::fs::File::options().write(true).open(&copy).unwrap().set_modified(data.modified().unwrap()).unwrap();
        }
        let settings: Vec<&str> = SETTINGS.iter().flat_map(|setting| ["-c", *setting]).collect();
        let ask = |arguments: &[&str]| {
            let output =
                self.command(top, &[&settings[..], arguments].concat()).env("GIT_INDEX_FILE", &copy).output().unwrap();
            assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        self.show_hidden(top, &ask, &copy, &settings);
        ask(&["add", "-A", "--sparse"]);
        let tree = String::from_utf8(ask(&["write-tree"])).unwrap().trim().to_owned();
        std::fs::remove_file(copy).unwrap();
        tree
    }

    /// Clears the flags that hide a file's bytes, where the file is there.
    fn show_hidden(&self, top: &Path, ask: &dyn Fn(&[&str]) -> Vec<u8>, copy: &Path, settings: &[&str]) {
        let listed = ask(&["ls-files", "-v", "-z", "--sparse"]);
        let there = |path: &&[u8]| std::fs::symlink_metadata(top.join(std::ffi::OsStr::from_bytes(path))).is_ok();
        for (flags, option) in [(b"hs", "--no-assume-unchanged"), (b"Ss", "--no-skip-worktree")] {
            let lines = listed.split(|byte| *byte == 0);
            let flagged =
                lines.filter(|line| line.first().is_some_and(|flag| flags.contains(flag))).map(|line| &line[2..]);
            let there = flagged.filter(|path| option == "--no-assume-unchanged" || there(path));
            for path in there {
                let mut command = self.command(top, &[settings, &["update-index", option, "--"]].concat());
                assert!(
                    command
                        .arg(std::ffi::OsStr::from_bytes(path))
                        .env("GIT_INDEX_FILE", copy)
                        .status()
                        .unwrap()
                        .success()
                );
            }
        }
    }

    /// Takes the snapshot both ways, from the top, and holds it against git's answer. Also: nothing that is the user's
    /// changes, and nothing at all is written when nothing is to be kept.
    #[track_caller]
    pub fn agrees(&self) -> Snapshot {
        self.agrees_in(&self.top.clone(), &self.top.clone())
    }

    /// The same from a directory of a working copy.
    #[track_caller]
    pub fn agrees_in(&self, top: &Path, from: &Path) -> Snapshot {
        let repository = self.repository_in(from);
        let before = everything(&self.root);
        let looked = repository.snapshot(&eager(Keep::Nothing)).unwrap();
        assert_same(&before, &everything(&self.root), |_| false);
        let kept = repository.snapshot(&eager(Keep::Objects)).unwrap();
        // What it may write: objects, and its own index.
        let (git_dir, own) = (repository.git_dir().to_owned(), repository.private_dir());
        assert_same(&before, &everything(&self.root), |path| {
            let ours = [git_dir.clone(), own.clone(), own.join("index")].contains(&PathBuf::from(path));
            ours || path.contains("/objects/") || path.ends_with("/objects")
        });
        let again = repository.snapshot(&eager(Keep::Nothing)).unwrap();
        let plain = |snapshot: &Snapshot| Snapshot { files_read: 0, ..snapshot.clone() };
        assert_eq!(plain(&looked), plain(&kept), "keeping the objects makes no difference");
        assert_eq!(plain(&looked), plain(&again), "remembering makes no difference");
        let answer = self.answer_in(top);
        let tree = looked.tree.to_string();
        if tree != answer {
            let difference = self.git_in(top, &["diff-tree", "-r", "--no-abbrev", &answer, &tree]);
            panic!("git says {answer}, the snapshot {tree}:\n{difference}");
        }
        assert!(
            self.command(top, &["fsck", "--connectivity-only", "--no-dangling", &tree])
                .output()
                .unwrap()
                .status
                .success(),
            "all objects are here"
        );
        looked
    }
}

/// What a project would use, with small limits.
pub fn options(keep: Keep) -> SnapshotOptions {
    SnapshotOptions { keep, litter: Litter::default(), max_file_size: 1 << 20, rest: REST, compared: false }
}

/// The same, where everything that was read is remembered, however young: what changes next does so after more than one
/// tick of the file system's clock.
pub fn eager(keep: Keep) -> SnapshotOptions {
    SnapshotOptions { rest: -1, ..options(keep) }
}

fn age(directory: &Path, then: SystemTime) {
    for item in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let kind = item.file_type().unwrap();
        if kind.is_dir() && item.file_name() != ".git" {
            age(&item.path(), then);
        } else if kind.is_file() {
            std::fs::File::open(item.path()).unwrap().set_modified(then).unwrap();
        }
    }
}

/// Every file below a directory: when it was changed, and its bytes.
pub fn everything(directory: &Path) -> BTreeMap<String, (SystemTime, Vec<u8>)> {
    fn walk(directory: &Path, out: &mut BTreeMap<String, (SystemTime, Vec<u8>)>) {
        for item in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let data = item.metadata().unwrap();
            let bytes = if data.is_file() { std::fs::read(item.path()).unwrap() } else { Vec::new() };
            out.insert(item.path().to_string_lossy().into_owned(), (data.modified().unwrap(), bytes));
            if data.is_dir() {
                walk(&item.path(), out);
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(directory, &mut out);
    out
}

#[track_caller]
pub fn assert_same(
    before: &BTreeMap<String, (SystemTime, Vec<u8>)>,
    after: &BTreeMap<String, (SystemTime, Vec<u8>)>,
    allowed: impl Fn(&str) -> bool,
) {
    let changed = |a: &BTreeMap<String, _>, b: &BTreeMap<String, _>| {
        a.iter()
            .filter(|(path, what)| !allowed(path) && b.get(*path) != Some(*what))
            .map(|(path, _)| path.clone())
            .collect::<Vec<_>>()
    };
    let mut touched = changed(before, after);
    touched.extend(changed(after, before));
    assert!(touched.is_empty(), "touched: {touched:?}");
}
