//! The contract of a run: what was promised when it began, frozen (§2.5 as design §4.2 changes it).
//!
//! The run id is in the record but not in the digest, so the same inputs give the same digest in every run.

use super::{
    approvers::Approvers,
    digest::Digest,
    git_id::{GitId, ObjectFormat},
    ids::{HarnessId, RunId, SpecId, TaskId},
    json::{Fields, Value},
    mode::Mode,
    policy::Decision,
    word::words,
};
use crate::diagnostics::{Code, Result};
use std::collections::BTreeMap;

words! {
    /// How strong an approval must be.
    Approvals, "a kind of approval" {
        /// A typed confirmation in a terminal.
        Terminal = "terminal",
        /// A signature by a key of the frozen `allowed_signers`.
        Signed = "signed",
    }
}

words! {
    /// Where the policy came from.
    PolicySource, "a policy source" {
        /// Built in.
        Default = "default",
        /// Tightened by the `[policy]` table of the configuration.
        Config = ".rapid/config.toml",
    }
}

/// The rules by which a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ruleset(u8);

impl Ruleset {
    /// Judges what was recorded before checks were run by the tool itself.
    pub const V1: Ruleset = Ruleset(1);
    /// V1, with expected failures and without agents' reviews.
    pub const V2: Ruleset = Ruleset(2);
    /// V2, with checks and approvals that this tool made only.
    pub const V3: Ruleset = Ruleset(3);
    /// V3, with supersession, currency, reproduction and no lost tests.
    pub const V4: Ruleset = Ruleset(4);

    /// The ruleset with this number.
    pub fn parse(number: i64, code: Code) -> Result<Ruleset> {
        match number {
            1..=4 => Ok(Ruleset(number as u8)),
            _ => Err(code
                .because(format!("ruleset {number} is not known (1, 2, 3, 4)"))
                .hint("a newer git-rapid may know it: cargo install git-rapid")),
        }
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }
}

/// The commit a run began at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// `None` in a repository without commits.
    pub commit: Option<GitId>,
    /// Its tree; the empty tree in a repository without commits.
    pub tree: GitId,
    /// The repository's hash.
    pub object_format: ObjectFormat,
}

/// A task of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// `T001` …
    pub id: TaskId,
    /// What is to be done.
    pub description: String,
}

/// The contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The run; not in the digest.
    pub run_id: RunId,
    /// The spec it was opened on.
    pub spec_id: SpecId,
    /// The spec's revision.
    pub spec_revision: u32,
    /// That revision's digest.
    pub spec_content_digest: Digest,
    /// The kind of work.
    pub mode: Mode,
    /// The agent's harness.
    pub harness: HarnessId,
    /// The command whose green means the tests are green; `None` when the terms name none.
    pub test_command: Option<Vec<String>>,
    /// By which rules it is judged.
    pub ruleset: Ruleset,
    /// How strong approvals must be.
    pub approvals: Approvals,
    /// Who has to approve; `None` where the terms do not say, and anybody may.
    pub approvers: Option<Approvers>,
    /// The id of the ledger's first entry.
    pub ledger: GitId,
    /// Where the code stood.
    pub base: Base,
    /// The frozen terms: file name → digest of its bytes.
    pub terms: BTreeMap<String, Digest>,
    /// Where the policy came from.
    pub policy_source: PolicySource,
    /// The policy's digest.
    pub policy_digest: Digest,
    /// What the policy decided.
    pub decision: Decision,
    /// The tasks, contiguous from `T001`.
    pub tasks: Vec<Task>,
}

