//! What `evidence add` is given: a document of few members; everything else is the tool's to say (§2.7).

use super::{Kind, Payload, capabilities};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    capability::Capability,
    ids::{GateId, TaskId},
    json::{Fields, Value},
    text::{Producer, RelativePath, portable_text},
};

/// An authored piece of evidence, before it is bound to anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authored {
    /// Who made it.
    pub producer: Producer,
    /// In words.
    pub summary: String,
    /// What was observed.
    pub payload: Payload,
    /// The state it speaks of; `None` for the current one.
    pub state_revision: Option<u32>,
    /// The tasks it speaks of.
    pub task_ids: Vec<TaskId>,
    /// The gates it speaks of.
    pub gate_ids: Vec<GateId>,
    /// The capabilities it claims to show.
    pub capability_ids: Vec<Capability>,
    /// Files to keep with it: relative source paths.
    pub artifacts: Vec<RelativePath>,
}

impl Authored {
    /// Reads the document. Reserved producers, and reviews by `user`, are refused (RAPID1430); an `id` is RAPID1201.
    pub fn from_value(value: Value) -> Result<Authored> {
        let code = Code::Rapid1202;
        let mut fields = Fields::of(value, code, "the evidence document")?;
        if fields.optional("id").is_some() {
            return Err(Code::Rapid1201.because("the evidence id is given by the tool").hint("leave 'id' out"));
        }
        if fields.optional("schema_version").is_some_and(|version| version != Value::Int(1)) {
            return Err(code.because("the evidence document's schema_version is not 1"));
        }
        let kind = Kind::parse(&fields.text("kind")?, Code::Rapid1206)?;
        let as_1207 = |error: Diagnostic| Diagnostic { code: Code::Rapid1207, ..error };
        let producer = fields.text("producer")?;
        // Also what none of our verbs writes today: a later one may.
        if producer.trim().starts_with("rapid:") {
            return Err(reserved(kind, producer.trim()));
        }
        let authored = Authored {
            producer: Producer::parse(&producer)?,
            summary: portable_text(&fields.text("summary")?, code, "the summary")?,
            payload: Payload::from_value(kind, fields.required("payload")?)?,
            state_revision: fields.optional_number("state_revision", 1)?.and_then(|number| u32::try_from(number).ok()),
            task_ids: texts(&mut fields, "task_ids")?
                .iter()
                .map(|id| TaskId::parse(id))
                .collect::<Result<_>>()
                .map_err(as_1207)?,
            gate_ids: texts(&mut fields, "gate_ids")?
                .iter()
                .map(|id| GateId::parse(id))
                .collect::<Result<_>>()
                .map_err(as_1207)?,
            capability_ids: capabilities(texts(&mut fields, "capability_ids")?)?,
            artifacts: texts(&mut fields, "artifacts")?
                .iter()
                .map(|path| RelativePath::parse(path, Code::Rapid1204))
                .collect::<Result<_>>()?,
        };
        fields.end()?;
        if authored.producer == Producer::User && kind == Kind::Review {
            return Err(reserved(kind, "user"));
        }
        if kind == Kind::Artifact && authored.artifacts.is_empty() {
            return Err(Code::Rapid1206
                .because("evidence of kind artifact needs an artifact")
                .hint("name the file in 'artifacts'"));
        }
        let mut seen = std::collections::BTreeSet::new();
        if let Some(twice) = authored.artifacts.iter().find(|path| !seen.insert((*path).clone())) {
            return Err(Code::Rapid1211.because(format!("the artifact '{twice}' is named twice")));
        }
        Ok(authored)
    }
}

fn reserved(kind: Kind, producer: &str) -> Diagnostic {
    Code::Rapid1430
        .because(format!(
            "evidence of kind {kind} by '{}' is written by git-rapid's own verbs only",
            producer.escape_debug()
        ))
        .hint("run 'git rapid check' for a check; ask a person to run 'git rapid approve' for a review")
}

fn texts(fields: &mut Fields, key: &'static str) -> Result<Vec<String>> {
    fields.optional_texts(key).map(Option::unwrap_or_default)
}
