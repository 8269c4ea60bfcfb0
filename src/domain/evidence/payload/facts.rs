//! What our own checks say beyond the exit code: the command, the code it ran on, what was recognised.

use super::finish::tree;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    contract::argv,
    digest::Digest,
    evidence::NamedTests,
    git_id::GitId,
    json::{Fields, Value},
};
use std::collections::BTreeMap;

/// The part of a definition that is the command's own words. Definitions that were recorded before parts were followed lack it.
pub const DEFINED_BY_WORDS: &str = "words";
/// What begins the name of a part that is not known: something is run that the tree does not tell.
pub const UNRESOLVED: &str = "not resolved: ";

/// How many tests ran and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    /// Ran and passed.
    pub passed: u64,
    /// Ran and failed.
    pub failed: u64,
    /// Did not run, or prove nothing.
    pub skipped: u64,
}

/// What a recorded tree does not hold, or holds only by name (design §4.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNotes {
    /// Untracked files left out: they look secret or are too large.
    pub withheld: Vec<String>,
    /// Nested repositories, held as a commit id or not at all.
    pub opaque: Vec<String>,
    /// Submodules with changes that their commit does not show.
    pub dirty_submodules: Vec<String>,
    /// Submodules that a fresh worktree could not be given, because their commit is not in this clone.
    pub unfilled_submodules: Vec<String>,
    /// Files of the tree that are not on the disk, because git was told to leave them out (sparse checkout). The first of them.
    pub absent: Vec<String>,
    /// Files that were not on the disk as a checkout of the tree would write them. The first of them.
    pub unlike: Vec<String>,
    /// Settings of this clone only that hid something.
    pub private_rules: Vec<String>,
    /// Tracked files with edits that a flag in the index hides from git's own commands. The tree holds the edits.
    pub flagged: Vec<String>,
}

impl TreeNotes {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == TreeNotes::default()
    }

    /// What is to be said of a check to whoever relies on it: what of the code it saw and the tree has not, or the other way round.
    pub fn in_words(&self) -> Vec<(&'static str, &[String])> {
        let all = [
            ("left out of the tree, too large or named like a secret", &self.withheld),
            ("nested repositories, held by name only", &self.opaque),
            ("submodules that were not filled", &self.unfilled_submodules),
            ("hidden or changed by settings of that clone only", &self.private_rules),
            ("edited where git is told not to look", &self.flagged),
        ];
        all.into_iter().filter(|(_, names)| !names.is_empty()).map(|(what, names)| (what, names.as_slice())).collect()
    }

    /// As a record has it.
    pub fn to_value(&self) -> Value {
        let some = |list: &Vec<String>| (!list.is_empty()).then(|| Value::list(list));
        Value::object([])
            .with_some("withheld", some(&self.withheld))
            .with_some("opaque", some(&self.opaque))
            .with_some("dirty_submodules", some(&self.dirty_submodules))
            .with_some("unfilled_submodules", some(&self.unfilled_submodules))
            .with_some("absent", some(&self.absent))
            .with_some("unlike", some(&self.unlike))
            .with_some("private_rules", some(&self.private_rules))
            .with_some("flagged", some(&self.flagged))
    }

    fn from_value(value: Value) -> Result<TreeNotes> {
        let mut fields = Fields::of(value, Code::Rapid1206, "the notes on the tree")?;
        let mut list = |key| fields.optional_texts(key).map(Option::unwrap_or_default);
        let notes = TreeNotes {
            withheld: list("withheld")?,
            opaque: list("opaque")?,
            dirty_submodules: list("dirty_submodules")?,
            unfilled_submodules: list("unfilled_submodules")?,
            absent: list("absent")?,
            unlike: list("unlike")?,
            private_rules: list("private_rules")?,
            flagged: list("flagged")?,
        };
        fields.end()?;
        Ok(notes)
    }
}

