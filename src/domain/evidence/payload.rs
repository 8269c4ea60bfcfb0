//! What each kind of evidence says (§2.7): closed objects, optional members left out when they say nothing.

use super::named::NamedTests;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    contract::argv,
    digest::Digest,
    gate::ReviewType,
    git_id::GitId,
    json::{Fields, Value},
    text::{RelativePath, portable_name, portable_text},
    word::words,
};
use std::collections::BTreeMap;

words! {
    /// The kinds of evidence.
    Kind, "a kind of evidence" {
        /// A command ended.
        CommandResult = "command_result",
        /// Tests were counted.
        TestResult = "test_result",
        /// Files changed.
        FileChange = "file_change",
        /// Git was asked or told something.
        GitResult = "git_result",
        /// Where the work happens.
        Workspace = "workspace",
        /// Somebody judged.
        Review = "review",
        /// A tool was called.
        ToolInvocation = "tool_invocation",
        /// Work was handed on.
        Delegation = "delegation",
        /// A file is kept.
        Artifact = "artifact",
    }
}

words! {
    /// What git was asked to do.
    GitOperation, "a git operation" {
        /// Look.
        Inspect = "inspect",
        /// Change.
        Modify = "modify",
    }
}

words! {
    /// Where the work happens.
    WorkspaceMode, "a workspace mode" {
        /// In the user's working copy.
        Current = "current",
        /// In a worktree of its own.
        Isolated = "isolated",
    }
}

words! {
    /// How a review ended.
    ReviewOutcome, "a review outcome" {
        /// Accepted.
        Approved = "approved",
        /// Not yet.
        ChangesRequested = "changes_requested",
        /// Not at all.
        Rejected = "rejected",
    }
}

words! {
    /// The command that wrote a review.
    Via, "a way of reviewing" {
        /// `git rapid approve`.
        Approve = "rapid:approve",
        /// `git rapid finish --accept-test-command`.
        Finish = "rapid:finish",
    }
}

words! {
    /// Whether something worked.
    Success, "an outcome" {
        /// It did.
        Success = "success",
        /// It did not.
        Failure = "failure",
    }
}

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
    /// Settings of this clone only that hid something.
    pub private_rules: Vec<String>,
}

