//! Filling the submodules of a worktree from what this clone has of them: no network, and nothing registered anywhere.
//!
//! Not here: what a snapshot says of submodules (`snapshot`).

use super::{Mode, Oid, Repository};
use crate::diagnostics::Result;
use std::path::{Path, PathBuf};

/// How deep submodules of submodules are filled.
const DEEPEST: usize = 8;

impl Repository {
    /// Checks out the submodules of `tree` in the worktree at `top`; the paths of those whose commit is not to be had here.
    pub fn fill_submodules(&self, tree: Oid, top: &Path) -> Result<Vec<String>> {
        let links = self.gitlinks(top, &tree.to_string())?;
        let mut unfilled = Vec::new();
        for (path, id) in links {
            let checked_out =
                self.workdir().map(|workdir| workdir.join(&path)).filter(|place| place.join(".git").exists());
            let named = self.name_of(top, &path).unwrap_or_else(|| path.clone());
            let stored = self.common_dir().join("modules").join(named);
            let sources =
                checked_out.into_iter().chain(Some(stored).filter(|place| place.join("HEAD").exists())).collect();
            self.fill(top, &path, &id, sources, 0, &mut unfilled)?;
        }
        Ok(unfilled)
    }

    fn fill(
        &self,
        top: &Path,
        path: &str,
        id: &str,
        sources: Vec<PathBuf>,
        depth: usize,
        unfilled: &mut Vec<String>,
    ) -> Result<()> {
        let place = top.join(path);
        let Some(source) = self.cloned(&place, id, &sources)? else {
            unfilled.push(path.to_owned());
            return Ok(());
        };
        for (below, id) in self.gitlinks(&place, id)? {
            let inner = format!("{path}/{below}");
            if depth >= DEEPEST {
                unfilled.push(inner);
                continue;
            }
            let git_dir = self.git_in(&source).arguments(["rev-parse", "--absolute-git-dir"]).try_run()?;
            let named = self.name_of(&place, &below).unwrap_or_else(|| below.clone());
            let stored = PathBuf::from(git_dir.text().trim()).join("modules").join(named);
            let sources = [source.join(&below), stored];
            let there = |place: &PathBuf| place.join(".git").exists() || place.join("HEAD").exists();
            self.fill(top, &inner, &id, sources.into_iter().filter(there).collect(), depth + 1, unfilled)?;
        }
        Ok(())
    }

    /// Makes a repository at `place` that borrows the objects of the first source that has the commit.
    fn cloned(&self, place: &Path, id: &str, sources: &[PathBuf]) -> Result<Option<PathBuf>> {
        let quiet = ["-c", "core.hooksPath=", "-c", "advice.detachedHead=false"];
        for source in sources {
            let commit = format!("{id}^{{commit}}");
            let has =
                self.git_in(source).arguments(["cat-file", "-e", &commit]).with("GIT_NO_LAZY_FETCH", "1").try_run()?;
            if has.code != 0 {
                continue;
            }
            let clone = self.git_in(source).arguments(quiet);
            let clone = clone.arguments(["clone", "--quiet", "--shared", "--no-checkout", "--no-tags", "--template="]);
            if clone.argument("--").argument(source).argument(place).try_run()?.code != 0 {
                continue;
            }
            let checkout = self.git_in(place).arguments(quiet).arguments(["checkout", "--quiet", "--detach", id]);
            if checkout.try_run()?.code == 0 {
                return Ok(Some(source.clone()));
            }
        }
        Ok(None)
    }

    /// The submodules that a commit or tree holds, with their commits, as the repository at `directory` has them.
    fn gitlinks(&self, directory: &Path, tree: &str) -> Result<Vec<(String, String)>> {
        let git =
            self.git_in(directory).arguments(["ls-tree", "-r", "-z", "--full-tree", tree]).answer_limit(256 << 20);
        let list = git.run()?.stdout;
        let lines = list.split(|byte| *byte == 0).filter(|line| line.starts_with(Mode::Gitlink.as_str().as_bytes()));
        let link = |line: &[u8]| {
            let line = String::from_utf8_lossy(line).into_owned();
            let (facts, path) = line.split_once('\t')?;
            Some((path.to_owned(), facts.split(' ').nth(2)?.to_owned()))
        };
        Ok(lines.filter_map(link).collect())
    }

    /// The name of the submodule at a path, by the `.gitmodules` in `directory`.
    fn name_of(&self, directory: &Path, path: &str) -> Option<String> {
        let git = self.git_in(directory).arguments(["config", "-z", "-f", ".gitmodules", "--get-regexp", r"\.path$"]);
        let answer = git.try_run().ok()?;
        let text = answer.text().into_owned();
        let entry = text.split('\0').find_map(|entry| {
            let (key, value) = entry.split_once('\n')?;
            (value == path).then(|| key.strip_prefix("submodule.")?.strip_suffix(".path")).flatten()
        })?;
        // A name is a path below a directory of git's; nothing else is looked into.
        let inside = entry.split('/').all(|part| !part.is_empty() && part != "..");
        inside.then(|| entry.to_owned())
    }
}
