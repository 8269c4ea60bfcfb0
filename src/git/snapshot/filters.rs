//! The filters on the way from the disk into git: line endings, `ident`, and the commands that attributes name. Not here:
//! encodings (`asked`).

use super::content::Conversion;
use super::rules::is_private;
use super::settings::{is_no, is_yes};
use super::{native, shown, unrecordable};
use crate::diagnostics::{Diagnostic, Result};
use crate::git::Repository;
use gix::attrs::StateRef;
use gix::attrs::search::Outcome;
use gix::bstr::{BStr, ByteSlice};
use gix::filter::plumbing::pipeline::convert::ToGitOutcome;
use gix::worktree::stack::state::attributes::Source;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Attributes that change what is stored.
const TELLING: &[&str] = &["text", "crlf", "eol", "filter", "ident", "working-tree-encoding", "binary"];

/// Those that decide about a conversion, in the order in which [`conversion`] takes them.
const DECIDING: [&str; 6] = ["filter", "ident", "working-tree-encoding", "text", "crlf", "eol"];

pub(super) struct Filters<'a> {
    repository: &'a Repository,
    index: &'a gix::index::State,
    top: &'a Path,
    pipeline: Option<gix::filter::Pipeline<'a>>,
    /// `core.autocrlf` makes a rule for files that have none.
    guesses: bool,
    attributes: Option<Attributes<'a>>,
    /// The files of attributes that had a say and that no other clone has.
    pub private: BTreeSet<PathBuf>,
    /// The filters that attributes name and nothing defines, or that do nothing on the way into git.
    pub idle: BTreeSet<String>,
    /// Those that do something.
    driving: BTreeSet<String>,
}

/// What a checkout does to the bytes of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Writes {
    /// A filter of this clone's configuration has a hand in it.
    pub driven: bool,
    /// What any clone does.
    pub forced: Option<Forced>,
    /// There is a rule for line endings.
    pub lines: bool,
}

/// What any clone does to bytes that it writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forced {
    /// All lines end in CR LF.
    Lines,
    /// `$Id$` is filled in.
    Ident,
    /// Another encoding.
    Encoding,
}

impl<'a> Filters<'a> {
    pub(super) fn new(repository: &'a Repository, index: &'a gix::index::State, top: &'a Path) -> Filters<'a> {
        let guesses = repository.config_text("core.autocrlf").is_some_and(|value| is_yes(&value) || value == "input");
        let (private, idle, driving) = Default::default();
        Filters { repository, index, top, pipeline: None, guesses, attributes: None, private, idle, driving }
    }

    /// What happens to the bytes of a path on their way into git. Attributes of this clone only are noted.
    pub(super) fn conversion(&mut self, path: &BStr) -> Result<Conversion> {
        let attributes = match &mut self.attributes {
            Some(attributes) => attributes,
            None => self.attributes.insert(Attributes::new(self.repository, self.index)?),
        };
        let Attributes { stack, deciding, all } = attributes;
        let platform = stack.at_entry(path, None).map_err(|error| unrecordable(&error))?;
        if let Some(all) = all {
            platform.matching_attributes(all);
            let telling = all.iter().filter(|found| TELLING.contains(&found.assignment.name.as_str()));
            let sources = telling
                .filter_map(|found| found.location.source)
                .filter(|source| is_private(source, ".gitattributes", self.top));
            self.private.extend(sources.filter(|source| source.is_file()).map(Path::to_owned));
        }
        platform.matching_attributes(deciding);
        Ok(conversion(&states(deciding), self.guesses))
    }

    /// What happens to the bytes of a path on their way out of git.
    pub(super) fn writes(&mut self, path: &BStr) -> Result<Writes> {
        let conversion = self.conversion(path)?;
        let Some(attributes) = self.attributes.as_ref().filter(|_| conversion != Conversion::None) else {
            return Ok(Writes::default());
        };
        let states = states(&attributes.deciding);
        let [filter, ident, encoding, text, _, eol] = states.as_slice() else { return Ok(Writes::default()) };
        let forced = match (encoding, ident, eol) {
            _ if *encoding != StateRef::Unspecified => Some(Forced::Encoding),
            _ if *ident == StateRef::Set => Some(Forced::Ident),
            (_, _, StateRef::Value(eol)) if eol.as_bstr() == "crlf" && *text != StateRef::Unset => Some(Forced::Lines),
            _ => None,
        };
        let writes = Writes { driven: false, forced, lines: *text != StateRef::Unset };
        let StateRef::Value(name) = filter else { return Ok(writes) };
        let name = name.as_bstr().to_string();
        if !self.driving.contains(&name) && !self.idle.contains(&name) {
            let known = if runs(self.repository, &name) { &mut self.driving } else { &mut self.idle };
            known.insert(name.clone());
        }
        let driven = self.driving.contains(&name);
        if driven {
            self.private.insert(PathBuf::from(format!("filter.{name} of git's configuration")));
        }
        Ok(Writes { driven, ..writes })
    }

    /// Notes the command that a path's `filter` names, which only this clone has.
    pub(super) fn note_filter(&mut self, path: &BStr) {
        let name = filter_of(self.repository, self.index, path);
        if let Some(name) = name.filter(|name| runs(self.repository, name)) {
            self.private.insert(PathBuf::from(format!("filter.{name} of git's configuration")));
        }
    }

    /// A file as git stores it.
    pub(super) fn clean(&mut self, path: &BStr, file: File) -> Result<ToGitOutcome<'_, File>> {
        if self.pipeline.is_none() {
            let gix = &self.repository.gix;
            let stack = stack(self.repository, self.index)?.detach();
            self.pipeline = Some(gix::filter::Pipeline::new(gix, stack).map_err(|error| unrecordable(&error))?);
        }
        let Some(pipeline) = &mut self.pipeline else { return Ok(ToGitOutcome::Unchanged(file)) };
        let converted = pipeline.convert_to_git(file, &native(path), self.index);
        if let Ok(ToGitOutcome::Process(_)) = &converted {
            // The attribute is everybody's, the command behind it is this clone's own.
            let name = filter_of(self.repository, self.index, path).unwrap_or_else(|| "?".to_owned());
            self.private.insert(PathBuf::from(format!("filter.{name} of git's configuration")));
        }
        converted.map_err(|error| failure(self.repository, self.index, path, &error))
    }
}

