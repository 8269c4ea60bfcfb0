//! What the test command resolves to in a tree: the script, the manifest entry or the target that it runs (design §5). Kept with
//! each check of the test command, so that a changed definition is seen even when the command's words stay the same.
//!
//! Followed are wrappers (`env`, `timeout`, `npx`, `poetry run` …), `sh -c`, targets with what they need and call, scripts of
//! `package.json` with what they call, and the settings of known runners. Where the part that counts cannot be told, the whole
//! file counts; where no file can be told, the definition says so ([`UNRESOLVED`]). A script's own text is where it ends: what
//! a script starts may be the code under test. Only what stands in the tree: which program a name on the `PATH` means is this
//! machine's matter, so such a command resolves to its words.

mod files;
mod just;
mod make;
mod package;
mod programs;
mod settings;
mod shell;
#[cfg(test)]
mod tests;
mod wrappers;

use crate::diagnostics::Result;
use crate::domain::{
    digest::Digest,
    evidence::{DEFINED_BY_WORDS, UNRESOLVED},
    json::Value,
};
use crate::git::{Oid, Repository};
use files::{Files, Found, InTree};
use std::collections::{BTreeMap, BTreeSet};

/// How many steps are followed, one from another; deeper counts as not resolved.
const DEEPEST: usize = 24;

/// The parts of `tree` that define what `command` runs, with the digest of each.
pub fn definition(repository: &Repository, tree: Oid, command: &[String]) -> Result<BTreeMap<String, Digest>> {
    resolved(&InTree { repository, tree }, command)
}

/// The same, over any files.
fn resolved(files: &dyn Files, command: &[String]) -> Result<BTreeMap<String, Digest>> {
    let words = Digest::of(Value::list(command).canonical().as_bytes());
    let mut resolver = Resolver {
        files,
        parts: BTreeMap::from([(DEFINED_BY_WORDS.to_owned(), words)]),
        seen: BTreeSet::new(),
        depth: 0,
    };
    resolver.command(command, "")?;
    Ok(resolver.parts)
}

/// Collects the parts while it follows a command.
struct Resolver<'a> {
    files: &'a dyn Files,
    parts: BTreeMap<String, Digest>,
    /// What was followed already: programs call each other in circles.
    seen: BTreeSet<String>,
    depth: usize,
}

impl Resolver<'_> {
    /// Follows a command that runs in `dir`, a directory of the tree ("" is its top).
    fn command(&mut self, words: &[String], dir: &str) -> Result<()> {
        let Some(program) = words.first() else { return Ok(()) };
        if self.depth >= DEEPEST {
            self.unresolved(program);
            return Ok(());
        }
        self.depth += 1;
        let done = self.program(words, dir);
        self.depth -= 1;
        done
    }

    /// Follows the commands of a shell's text.
    fn shell(&mut self, text: &str, dir: &str) -> Result<()> {
        let mut dir = Some(dir.to_owned());
        let script = shell::read(text);
        for what in &script.unclear {
            self.unresolved(what);
        }
        for words in &script.commands {
            let argument = words.get(1).map(String::as_str).unwrap_or_default();
            match (words.first().map(String::as_str), &dir) {
                (Some("cd" | "pushd"), Some(from)) => dir = files::join(from, argument),
                (Some("." | "source"), Some(from)) => drop(self.file(from, argument, true)?),
                (_, Some(from)) => {
                    let from = from.clone();
                    self.command(words, &from)?;
                }
                // Somewhere else than in the tree, or nobody knows where.
                (program, None) => self.unresolved(program.unwrap_or_default()),
            }
        }
        Ok(())
    }

    /// Takes a file as a part, and says whether the tree has it. One that is not there counts as not resolved where it is
    /// `needed`.
    fn file(&mut self, dir: &str, path: &str, needed: bool) -> Result<bool> {
        let found = match files::join(dir, path) {
            Some(place) => self.whole(&place)?,
            None => false,
        };
        if !found && needed {
            self.unresolved(path);
        }
        Ok(found)
    }

    /// Takes the whole of a file as a part; of a link, also what it leads to.
    fn whole(&mut self, place: &str) -> Result<bool> {
        Ok(self.text(place, true)?.is_some())
    }

    /// The bytes of a file; `None` when the tree has no such file. `kept`: all of it is a part.
    fn text(&mut self, place: &str, kept: bool) -> Result<Option<Vec<u8>>> {
        let mut place = place.to_owned();
        for _ in 0..5 {
            match self.files.look(&place)? {
                Found::File(bytes) => {
                    if kept {
                        self.part(place, &bytes);
                    }
                    return Ok(Some(bytes));
                }
                Found::Large(id) => {
                    self.part(place, id.as_bytes());
                    return Ok(Some(Vec::new()));
                }
                Found::Link(target) => {
                    self.part(place.clone(), target.as_bytes());
                    let parent = place.rsplit_once('/').map_or("", |(parent, _)| parent);
                    match files::join(parent, &target) {
                        Some(next) => place = next,
                        None => break,
                    }
                }
                Found::Directory | Found::Nothing => return Ok(None),
            }
        }
        self.unresolved(&place);
        Ok(Some(Vec::new()))
    }

    fn part(&mut self, name: String, bytes: &[u8]) {
        self.parts.insert(name, Digest::of(bytes));
    }

    /// Says that something is run whose text is not known.
    fn unresolved(&mut self, what: &str) {
        let what: String = what.chars().filter(|c| !c.is_control()).take(60).collect();
        let digest = Digest::of(what.as_bytes());
        self.parts.insert(format!("{UNRESOLVED}{what}"), digest);
    }

    /// Whether this is the first time.
    fn first_time(&mut self, what: String) -> bool {
        self.seen.insert(what)
    }
}
