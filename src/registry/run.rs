//! A run as the ledger holds it: contract, states, evidence, reports; every binding and every step verified on reading.

use super::{
    Place, Records, layout,
    records::contiguous,
    signatures::{self, Signatures},
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Contract,
    digest::Digest,
    evidence::Evidence,
    ids::{EvidenceId, RunId},
    json::Value,
    report::Report,
    run::RunState,
    signer::Signed,
    text::Producer,
};
use crate::evaluator::Input;
use std::collections::BTreeMap;

/// A run with its whole history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its contract.
    pub contract: Contract,
    /// Its states, from 1; never empty.
    pub states: Vec<RunState>,
    /// Its evidence, from E001.
    pub evidence: Vec<Evidence>,
    /// Its reports, from 1.
    pub reports: Vec<Report>,
    /// The signatures that lie beside its evidence, as bytes.
    pub signatures: BTreeMap<EvidenceId, Vec<u8>>,
    /// What they say by the lists that the contract froze.
    pub checked: Signatures,
}

impl Run {
    /// Its id.
    pub fn id(&self) -> &RunId {
        &self.contract.run_id
    }

    /// Where it stands (RAPID1011 when no state was recorded).
    pub fn state(&self) -> Result<&RunState> {
        self.states.last().ok_or_else(|| Code::Rapid1011.because(format!("run '{}' has no state", self.id())))
    }

    /// Whose signatures hold, by the lists that the contract froze.
    pub fn signed(&self) -> &Signed {
        &self.checked.signed
    }

    /// What is judged: the run as it stands, by its contract's rules, with its signatures.
    pub fn input(&self) -> Result<Input<'_>> {
        Ok(Input::new(&self.contract, self.state()?, &self.evidence).signed(self.signed()))
    }

    /// The evidence with this id (RAPID1210).
    pub fn item(&self, id: &EvidenceId) -> Result<&Evidence> {
        let found = self.evidence.iter().find(|item| item.id == *id);
        found.ok_or_else(|| {
            Code::Rapid1210.because(format!("run '{}' has no evidence {id}", self.id())).hint(
                match self.evidence.as_slice() {
                    [] => "it has none yet".to_owned(),
                    [only] => format!("it has {}", only.id),
                    [first, .., last] => format!("it has {} to {}", first.id, last.id),
                },
            )
        })
    }

    /// The id that the next piece of evidence gets.
    pub fn next_evidence_id(&self) -> EvidenceId {
        EvidenceId::of(u32::try_from(self.evidence.len()).unwrap_or(u32::MAX).saturating_add(1))
    }
}

pub(super) fn load(records: &Records<'_>, id: &RunId) -> Result<Run> {
    let place = Place::Contract(id.clone());
    let Some(value) = records.value(&place)? else {
        return Err(Code::Rapid1007.because(format!("there is no run '{id}'")).hint("see 'git rapid run list'"));
    };
    let contract = Contract::from_value(value).map_err(|error| error.at(place.path()))?;
    if contract.run_id != *id {
        return Err(Code::Rapid1007
            .because(format!("the contract belongs to run '{}'", contract.run_id))
            .at(place.path()));
    }
    let states = states(records, &contract)?;
    let (evidence, signed) = evidence(records, &contract, &states)?;
    let reports = reports(records, &contract)?;
    let signatures = signatures::read(records, &contract, signed)?;
    let checked = match signatures.is_empty() {
        true => Signatures::default(),
        false => signatures::check(&contract, &evidence, &signatures, &records.allowed(&contract)?),
    };
    Ok(Run { contract, states, evidence, reports, signatures, checked })
}

fn present(records: &Records<'_>, place: &Place, gap: Code) -> Result<Value> {
    let value = records.value(place)?;
    value.ok_or_else(|| gap.because("the record is missing").at(place.path()))
}

fn states(records: &Records<'_>, contract: &Contract) -> Result<Vec<RunState>> {
    let id = &contract.run_id;
    let directory = format!("{}/states", layout::run_dir(id));
    let mut states: Vec<RunState> = Vec::new();
    for revision in 1..=records.count(&directory, ".json", Code::Rapid1011)? {
        let place = Place::State(id.clone(), revision);
        let state =
            RunState::from_value(present(records, &place, Code::Rapid1011)?).map_err(|error| error.at(place.path()))?;
        let step = match states.last() {
            None if state == RunState::prepared(contract) => Ok(()),
            None => Err(Code::Rapid1012.because("the first state is not the prepared state of the contract")),
            Some(before) => state.follows(before),
        };
        step.map_err(|error| error.at(place.path()))?;
        if state.revision != revision || state.run_id != *id {
            return Err(Code::Rapid1012.because("the state belongs to another run or revision").at(place.path()));
        }
        states.push(state);
    }
    match states.is_empty() {
        true => Err(Code::Rapid1011.because(format!("run '{id}' has no state")).at(directory)),
        false => Ok(states),
    }
}