impl TreeNotes {
    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == TreeNotes::default()
    }

    fn to_value(&self) -> Value {
        let some = |list: &Vec<String>| (!list.is_empty()).then(|| Value::list(list));
        Value::object([])
            .with_some("withheld", some(&self.withheld))
            .with_some("opaque", some(&self.opaque))
            .with_some("dirty_submodules", some(&self.dirty_submodules))
            .with_some("private_rules", some(&self.private_rules))
    }

    fn from_value(value: Value) -> Result<TreeNotes> {
        let mut fields = Fields::of(value, Code::Rapid1206, "the notes on the tree")?;
        let mut list = |key| fields.optional_texts(key).map(Option::unwrap_or_default);
        let notes = TreeNotes {
            withheld: list("withheld")?,
            opaque: list("opaque")?,
            dirty_submodules: list("dirty_submodules")?,
            private_rules: list("private_rules")?,
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
    fn add_to(&self, value: Value) -> Value {
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

    fn take(fields: &mut Fields) -> Result<CheckFacts> {
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
}

impl Finish {
    fn add_to(&self, value: Value) -> Value {
        let files = self.untracked.iter().map(|file| {
            Value::object([("path", (&file.path).into()), ("mode", (&file.mode).into()), ("id", (&file.id).into())])
        });
        let files = (!self.untracked.is_empty()).then(|| Value::list(files));
        value.with_some("tree", self.tree.as_ref()).with_some("untracked", files)
    }

    fn take(fields: &mut Fields) -> Result<Finish> {
        let tree = tree(fields)?;
        let items = match fields.optional("untracked") {
            None => Vec::new(),
            Some(Value::List(items)) => items,
            Some(_) => return Err(fields.fault("'untracked' must be a list")),
        };
        let untracked: Vec<StandingFile> = items.into_iter().map(standing_file).collect::<Result<_>>()?;
        match untracked.is_sorted_by(|a, b| a.path < b.path) {
            true => Ok(Finish { tree, untracked }),
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

fn tree(fields: &mut Fields) -> Result<Option<GitId>> {
    fields.optional_text("tree")?.map(|id| GitId::parse(&id, Code::Rapid1206)).transpose()
}

/// A judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// What it speaks of.
    pub review_type: ReviewType,
    /// How it ended.
    pub outcome: ReviewOutcome,
    /// Who says so.
    pub reviewer: String,
    /// The command that wrote it; missing when another tool did.
    pub via: Option<Via>,
    /// The code that was looked at.
    pub tree: Option<GitId>,
    /// In words; missing when nothing was said.
    pub comment: Option<String>,
}

/// What was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// A command ended; no test summary counted.
    CommandResult {
        /// In words.
        label: String,
        /// 128+N for signal N, 124 for a time limit.
        exit_code: i64,
        /// What our own checks add.
        facts: CheckFacts,
    },
    /// Tests were counted.
    TestResult {
        /// Which.
        suite: String,
        /// 128+N for signal N, 124 for a time limit.
        exit_code: i64,
        /// How they ended.
        counts: TestCounts,
        /// The numbers were read from a recognised summary.
        counted: bool,
        /// What our own checks add.
        facts: CheckFacts,
    },
    /// Files changed.
    FileChange {
        /// Which, sorted.
        paths: Vec<RelativePath>,
        /// The code afterwards, when `finish` recorded it.
        finish: Finish,
    },
    /// Git was asked or told something.
    GitResult {
        /// Which.
        operation: GitOperation,
        /// The code, when `finish` recorded that nothing changed.
        finish: Finish,
    },
    /// Where the work happens.
    Workspace {
        /// Where.
        mode: WorkspaceMode,
        /// The code at the start.
        start: Finish,
    },
    /// Somebody judged.
    Review(Review),
    /// A tool was called.
    ToolInvocation {
        /// Which.
        tool_id: String,
        /// Whether it worked.
        outcome: Success,
    },
    /// Work was handed on.
    Delegation {
        /// To whom.
        target: String,
        /// Whether it worked.
        outcome: Success,
    },
    /// A file is kept.
    Artifact {
        /// What it is.
        label: String,
    },
}

impl Payload {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Payload::CommandResult { .. } => Kind::CommandResult,
            Payload::TestResult { .. } => Kind::TestResult,
            Payload::FileChange { .. } => Kind::FileChange,
            Payload::GitResult { .. } => Kind::GitResult,
            Payload::Workspace { .. } => Kind::Workspace,
            Payload::Review(_) => Kind::Review,
            Payload::ToolInvocation { .. } => Kind::ToolInvocation,
            Payload::Delegation { .. } => Kind::Delegation,
            Payload::Artifact { .. } => Kind::Artifact,
        }
    }

    /// Whether it speaks of a failure by itself, whatever was expected (§2.7, "Failure of an item").
    pub fn fails(&self) -> bool {
        match self {
            Payload::CommandResult { exit_code, .. } => *exit_code != 0,
            Payload::TestResult { exit_code, counts, .. } => *exit_code != 0 || counts.failed > 0,
            Payload::Review(review) => review.outcome != ReviewOutcome::Approved,
            Payload::ToolInvocation { outcome, .. } | Payload::Delegation { outcome, .. } => {
                *outcome == Success::Failure
            }
            Payload::FileChange { .. }
            | Payload::GitResult { .. }
            | Payload::Workspace { .. }
            | Payload::Artifact { .. } => false,
        }
    }

    /// What our own checks add, for the two kinds that a check records.
    pub fn check_facts(&self) -> Option<&CheckFacts> {
        match self {
            Payload::CommandResult { facts, .. } | Payload::TestResult { facts, .. } => Some(facts),
            _ => None,
        }
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        match self {
            Payload::CommandResult { label, exit_code, facts } => {
                facts.add_to(Value::object([("label", label.into()), ("exit_code", (*exit_code).into())]))
            }
            Payload::TestResult { suite, exit_code, counts, counted, facts } => facts
                .add_to(Value::object([
                    ("suite", suite.into()),
                    ("exit_code", (*exit_code).into()),
                    ("passed", counts.passed.into()),
                    ("failed", counts.failed.into()),
                    ("skipped", counts.skipped.into()),
                ]))
                .with_some("counted", counted.then_some(true)),
            Payload::FileChange { paths, finish } => finish.add_to(Value::object([("paths", Value::list(paths))])),
            Payload::GitResult { operation, finish } => {
                finish.add_to(Value::object([("operation", (*operation).into())]))
            }
            Payload::Workspace { mode, start } => start.add_to(Value::object([("mode", (*mode).into())])),
            Payload::Review(review) => Value::object([
                ("review_type", review.review_type.into()),
                ("outcome", review.outcome.into()),
                ("reviewer", (&review.reviewer).into()),
            ])
            .with_some("via", review.via)
            .with_some("tree", review.tree.as_ref())
            .with_some("comment", review.comment.as_ref()),
            Payload::ToolInvocation { tool_id, outcome } => {
                Value::object([("tool_id", tool_id.into()), ("outcome", (*outcome).into())])
            }
            Payload::Delegation { target, outcome } => {
                Value::object([("target", target.into()), ("outcome", (*outcome).into())])
            }
            Payload::Artifact { label } => Value::object([("label", label.into())]),
        }
    }

    /// Reads what [`Payload::to_value`] writes; faults are RAPID1206.
    pub fn from_value(kind: Kind, value: Value) -> Result<Payload> {
        let code = Code::Rapid1206;
        let mut fields = Fields::of(value, code, "the payload")?;
        let name = |text: String, what| portable_name(&text, code, what);
        let text = |text: String, what| portable_text(&text, code, what);
        let payload = match kind {
            Kind::CommandResult => Payload::CommandResult {
                label: text(fields.text("label")?, "the label")?,
                exit_code: fields.number("exit_code", i64::MIN)?,
                facts: CheckFacts::take(&mut fields)?,
            },
            Kind::TestResult => Payload::TestResult {
                suite: text(fields.text("suite")?, "the suite")?,
                exit_code: fields.number("exit_code", i64::MIN)?,
                counts: TestCounts {
                    passed: fields.number("passed", 0)? as u64,
                    failed: fields.number("failed", 0)? as u64,
                    skipped: fields.number("skipped", 0)? as u64,
                },
                counted: fields.marker("counted")?,
                facts: CheckFacts::take(&mut fields)?,
            },
            Kind::FileChange => Payload::FileChange { paths: paths(&mut fields)?, finish: Finish::take(&mut fields)? },
            Kind::GitResult => Payload::GitResult {
                operation: GitOperation::parse(&fields.text("operation")?, code)?,
                finish: Finish::take(&mut fields)?,
            },
            Kind::Workspace => Payload::Workspace {
                mode: WorkspaceMode::parse(&fields.text("mode")?, code)?,
                start: Finish::take(&mut fields)?,
            },
            Kind::Review => Payload::Review(Review {
                review_type: ReviewType::parse(&fields.text("review_type")?, code)?,
                outcome: ReviewOutcome::parse(&fields.text("outcome")?, code)?,
                reviewer: name(fields.text("reviewer")?, "the reviewer")?,
                via: fields.optional_text("via")?.map(|via| Via::parse(&via, code)).transpose()?,
                tree: tree(&mut fields)?,
                comment: fields.optional_text("comment")?,
            }),
            Kind::ToolInvocation => Payload::ToolInvocation {
                tool_id: name(fields.text("tool_id")?, "the tool id")?,
                outcome: Success::parse(&fields.text("outcome")?, code)?,
            },
            Kind::Delegation => Payload::Delegation {
                target: name(fields.text("target")?, "the target")?,
                outcome: Success::parse(&fields.text("outcome")?, code)?,
            },
            Kind::Artifact => Payload::Artifact { label: text(fields.text("label")?, "the label")? },
        };
        fields.end()?;
        Ok(payload)
    }
}

fn paths(fields: &mut Fields) -> Result<Vec<RelativePath>> {
    let paths = fields.texts("paths")?;
    let paths: Vec<RelativePath> =
        paths.iter().map(|path| RelativePath::parse(path, Code::Rapid1206)).collect::<Result<_>>()?;
    match !paths.is_empty() && paths.is_sorted_by(|a, b| a < b) {
        true => Ok(paths),
        false => Err(fields.fault("'paths' must be there, in order, each once")),
    }
}
