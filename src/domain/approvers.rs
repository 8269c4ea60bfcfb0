//! Who has to approve (`[approvers]` of the configuration): how many people, whether the author of the change is among them,
//! which of the allowed signers. Frozen in the contract; only with signed approvals, since a typed name proves nobody.

use super::{
    gate,
    ids::GateId,
    json::{Fields, Value},
    signer::{self, Signer},
};
use crate::diagnostics::{Code, Result};
use std::collections::BTreeMap;

/// The most people that a rule may ask for.
const MOST: i64 = 100;

/// What a gate asks of those who approve it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approving {
    /// How many different people.
    pub need: u32,
    /// Whether an author of the change may not be one of them.
    pub not_author: bool,
    /// The allowed signers whose approval counts, as patterns; all of them when there is none.
    pub from: Vec<String>,
}

impl Default for Approving {
    /// Anybody who may sign.
    fn default() -> Approving {
        Approving { need: 1, not_author: false, from: Vec::new() }
    }
}

/// The rules of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Approvers {
    /// For every gate that a person decides.
    pub every: Approving,
    /// For one gate instead.
    pub of: BTreeMap<GateId, Approving>,
}

impl Approvers {
    /// What a gate asks for.
    pub fn of_gate(&self, gate: &GateId) -> &Approving {
        self.of.get(gate).unwrap_or(&self.every)
    }

    /// Refuses what no run can fulfil (RAPID1600): a gate that asks for more people than are among these signers, where
    /// `author` begins the run.
    pub fn refuse_impossible(&self, signers: &[Signer], author: &str) -> Result<()> {
        for id in gate::of_people() {
            let gate = GateId::parse(id)?;
            let rule = self.of_gate(&gate);
            let may = signers.iter().filter(|signer| {
                let asked = rule.from.is_empty() || rule.from.iter().any(|pattern| signer.fits(pattern));
                asked && !(rule.not_author && signer.may_be(author))
            });
            let most = signer::most_people(may);
            if most < usize::try_from(rule.need).unwrap_or(usize::MAX) {
                let but =
                    if rule.not_author { format!(" other than '{author}', who begins the run") } else { String::new() };
                let there = if most == 1 { "1 person".to_owned() } else { format!("{most} people") };
                // A rule for every gate is none of this one's: the run may not even have it.
                let who = if self.of.contains_key(&gate) { gate.to_string() } else { "every gate".to_owned() };
                return Err(Code::Rapid1600
                    .because(format!("{who} asks for {}, and the lists let {there} sign{but}", rule.words()))
                    .hint("name more people in .rapid/allowed_signers, or ask for fewer in [approvers]"));
            }
        }
        Ok(())
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let of = self.of.iter().map(|(gate, rule)| (gate.to_string(), rule.to_value())).collect();
        Value::object([("every", self.every.to_value()), ("of", Value::Object(of))])
    }

    /// Reads what [`Approvers::to_value`] writes; faults are RAPID1002.
    pub fn from_value(value: Value) -> Result<Approvers> {
        let code = Code::Rapid1002;
        let mut fields = Fields::of(value, code, "the contract's rules of approving")?;
        let every = Approving::from_value(fields.required("every")?)?;
        let Value::Object(members) = fields.required("of")? else { return Err(fields.fault("'of' is no object")) };
        let of = members.into_iter().map(|(gate, rule)| Ok((GateId::parse(&gate)?, Approving::from_value(rule)?)));
        let approvers = Approvers { every, of: of.collect::<Result<_>>()? };
        fields.end()?;
        Ok(approvers)
    }
}

impl Approving {
    /// How many people, when that many can be asked for.
    pub fn people(number: i64, code: Code) -> Result<u32> {
        match u32::try_from(number) {
            Ok(need) if (1..=MOST).contains(&number) => Ok(need),
            _ => Err(code.because(format!("{number} people cannot be asked to approve (1 to {MOST})"))),
        }
    }

    /// In words, like `2 people, not the author`.
    pub fn words(&self) -> String {
        let who = if self.need == 1 { "1 person".to_owned() } else { format!("{} people", self.need) };
        let from = if self.from.is_empty() { String::new() } else { format!(" of {}", self.from.join(", ")) };
        let but = if self.not_author { ", not an author of the change" } else { "" };
        format!("{who}{from}{but}")
    }

    fn to_value(&self) -> Value {
        Value::object([
            ("need", self.need.into()),
            ("not_author", self.not_author.into()),
            ("from", Value::list(&self.from)),
        ])
    }

    fn from_value(value: Value) -> Result<Approving> {
        let code = Code::Rapid1002;
        let mut fields = Fields::of(value, code, "a rule of approving")?;
        let rule = Approving {
            need: Approving::people(fields.number("need", 1)?, code)?,
            not_author: fields.flag("not_author")?,
            from: fields.texts("from")?,
        };
        fields.end()?;
        Ok(rule)
    }
}
