//! A mission as the ledger keeps it: the plan once, and one record for each event (`event`), chained by digest.
//!
//! Strict, as every record: what is not known is refused, and the digest must hold. Whether an event follows from those before
//! it is `state`'s.

mod event;

use super::event::Event;
use super::id::{MissionId, PackageId};
use super::plan::{Plan, read};
use crate::diagnostics::{Code, Result};
use crate::domain::digest::{Digest, sealed};
use crate::domain::json::{Fields, Value};
use crate::domain::policy::Risk;
use std::collections::BTreeMap;

const CODE: Code = Code::Rapid1902;

/// The plan as it was taken, with the risk of each package as it was found then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRecord {
    /// The mission.
    pub mission: MissionId,
    /// The plan.
    pub plan: Plan,
    /// The risk of each package, and the approval targets that it touches.
    pub risks: BTreeMap<PackageId, (Risk, Vec<String>)>,
    /// Who may sign, as the lists said at the base: list by name. `None` where approvals need no signature.
    pub signers: Option<BTreeMap<String, String>>,
}

/// An event in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// The mission.
    pub mission: MissionId,
    /// Its number, from 1.
    pub ordinal: u32,
    /// The digest of the record before.
    pub predecessor: Option<Digest>,
    /// What happened.
    pub event: Event,
}

impl PlanRecord {
    /// The digest of the record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    fn body(&self) -> Value {
        let risks = self.risks.iter().map(|(id, (risk, targets))| {
            let found = Value::object([("risk", (*risk).into()), ("approval_targets", Value::list(targets))]);
            (id.as_str().to_owned(), found)
        });
        Value::object([
            ("schema_version", 1.into()),
            ("mission", (&self.mission).into()),
            ("plan", self.plan.to_value()),
            ("risks", Value::Object(risks.collect())),
        ])
        .with_some(
            "signers",
            self.signers.as_ref().map(|lists| {
                Value::Object(lists.iter().map(|(name, list)| (name.clone(), list.as_str().into())).collect())
            }),
        )
    }

    /// Reads a record (RAPID1902).
    pub fn from_value(value: Value) -> Result<PlanRecord> {
        let mut fields = Fields::of(value, CODE, "a mission's plan")?;
        fields.version()?;
        let stored = Digest::parse(&fields.text("content_digest")?, CODE)?;
        let mission = MissionId::parse(&fields.text("mission")?)?;
        let plan = read(fields.required("plan")?).map_err(|problems| {
            let first = problems.first().map(|problem| problem.message.as_str()).unwrap_or_default();
            CODE.because(format!("a mission's plan does not hold: {first}"))
        })?;
        let Value::Object(listed) = fields.required("risks")? else {
            return Err(fields.fault("'risks' must be an object"));
        };
        let mut risks = BTreeMap::new();
        for (id, found) in listed {
            let id = package(&id)?;
            let mut found = Fields::of(found, CODE, "the risk of a work package")?;
            let risk = Risk::parse(&found.text("risk")?, CODE)?;
            risks.insert(id, (risk, found.texts("approval_targets")?));
            found.end()?;
        }
        let signers = match fields.optional("signers") {
            None => None,
            Some(Value::Object(lists)) => {
                let list = |(name, list): (String, Value)| Some((name, list.as_text()?.to_owned()));
                let lists: Option<BTreeMap<String, String>> = lists.into_iter().map(list).collect();
                Some(lists.ok_or_else(|| fields.fault("'signers' holds texts"))?)
            }
            Some(_) => return Err(fields.fault("'signers' must be an object")),
        };
        fields.end()?;
        let record = PlanRecord { mission, plan, risks, signers };
        let known = |id: &PackageId| record.risks.contains_key(id);
        if record.risks.len() != record.plan.packages.len() || !record.plan.order.iter().all(known) {
            return Err(CODE.because("a mission's plan has no risk for each of its work packages"));
        }
        match record.digest() == stored {
            true => Ok(record),
            false => Err(CODE.because("the digest of the mission's plan does not hold")),
        }
    }
}

impl EventRecord {
    /// The digest of the record.
    pub fn digest(&self) -> Digest {
        Digest::of_value(&self.body())
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        sealed(self.body())
    }

    fn body(&self) -> Value {
        Value::object([
            ("schema_version", 1.into()),
            ("mission", (&self.mission).into()),
            ("ordinal", self.ordinal.into()),
            ("predecessor", self.predecessor.map_or(Value::Null, Value::from)),
            ("event", self.event.to_value()),
        ])
    }

    /// The record of an event behind these.
    pub fn behind(mission: &MissionId, before: &[EventRecord], event: &Event) -> EventRecord {
        EventRecord {
            mission: mission.clone(),
            ordinal: u32::try_from(before.len()).unwrap_or(u32::MAX).saturating_add(1),
            predecessor: before.last().map(EventRecord::digest),
            event: event.clone(),
        }
    }

    /// The bytes that a person signs, and when; `None` for what nobody signed. Made again each time from the record, which is
    /// bound to its place by its number and the record before it.
    pub fn statement(&self, plan: &Digest) -> Option<(Vec<u8>, i64)> {
        let Event::Approved { subject, by, reason, signed_at } = &self.event else { return None };
        let at = (*signed_at)?;
        let value = Value::object([
            ("schema_version", 1.into()),
            ("statement", "git-rapid mission decision".into()),
            ("mission", (&self.mission).into()),
            ("plan", (*plan).into()),
            ("ordinal", self.ordinal.into()),
            ("predecessor", self.predecessor.map_or(Value::Null, Value::from)),
            ("subject", subject.to_text().into()),
            ("by", by.as_str().into()),
            ("reason", reason.as_str().into()),
            ("event_digest", self.digest().into()),
            ("signed_at", at.into()),
        ]);
        Some((value.record_bytes(), at))
    }

    /// Reads a record (RAPID1902).
    pub fn from_value(value: Value) -> Result<EventRecord> {
        let mut fields = Fields::of(value, CODE, "a mission's event")?;
        fields.version()?;
        let stored = Digest::parse(&fields.text("content_digest")?, CODE)?;
        let record = EventRecord {
            mission: MissionId::parse(&fields.text("mission")?)?,
            ordinal: fields.ordinal("ordinal")?,
            predecessor: fields.text_or_null("predecessor")?.map(|text| Digest::parse(&text, CODE)).transpose()?,
            event: Event::from_value(fields.required("event")?)?,
        };
        fields.end()?;
        match record.digest() == stored {
            true => Ok(record),
            false => Err(CODE.because("the digest of the mission's event does not hold")),
        }
    }
}

fn package(text: &str) -> Result<PackageId> {
    PackageId::parse(text).ok_or_else(|| CODE.because(format!("'{}' is no work package", text.escape_debug())))
}
