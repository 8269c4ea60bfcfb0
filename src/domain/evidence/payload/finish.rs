//! The code as `start` or `finish` found it, with the files that are part of the code and not of the work.

use crate::diagnostics::{Code, Result};
use crate::domain::{
    git_id::GitId,
    json::{Fields, Value},
    text::RelativePath,
};

/// An untracked file that stood in the working copy: named so that a commit without it can be told apart (design §4.6).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StandingFile {
    /// Where.
    pub path: RelativePath,
    /// As git writes modes: `100644`, `100755`, `120000`.
    pub mode: String,
    /// The blob.
    pub id: GitId,
}

/// The code as `finish` or `start` found it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finish {
    /// The tree of the working copy.
    pub tree: Option<GitId>,
    /// Untracked files in that tree that stood there, unchanged, since the run began (or, at the start: all untracked ones).
    pub untracked: Vec<StandingFile>,
    /// The authors of the change, by address, as far as they are known; where the contract asks for them.
    pub authors: Vec<String>,
}

impl Finish {
    pub(super) fn add_to(&self, value: Value) -> Value {
        let files = self.untracked.iter().map(|file| {
            Value::object([("path", (&file.path).into()), ("mode", (&file.mode).into()), ("id", (&file.id).into())])
        });
        let files = (!self.untracked.is_empty()).then(|| Value::list(files));
        value
            .with_some("tree", self.tree.as_ref())
            .with_some("untracked", files)
            .with_some("authors", (!self.authors.is_empty()).then(|| Value::list(&self.authors)))
    }

    pub(super) fn take(fields: &mut Fields) -> Result<Finish> {
        let tree = tree(fields)?;
        let items = match fields.optional("untracked") {
            None => Vec::new(),
            Some(Value::List(items)) => items,
            Some(_) => return Err(fields.fault("'untracked' must be a list")),
        };
        let untracked: Vec<StandingFile> = items.into_iter().map(standing_file).collect::<Result<_>>()?;
        match untracked.is_sorted_by(|a, b| a.path < b.path) {
            true => Ok(Finish { tree, untracked, authors: authors(fields)? }),
            false => Err(fields.fault("'untracked' is not in order")),
        }
    }
}

fn standing_file(value: Value) -> Result<StandingFile> {
    let code = Code::Rapid1206;
    let mut fields = Fields::of(value, code, "an untracked file")?;
    let file = StandingFile {
        path: RelativePath::parse(&fields.text("path")?, code)?,
        mode: fields.text("mode")?,
        id: GitId::parse(&fields.text("id")?, code)?,
    };
    fields.end()?;
    match file.mode.as_str() {
        "100644" | "100755" | "120000" => Ok(file),
        _ => Err(code.because(format!("'{}' is not the mode of a file", file.mode))),
    }
}

pub(super) fn tree(fields: &mut Fields) -> Result<Option<GitId>> {
    fields.optional_text("tree")?.map(|id| GitId::parse(&id, Code::Rapid1206)).transpose()
}

/// Addresses in order, each once; left out when there is none.
pub(super) fn authors(fields: &mut Fields) -> Result<Vec<String>> {
    let Some(authors) = fields.optional_texts("authors")? else { return Ok(Vec::new()) };
    match !authors.is_empty() && authors.is_sorted_by(|a, b| a < b) {
        true => Ok(authors),
        false => Err(fields.fault("'authors' must be there, in order, each once")),
    }
}
