//! Evidence: an observation bound to a contract and a state by digest (§2.7). Not a judgement.
//!
//! `payload` holds the nine kinds and what each says; `authoring` reads what `evidence add` is given.

mod authoring;
mod named;
mod payload;

pub use authoring::Authored;
pub use named::NamedTests;
pub use payload::{
    CheckFacts, DEFINED_BY_WORDS, Finish, GitOperation, Kind, Payload, Review, ReviewOutcome, StandingFile, Success,
    TestCounts, TreeNotes, UNRESOLVED, Via, WorkspaceMode,
};

use super::{
    capability::Capability,
    digest::{Digest, Running, sealed},
    ids::{EvidenceId, GateId, RunId, TaskId},
    json::{Fields, Value},
    text::{Producer, RelativePath, portable_text},
};
use crate::diagnostics::{Code, Result};

/// A file kept with a piece of evidence, by digest. Its bytes are among the attachments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Below `evidence/<run-id>/<evidence-id>/`.
    pub path: RelativePath,
    /// Of its bytes.
    pub sha256: Digest,
    /// In bytes.
    pub size_bytes: u64,
}

/// One record of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// `E001` …
    pub id: EvidenceId,
    /// The run.
    pub run_id: RunId,
    /// The run's contract.
    pub contract_digest: Digest,
    /// The state it was made in.
    pub state_revision: u32,
    /// That state's digest.
    pub state_digest: Digest,
    /// Who made it.
    pub producer: Producer,
    /// In words.
    pub summary: String,
    /// The tasks it speaks of, by number.
    pub task_ids: Vec<TaskId>,
    /// The gates it speaks of, in order of their ids.
    pub gate_ids: Vec<GateId>,
    /// The capabilities it claims to show, in order.
    pub capability_ids: Vec<Capability>,
    /// What was observed.
    pub payload: Payload,
    /// Files kept with it, by path.
    pub artifacts: Vec<Artifact>,
}

impl Evidence {
    /// Brings the lists into their final order.
    pub fn in_order(mut self) -> Evidence {
        self.task_ids.sort_by_key(TaskId::ordinal);
        self.task_ids.dedup();
        self.gate_ids.sort();
        self.gate_ids.dedup();
        self.capability_ids.sort_by_key(|capability| capability.as_str());
        self.capability_ids.dedup();
        self.artifacts.sort_by(|a, b| a.path.cmp(&b.path));
        self
    }

    /// The prefix that the artifact paths of a record have.
    pub fn artifact_prefix(run_id: &RunId, id: &EvidenceId) -> String {
        format!("evidence/{run_id}/{id}/")
    }

    /// The digest of its record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    fn body(&self) -> Value {
        let artifacts = self.artifacts.iter().map(|artifact| {
            Value::object([
                ("path", (&artifact.path).into()),
                ("sha256", artifact.sha256.into()),
                ("size_bytes", artifact.size_bytes.into()),
            ])
        });
        Value::object([
            ("schema_version", 1.into()),
            ("id", (&self.id).into()),
            ("run_id", (&self.run_id).into()),
            ("contract_digest", self.contract_digest.into()),
            ("state_revision", self.state_revision.into()),
            ("state_digest", self.state_digest.into()),
            ("kind", self.payload.kind().into()),
            ("producer", self.producer.to_string().into()),
            ("summary", (&self.summary).into()),
            ("task_ids", Value::list(&self.task_ids)),
            ("gate_ids", Value::list(&self.gate_ids)),
            ("capability_ids", Value::list(self.capability_ids.iter().copied())),
            ("payload", self.payload.to_value()),
            ("artifacts", Value::list(artifacts)),
        ])
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    /// Reads and verifies what [`Evidence::to_value`] writes; faults are RAPID1202, 1204, 1206 or 1207.
    pub fn from_value(value: Value) -> Result<Evidence> {
        let code = Code::Rapid1202;
        let mut fields = Fields::of(value, code, "the evidence record")?;
        fields.version()?;
        let id = EvidenceId::parse(&fields.text("id")?)?;
        let run_id = RunId::parse(&fields.text("run_id")?)?;
        let prefix = Evidence::artifact_prefix(&run_id, &id);
        let kind = Kind::parse(&fields.text("kind")?, Code::Rapid1206)?;
        let evidence = Evidence {
            contract_digest: Digest::parse(&fields.text("contract_digest")?, code)?,
            state_revision: fields.ordinal("state_revision")?,
            state_digest: Digest::parse(&fields.text("state_digest")?, code)?,
            producer: Producer::parse(&fields.text("producer")?)?,
            summary: portable_text(&fields.text("summary")?, code, "the summary")?,
            task_ids: fields.texts("task_ids")?.iter().map(|id| TaskId::parse(id)).collect::<Result<_>>()?,
            gate_ids: fields.texts("gate_ids")?.iter().map(|id| GateId::parse(id)).collect::<Result<_>>()?,
            capability_ids: capabilities(fields.texts("capability_ids")?)?,
            payload: Payload::from_value(kind, fields.required("payload")?)?,
            artifacts: fields
                .list("artifacts")?
                .into_iter()
                .map(|item| artifact(item, &prefix))
                .collect::<Result<_>>()?,
            id,
            run_id,
        };
        let stored = Digest::parse(&fields.text("content_digest")?, code)?;
        fields.end()?;
        if evidence.clone().in_order() != evidence {
            return Err(code.because("the lists of the evidence record are not in order or not without repetition"));
        }
        if evidence.artifacts.windows(2).any(|pair| matches!(pair, [a, b] if a.path == b.path)) {
            return Err(Code::Rapid1211.because("an artifact path is there twice"));
        }
        if evidence.payload.kind() == Kind::Artifact && evidence.artifacts.is_empty() {
            return Err(Code::Rapid1206.because("evidence of kind artifact needs an artifact"));
        }
        evidence.list_of_tests_is_kept()?;
        match stored == evidence.digest() {
            true => Ok(evidence),
            false => Err(code.because("the evidence record's digest does not hold")),
        }
    }