impl Contract {
    /// The digest that everything of the run is bound to.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    fn body(&self) -> Value {
        let base = Value::object([
            ("commit", self.base.commit.as_ref().into()),
            ("tree", (&self.base.tree).into()),
            ("object_format", self.base.object_format.as_str().into()),
        ]);
        let terms = self.terms.iter().map(|(name, digest)| (name.clone(), (*digest).into())).collect();
        let tasks = self
            .tasks
            .iter()
            .map(|task| Value::object([("id", (&task.id).into()), ("description", (&task.description).into())]));
        let mut value = Value::object([
            ("schema_version", 1.into()),
            ("spec_id", (&self.spec_id).into()),
            ("spec_revision", self.spec_revision.into()),
            ("spec_content_digest", self.spec_content_digest.into()),
            ("mode", self.mode.into()),
            ("harness", (&self.harness).into()),
            ("test_command", self.test_command.clone().into()),
            ("ruleset_version", i64::from(self.ruleset.number()).into()),
            ("approvals", self.approvals.into()),
            ("ledger", (&self.ledger).into()),
            ("base", base),
            ("terms", Value::Object(terms)),
            ("policy_source", self.policy_source.into()),
            ("policy_digest", self.policy_digest.into()),
            ("decision", self.decision.to_value()),
            ("tasks", Value::list(tasks)),
        ]);
        for (key, member) in self.decision.members() {
            value = value.with(key, member);
        }
        value.with_some("approvers", self.approvers.as_ref().map(Approvers::to_value))
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let body = self.body();
        let digest = Digest::of_value(&body);
        body.with("run_id", &self.run_id).with("contract_digest", digest)
    }

    /// Reads and verifies what [`Contract::to_value`] writes; faults are RAPID1002.
    pub fn from_value(value: Value) -> Result<Contract> {
        let code = Code::Rapid1002;
        let mut fields = Fields::of(value, code, "the contract")?;
        fields.version()?;
        let decision = Decision::from_value(fields.required("decision")?)?;
        for (key, member) in decision.members() {
            if fields.required(key)? != member {
                return Err(fields.fault(format_args!("'{key}' is not what the decision says")));
            }
        }
        let test_command = match fields.required("test_command")? {
            Value::Null => None,
            Value::List(items) => Some(argv(items, code)?),
            _ => return Err(fields.fault("'test_command' must be a list or null")),
        };
        let contract = Contract {
            run_id: RunId::parse(&fields.text("run_id")?)?,
            spec_id: SpecId::parse(&fields.text("spec_id")?)?,
            spec_revision: fields.ordinal("spec_revision")?,
            spec_content_digest: Digest::parse(&fields.text("spec_content_digest")?, code)?,
            mode: Mode::parse(&fields.text("mode")?, code)?,
            harness: HarnessId::parse(&fields.text("harness")?)?,
            test_command,
            ruleset: Ruleset::parse(fields.number("ruleset_version", 1)?, code)?,
            approvals: Approvals::parse(&fields.text("approvals")?, code)?,
            approvers: fields.optional("approvers").map(Approvers::from_value).transpose()?,
            ledger: GitId::parse(&fields.text("ledger")?, code)?,
            base: base_from(fields.required("base")?)?,
            terms: terms_from(fields.required("terms")?)?,
            policy_source: PolicySource::parse(&fields.text("policy_source")?, code)?,
            policy_digest: Digest::parse(&fields.text("policy_digest")?, code)?,
            decision,
            tasks: fields.list("tasks")?.into_iter().map(task_from).collect::<Result<_>>()?,
        };
        let stored = Digest::parse(&fields.text("contract_digest")?, code)?;
        fields.end()?;
        for (task, ordinal) in contract.tasks.iter().zip(1..) {
            if task.id != TaskId::of(ordinal) {
                return Err(code.because("the contract's tasks are not contiguous from T001"));
            }
        }
        match stored == contract.digest() {
            true => Ok(contract),
            false => Err(code.because("the contract's digest does not hold")),
        }
    }
}

/// Reads a non-empty list of texts as a command.
pub fn argv(items: Vec<Value>, code: Code) -> Result<Vec<String>> {
    let words = items.into_iter().map(|item| match item {
        Value::Text(text) if !text.contains('\0') => Ok(text),
        _ => Err(code.because("a command must be a list of texts")),
    });
    let words: Vec<String> = words.collect::<Result<_>>()?;
    match words.first().is_some_and(|program| !program.is_empty()) {
        true => Ok(words),
        false => Err(code.because("a command must name a program")),
    }
}

fn base_from(value: Value) -> Result<Base> {
    let code = Code::Rapid1002;
    let mut fields = Fields::of(value, code, "the contract's base")?;
    let base = Base {
        commit: fields.text_or_null("commit")?.map(|id| GitId::parse(&id, code)).transpose()?,
        tree: GitId::parse(&fields.text("tree")?, code)?,
        object_format: ObjectFormat::parse(&fields.text("object_format")?, code)?,
    };
    fields.end()?;
    let digits = base.object_format.digits();
    let fit = base.commit.iter().chain([&base.tree]).all(|id| id.as_str().len() == digits);
    match fit {
        true => Ok(base),
        false => Err(code.because("an id of the contract's base is not of its object format")),
    }
}

fn terms_from(value: Value) -> Result<BTreeMap<String, Digest>> {
    let code = Code::Rapid1002;
    let Value::Object(members) = value else { return Err(code.because("the contract's terms are not an object")) };
    let terms = members.into_iter().map(|(name, digest)| {
        let digest = digest.as_text().ok_or_else(|| code.because("a term's digest is not a text"))?;
        Ok((name, Digest::parse(digest, code)?))
    });
    terms.collect()
}

fn task_from(value: Value) -> Result<Task> {
    let mut fields = Fields::of(value, Code::Rapid1002, "a task of the contract")?;
    let task = Task { id: TaskId::parse(&fields.text("id")?)?, description: fields.text("description")? };
    fields.end()?;
    Ok(task)
}
