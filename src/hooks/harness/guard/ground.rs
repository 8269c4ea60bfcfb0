//! The ground that a guard stands on: which files are protected here, and where a path leads.
//!
//! Not here: whether a command writes. A path is followed through `..` and through symbolic links as far as it exists.

use crate::hooks::harness::{HOOK, Harness};
use crate::os::files;
use crate::verbs::rapid::Rapid;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The ground.
#[derive(Clone, Debug, Default)]
pub struct Ground {
    /// Where relative paths begin when a call does not say.
    pub(super) cwd: PathBuf,
    home: Option<PathBuf>,
    /// What is protected, each with the name it is spoken of by.
    protected: Vec<(PathBuf, String)>,
    aliases: BTreeMap<String, String>,
}

impl Ground {
    /// Of a place without a repository: only commands are judged.
    pub fn bare(cwd: &Path, home: Option<PathBuf>) -> Ground {
        let mut ground = Ground { cwd: cwd.to_owned(), home, ..Ground::default() };
        ground.add_home();
        ground
    }

    /// Of a repository that is worked in.
    pub fn of(rapid: &Rapid, cwd: &Path) -> Ground {
        let repository = rapid.repository();
        let home = repository.environment().path("HOME");
        let mut ground = Ground::bare(cwd, home);
        let (common, own) = (repository.common_dir(), repository.git_dir());
        for directory in [Some(common), Some(own).filter(|own| *own != common)].into_iter().flatten() {
            let real = followed(directory);
            for name in IN_GIT {
                let called = format!("git's {name}");
                if real != directory {
                    ground.protected.push((real.join(name), called.clone()));
                }
                ground.protected.push((directory.join(name), called));
            }
        }
        // A run may have a worktree of its own.
        if let Some(path) = rapid.session().ok().flatten().and_then(|session| session.workspace_path) {
            ground.add(Path::new(&path).join(".rapid"), ".rapid/ of the run's worktree".to_owned());
        }
        if let Some(top) = repository.workdir() {
            ground.add(top.join(".rapid"), ".rapid/".to_owned());
            for harness in guarded(top) {
                for path in harness.settings() {
                    ground.add(top.join(path), (*path).to_owned());
                }
            }
        }
        for line in repository.config_aliases() {
            ground.aliases.insert(line.0, line.1);
        }
        ground
    }

    fn add(&mut self, path: PathBuf, name: String) {
        let real = followed(&path);
        if real != path {
            self.protected.push((real, name.clone()));
        }
        self.protected.push((path, name));
    }

    /// Settings of the person that can switch a guard off.
    fn add_home(&mut self) {
        let Some(home) = self.home.clone() else { return };
        for name in HOME_SETTINGS {
            self.add(home.join(name), format!("~/{name}"));
        }
    }

    /// What is protected and would be written, when something is written here.
    pub(super) fn protects(&self, cwd: &Path, target: &str) -> Option<&str> {
        let path = self.absolute(cwd, target)?;
        if let Some(name) = named_beyond(&path) {
            return Some(name);
        }
        let real = followed(&path);
        let hit = self.protected.iter().find(|(root, _)| lies_in(&path, root) || lies_in(&real, root));
        hit.map(|(_, name)| name.as_str())
    }

    /// What is protected and lies below this path.
    pub(super) fn holds(&self, cwd: &Path, target: &str) -> Option<&str> {
        let real = followed(&self.absolute(cwd, target)?);
        self.protected.iter().find(|(root, _)| lies_in(root, &real)).map(|(_, name)| name.as_str())
    }

    /// What an alias of git stands for.
    pub(super) fn alias(&self, name: &str) -> Option<&str> {
        self.aliases.get(name).map(String::as_str)
    }

    fn absolute(&self, cwd: &Path, target: &str) -> Option<PathBuf> {
        if target.is_empty() || target.len() > 4096 || target.contains('\n') {
            return None;
        }
        let home = self.home.as_ref();
        let path = match target.strip_prefix("~/").or_else(|| target.strip_prefix("$HOME/")) {
            Some(rest) => home?.join(rest),
            None => cwd.join(target.strip_prefix("$PWD/").unwrap_or(target)),
        };
        Some(plain(&self.cwd.join(path)))
    }
}