/// The evidence, and which of it has a signature beside it.
fn evidence(
    records: &Records<'_>,
    contract: &Contract,
    states: &[RunState],
) -> Result<(Vec<Evidence>, Vec<EvidenceId>)> {
    let directory = format!("{}/evidence", layout::run_dir(&contract.run_id));
    let mut numbers = Vec::new();
    let mut signed = Vec::new();
    for name in records.view().list(&directory)? {
        match (name.strip_suffix(".json"), name.strip_suffix(".sig")) {
            (Some(id), _) => numbers.push(EvidenceId::parse(id)?.ordinal()),
            (_, Some(id)) => signed.push(EvidenceId::parse(id)?),
            _ => {
                return Err(Code::Rapid1521.because(format!("'{directory}/{name}' is no record's path")).at(directory));
            }
        }
    }
    let mut evidence = Vec::new();
    let contract_digest = contract.digest();
    let state_digests: Vec<Digest> = states.iter().map(RunState::digest).collect();
    for ordinal in 1..=contiguous(numbers, &directory, Code::Rapid1208)? {
        let place = Place::Evidence(contract.run_id.clone(), EvidenceId::of(ordinal));
        let item =
            Evidence::from_value(present(records, &place, Code::Rapid1208)?).map_err(|error| error.at(place.path()))?;
        if item.id != EvidenceId::of(ordinal) {
            return Err(Code::Rapid1208.because(format!("the record says it is {}", item.id)).at(place.path()));
        }
        binding(&item, contract, contract_digest, &state_digests).map_err(|error| error.at(place.path()))?;
        evidence.push(item);
    }
    Ok((evidence, signed))
}

/// Refuses evidence that is bound to something else than this run (RAPID1203) or names what is not there (RAPID1207).
fn binding(item: &Evidence, contract: &Contract, contract_digest: Digest, state_digests: &[Digest]) -> Result<()> {
    let refuse = |why: String| -> Result<()> { Err(Code::Rapid1203.because(why)) };
    if item.run_id != contract.run_id {
        return refuse(format!("the evidence belongs to run '{}'", item.run_id));
    }
    if item.contract_digest != contract_digest {
        return refuse("the evidence is bound to another contract".to_owned());
    }
    let index = usize::try_from(item.state_revision).unwrap_or(usize::MAX).wrapping_sub(1);
    if state_digests.get(index) != Some(&item.state_digest) {
        return refuse(format!("the evidence is bound to a state {} that this run does not have", item.state_revision));
    }
    if let Producer::Harness(harness) = &item.producer
        && *harness != contract.harness
    {
        return refuse(format!(
            "the evidence comes from harness '{harness}', the contract names '{}'",
            contract.harness
        ));
    }
    references(item, contract)
}

/// Refuses evidence that names a task or gate that the contract does not have (RAPID1207).
pub(super) fn references(item: &Evidence, contract: &Contract) -> Result<()> {
    let missing = |what: String| -> Diagnostic { Code::Rapid1207.because(format!("the run has no {what}")) };
    if let Some(id) = item.task_ids.iter().find(|id| !contract.tasks.iter().any(|task| task.id == **id)) {
        return Err(missing(format!("task {id}")));
    }
    match item.gate_ids.iter().find(|id| !contract.decision.gates.iter().any(|gate| gate.id == **id)) {
        Some(id) => Err(missing(format!("gate '{id}'"))),
        None => Ok(()),
    }
}

fn reports(records: &Records<'_>, contract: &Contract) -> Result<Vec<Report>> {
    let directory = format!("{}/reports", layout::run_dir(&contract.run_id));
    let mut reports = Vec::new();
    for ordinal in 1..=records.count(&directory, ".json", Code::Rapid1221)? {
        let place = Place::Report(contract.run_id.clone(), ordinal);
        let report =
            Report::from_value(present(records, &place, Code::Rapid1221)?).map_err(|error| error.at(place.path()))?;
        if report.run_id != contract.run_id {
            return Err(Code::Rapid1223
                .because(format!("the report belongs to run '{}'", report.run_id))
                .at(place.path()));
        }
        reports.push(report);
    }
    Ok(reports)
}