/// The attributes of paths.
struct Attributes<'a> {
    stack: gix::AttributeStack<'a>,
    deciding: Outcome,
    /// Only where this clone has attributes that no other has.
    all: Option<Outcome>,
}

impl<'a> Attributes<'a> {
    fn new(repository: &'a Repository, index: &gix::index::State) -> Result<Attributes<'a>> {
        let stack = stack(repository, index)?;
        Ok(Attributes {
            deciding: stack.selected_attribute_matches(DECIDING),
            all: has_private(repository)?.then(|| stack.attribute_matches()),
            stack,
        })
    }
}

/// Whether this clone has attributes that no other has.
fn has_private(repository: &Repository) -> Result<bool> {
    let mut private = repository.gix.attribute_global_paths().map_err(|error| unrecordable(&error))?;
    private.push(repository.common_dir().join("info").join("attributes"));
    Ok(private.iter().any(|path| std::fs::metadata(path).is_ok_and(|data| data.len() > 0)))
}

/// Whether any file might be another in git than on the disk: looked at before all paths are.
pub(super) fn may_convert(repository: &Repository, index: &gix::index::State, top: &Path) -> Result<bool> {
    if repository.config_text("core.autocrlf").is_some_and(|value| !is_no(&value)) || has_private(repository)? {
        return Ok(true);
    }
    let named = |path: &BStr| path == ".gitattributes" || path.ends_with(b"/.gitattributes");
    let mut files = index.entries().iter().map(|entry| entry.path(index)).filter(|path| named(path));
    Ok(files.any(|path| std::fs::read(top.join(native(path))).map_or(true, |text| tells(&text))))
}

/// Whether a file of attributes says anything about conversions.
pub(super) fn tells(text: &[u8]) -> bool {
    ["text", "crlf", "eol", "filter", "ident", "encoding"].iter().any(|word| text.find(word).is_some())
}

/// Whether a checkout here writes CR LF where no attribute asks for it.
pub(super) fn writes_crlf(repository: &Repository) -> bool {
    let set = |key| repository.config_text(key);
    cfg!(windows)
        || set("core.autocrlf").is_some_and(|value| is_yes(&value))
        || set("core.eol").is_some_and(|value| value.eq_ignore_ascii_case("crlf"))
}

fn runs(repository: &Repository, filter: &str) -> bool {
    let set = |what| repository.config_text(&format!("filter.{filter}.{what}")).is_some();
    set("clean") || set("process")
}

fn states(deciding: &Outcome) -> Vec<StateRef<'_>> {
    deciding.iter_selected().map(|found| found.assignment.state).collect()
}

fn stack<'a>(repository: &'a Repository, index: &gix::index::State) -> Result<gix::AttributeStack<'a>> {
    let source = Source::WorktreeThenIdMapping;
    repository.gix.attributes_only(index, source).map_err(|error| unrecordable(&error))
}

/// What the states of [`DECIDING`] come to. Where it is not certain, the one that lets fewer files stay as they are.
fn conversion(states: &[StateRef<'_>], guesses: bool) -> Conversion {
    let [filter, ident, encoding, text, crlf, eol] = states else { return Conversion::Other };
    let given = |state: &StateRef<'_>| !matches!(state, StateRef::Unset | StateRef::Unspecified);
    if *encoding != StateRef::Unspecified {
        // Also where it is taken off in a way that git does not know.
        return Conversion::Encoding;
    }
    if given(filter) || given(ident) {
        return Conversion::Other;
    }
    match text {
        StateRef::Unset => Conversion::None,
        StateRef::Value(value) if value.as_bstr() == "auto" => Conversion::Auto,
        StateRef::Set | StateRef::Value(_) => Conversion::Text,
        StateRef::Unspecified if *crlf != StateRef::Unspecified || given(eol) => Conversion::Text,
        StateRef::Unspecified if guesses => Conversion::Auto,
        StateRef::Unspecified => Conversion::None,
    }
}

/// What to say when a filter failed: which, and for which path.
pub(super) fn failure(
    repository: &Repository,
    index: &gix::index::State,
    path: &BStr,
    error: &dyn std::error::Error,
) -> Diagnostic {
    let mut fault = unrecordable(error);
    let which = filter_of(repository, index, path)
        .map_or_else(|| "a conversion".to_owned(), |name| format!("the filter '{name}'"));
    fault.message = format!("{which} failed for '{}': {}", shown(path), fault.message);
    fault.at(shown(path))
}

fn filter_of(repository: &Repository, index: &gix::index::State, path: &BStr) -> Option<String> {
    let mut stack = stack(repository, index).ok()?;
    let mut outcome = stack.selected_attribute_matches(["filter"]);
    stack.at_entry(path, None).ok()?.matching_attributes(&mut outcome);
    let found = outcome.iter_selected().next()?;
    match found.assignment.state {
        StateRef::Value(name) => Some(name.as_bstr().to_string()),
        _ => None,
    }
}