    /// The artifact of this name, directly below the record's own directory.
    pub fn artifact(&self, name: &str) -> Option<&Artifact> {
        let prefix = Evidence::artifact_prefix(&self.run_id, &self.id);
        self.artifacts.iter().find(|artifact| artifact.path.as_str().strip_prefix(&prefix) == Some(name))
    }

    /// What the payload says of a list of tests, it says of the artifact that is one.
    fn list_of_tests_is_kept(&self) -> Result<()> {
        let named = self.payload.check_facts().and_then(|facts| facts.tests.as_ref());
        let kept = self.artifact(NamedTests::ARTIFACT).map(|artifact| artifact.sha256);
        match named {
            Some(named) if kept != Some(named.sha256) => {
                Err(Code::Rapid1206.because("the payload speaks of a list of tests that is not kept with the record"))
            }
            _ => Ok(()),
        }
    }

    /// The digest of an append-only list of records (§2.8).
    pub fn set_digest<'a>(run_id: &RunId, evidence: impl IntoIterator<Item = &'a Evidence>) -> Digest {
        let records = evidence
            .into_iter()
            .map(|item| Value::object([("id", (&item.id).into()), ("content_digest", item.digest().into())]));
        Digest::of_value(&Value::object([("run_id", run_id.into()), ("records", Value::list(records))]))
    }

    /// The beginning of an append-only list whose set digest is `wanted`, the shortest first; each record is digested once.
    pub fn prefix_with_digest<'a>(run_id: &RunId, evidence: &'a [Evidence], wanted: Digest) -> Option<&'a [Evidence]> {
        // The canonical form of the set is written piece by piece, so that a prefix costs no more than its last record.
        let tail = format!("],\"run_id\":{}}}", Value::from(run_id).canonical());
        let mut running = Running::default();
        running.add("{\"records\":[");
        if running.with(&tail) == wanted {
            return evidence.get(..0);
        }
        for (index, item) in evidence.iter().enumerate() {
            let record = Value::object([("id", (&item.id).into()), ("content_digest", item.digest().into())]);
            if index > 0 {
                running.add(",");
            }
            running.add(&record.canonical());
            if running.with(&tail) == wanted {
                return evidence.get(..=index);
            }
        }
        None
    }
}

/// Reads capability ids; an unknown one is RAPID1207.
fn capabilities(ids: Vec<String>) -> Result<Vec<Capability>> {
    ids.iter().map(|id| Capability::parse(id, Code::Rapid1207)).collect()
}

fn artifact(value: Value, prefix: &str) -> Result<Artifact> {
    let code = Code::Rapid1202;
    let mut fields = Fields::of(value, code, "an artifact")?;
    let artifact = Artifact {
        path: RelativePath::parse(&fields.text("path")?, Code::Rapid1204)?,
        sha256: Digest::parse(&fields.text("sha256")?, code)?,
        size_bytes: fields.number("size_bytes", 0)? as u64,
    };
    fields.end()?;
    match artifact.path.as_str().starts_with(prefix) {
        true => Ok(artifact),
        false => Err(Code::Rapid1204.because(format!("the artifact path '{}' is not below '{prefix}'", artifact.path))),
    }
}

#[cfg(test)]
mod tests;
