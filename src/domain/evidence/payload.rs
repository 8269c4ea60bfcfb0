//! What each kind of evidence says (§2.7): closed objects, optional members left out when they say nothing.

mod facts;
mod finish;

pub use facts::{CheckFacts, DEFINED_BY_WORDS, TestCounts, TreeNotes, UNRESOLVED};
pub use finish::{Finish, StandingFile};

use finish::tree;

use crate::diagnostics::{Code, Result};
use crate::domain::{
    gate::ReviewType,
    git_id::GitId,
    json::{Fields, Value},
    text::{RelativePath, portable_name, portable_text},
    word::words,
};

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
        /// Nothing is asked any more: the gate was let go. Written where approvals are signed, so that this is, too.
        Waived = "waived",
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
    /// When it was signed, in seconds since 1970 as its signer's clock had it; missing when it is not signed.
    pub signed_at: Option<i64>,
    /// The authors of the change, by address, as they were known then; where the contract asks for them.
    pub authors: Vec<String>,
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
            Payload::Review(review) => !matches!(review.outcome, ReviewOutcome::Approved | ReviewOutcome::Waived),
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
            .with_some("signed_at", review.signed_at)
            .with_some("authors", (!review.authors.is_empty()).then(|| Value::list(&review.authors)))
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
                signed_at: fields.optional_number("signed_at", 0)?,
                authors: finish::authors(&mut fields)?,
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