/// What is protected in a git directory.
const IN_GIT: [&str; 12] = [
    "rapid",
    "refs/rapid",
    "refs/rapid-local",
    "logs/refs/rapid",
    "reftable",
    "packed-refs",
    "objects",
    "config",
    "config.worktree",
    "hooks",
    "info/grafts",
    "refs/replace",
];

/// Settings of a person, below their home.
pub(in crate::hooks::harness) const HOME_SETTINGS: [&str; 5] =
    [".claude/settings.json", ".codex/config.toml", ".codex/hooks.json", ".gemini/settings.json", ".cursor/hooks.json"];

/// The harnesses whose guard stands in a working copy.
pub(in crate::hooks::harness) fn guarded(top: &Path) -> Vec<Harness> {
    let stands = |harness: &Harness| {
        let texts =
            harness.settings().iter().filter_map(|path| files::read_if_there(&top.join(path), 4 << 20).ok().flatten());
        let mut texts = texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        texts.any(|text| text.contains(HOOK) || text.contains("\"hook\", \"harness\""))
    };
    Harness::ALL.into_iter().filter(stands).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

/// Where a path leads: as much of it as exists is followed through symbolic links.
fn followed(path: &Path) -> PathBuf {
    let mut above = path.to_owned();
    let mut rest = Vec::new();
    loop {
        if let Ok(real) = above.canonicalize() {
            return rest.iter().rev().fold(real, |path: PathBuf, name| path.join(name));
        }
        match (above.file_name().map(ToOwned::to_owned), above.pop()) {
            (Some(name), true) => rest.push(name),
            _ => return path.to_owned(),
        }
    }
}

/// What is named behind a part of a path that is only known when it runs.
fn named_beyond(path: &Path) -> Option<&'static str> {
    let parts: Vec<String> =
        path.components().map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase()).collect();
    let beyond = parts.get(parts.iter().position(|part| part.contains('$'))? + 1..)?;
    let git = |names: &[&str]| {
        beyond.iter().zip(beyond.iter().skip(1)).any(|(git, name)| git == ".git" && names.contains(&name.as_str()))
    };
    match () {
        () if beyond.iter().any(|part| part == ".rapid") => Some(".rapid/"),
        () if git(&["rapid", "hooks", "config", "packed-refs"]) => Some("what is protected in .git/"),
        () if beyond.windows(2).any(|pair| pair == ["refs", "rapid"]) => Some("refs/rapid"),
        () => None,
    }
}

/// Whether a path is another one or lies below it, on file systems without letter case too. A part with a pattern is every
/// name that it fits.
fn lies_in(path: &Path, root: &Path) -> bool {
    let mut of_path = path.components();
    root.components().all(|part| {
        of_path.next().is_some_and(|other| {
            other.as_os_str().eq_ignore_ascii_case(part.as_os_str())
                || matches!((other.as_os_str().to_str(), part.as_os_str().to_str()), (Some(pattern), Some(name)) if fits(pattern, name))
        })
    })
}

/// Whether a pattern of a shell fits a name; without one it does not.
fn fits(pattern: &str, name: &str) -> bool {
    // A name that begins with a dot is fitted by no pattern that does not.
    if !pattern.contains(['*', '?', '[']) || (name.starts_with('.') && !pattern.starts_with('.')) {
        return false;
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // `at` walks the name; `back` is where the last `*` may take one more.
    let (mut p, mut at, mut back) = (0, 0, None);
    while at < name.len() {
        let (one, width) = match pattern.get(p) {
            Some('*') => {
                back = Some((p, at));
                p += 1;
                continue;
            }
            Some('?') => (true, 1),
            // A class is taken for any one character.
            Some('[') => match pattern.iter().skip(p + 2).position(|c| *c == ']') {
                Some(end) => (true, end + 3),
                None => (false, 1),
            },
            Some(c) => (name.get(at).is_some_and(|other| other.eq_ignore_ascii_case(c)), 1),
            None => (false, 1),
        };
        match (one, back) {
            (true, _) => {
                p += width;
                at += 1;
            }
            (false, Some((star, from))) => {
                back = Some((star, from + 1));
                (p, at) = (star + 1, from + 1);
            }
            (false, None) => return false,
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}