/// What our own checks say beyond the exit code. All of it may be missing in what others recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckFacts {
    /// The command that was run.
    pub command: Option<Vec<String>>,
    /// The check was meant to fail.
    pub expects_failure: bool,
    /// The command was exactly the configured test command.
    pub test_command: bool,
    /// What the test command resolved to: part of the tree, and the digest of it. For a baseline, at the base commit.
    pub definition: Option<BTreeMap<String, Digest>>,
    /// The code it ran on; missing when it changed while the command ran, or could not be named.
    pub tree: Option<GitId>,
    /// The code changed while the command ran.
    pub tree_changed: bool,
    /// The command ran in a fresh worktree of exactly that tree.
    pub clean: bool,
    /// What the tree does not say.
    pub notes: TreeNotes,
    /// The runner whose summary was recognised.
    pub runner: Option<String>,
    /// Why no summary counted: `none`, `no-counts`, `empty`, `contradiction`, `truncated`, `not-run`,
    /// `no-report`.
    pub uncounted: Option<String>,
    /// The kept log has a gap.
    pub log_truncated: bool,
    /// How often the kept log was redacted.
    pub redactions: u64,
    /// Which tests ran, where their names are known.
    pub tests: Option<NamedTests>,
}

impl CheckFacts {
    pub(super) fn add_to(&self, value: Value) -> Value {
        let yes = |flag: bool| flag.then_some(true);
        value
            .with_some("command", self.command.as_ref().map(Value::list))
            .with_some("expectation", self.expects_failure.then_some("fail"))
            .with_some("test_command", yes(self.test_command))
            .with_some(
                "definition",
                self.definition.as_ref().map(|parts| {
                    Value::Object(parts.iter().map(|(part, digest)| (part.clone(), (*digest).into())).collect())
                }),
            )
            .with_some("tree", self.tree.as_ref())
            .with_some("tree_changed", yes(self.tree_changed))
            .with_some("clean", yes(self.clean))
            .with_some("tree_notes", (!self.notes.is_empty()).then(|| self.notes.to_value()))
            .with_some("runner", self.runner.as_ref())
            .with_some("uncounted", self.uncounted.as_ref())
            .with_some("log_truncated", yes(self.log_truncated))
            .with_some("redactions", (self.redactions > 0).then_some(self.redactions))
            .with_some("tests", self.tests.as_ref().map(NamedTests::to_value))
    }

    pub(super) fn take(fields: &mut Fields) -> Result<CheckFacts> {
        let code = Code::Rapid1206;
        let command = fields.optional_texts("command")?;
        let expectation = fields.optional_text("expectation")?;
        if expectation.as_ref().is_some_and(|word| word != "fail") {
            return Err(fields.fault("'expectation' must be \"fail\" or left out"));
        }
        Ok(CheckFacts {
            command: command.map(|words| argv(words.into_iter().map(Value::Text).collect(), code)).transpose()?,
            expects_failure: expectation.is_some(),
            test_command: fields.marker("test_command")?,
            definition: fields.optional("definition").map(definition).transpose()?,
            tree: tree(fields)?,
            tree_changed: fields.marker("tree_changed")?,
            clean: fields.marker("clean")?,
            notes: fields.optional("tree_notes").map(TreeNotes::from_value).transpose()?.unwrap_or_default(),
            runner: fields.optional_text("runner")?,
            uncounted: fields.optional_text("uncounted")?,
            log_truncated: fields.marker("log_truncated")?,
            redactions: fields.optional_number("redactions", 1)?.unwrap_or(0) as u64,
            tests: fields.optional("tests").map(NamedTests::from_value).transpose()?,
        })
    }
}

fn definition(value: Value) -> Result<BTreeMap<String, Digest>> {
    let code = Code::Rapid1206;
    let Value::Object(parts) = value else { return Err(code.because("the payload: 'definition' must be an object")) };
    let parts = parts.into_iter().map(|(part, digest)| {
        let digest = digest.as_text().ok_or_else(|| code.because("a part of 'definition' must be a digest"))?;
        Ok((part, Digest::parse(digest, code)?))
    });
    parts.collect()
}
