//! `mission plan`: a plan is read, judged and recorded, whole or not at all.

use super::{Site, ground};
use crate::diagnostics::{Code, Result};
use crate::domain::config::Table;
use crate::domain::contract::Approvals;
use crate::domain::json::{self, Value};
use crate::domain::policy::{Overrides, Project, decide};
use crate::mission::{
    Event, Grounds, Mission, MissionId, Plan, PlanRecord, Problem, classify_risk, read_plan, touches,
};
use crate::registry::Draft;
use crate::signature::Allowed;
use crate::verbs::terms;
use std::collections::BTreeMap;

/// What came of it.
pub enum Outcome {
    /// It is recorded.
    Planned(Box<Mission>),
    /// It does not hold: everything that is wrong with it.
    Invalid(Vec<Problem>),
}

/// Takes a plan.
pub fn plan(site: &Site, bytes: &[u8], id: Option<MissionId>) -> Result<Outcome> {
    let plan = match read_plan(value(bytes)?) {
        Ok(plan) => plan.rewritten(&|text| site.redactor.text(text)),
        Err(problems) => return Ok(Outcome::Invalid(problems)),
    };
    let id = match id {
        Some(id) => id,
        None => MissionId::of_objective(&plan.objective)?,
    };
    let head = site.repository().head()?;
    let Some(commit) = head.commit else {
        return Err(Code::Rapid1309
            .because("a mission needs a commit to start from, and there is none yet")
            .hint("make the first commit"));
    };
    let record = judged(site, id, plan)?;
    let base = (commit.to_git_id(), head.tree.to_git_id());
    let event = Event::Planned { plan: record.digest(), base, limits: site.missions.limits };
    let mission = Mission::fold(&record, [&event]).map_err(|why| Code::Rapid003.because(why))?;
    site.rapid.registry().append(|records| {
        if records.has_mission(&record.mission)? {
            return Err(Code::Rapid1911
                .because(format!("there is a mission '{}' already", record.mission))
                .hint("choose another name with --id"));
        }
        let mut draft = Draft::new("mission", &record.mission, format!("mission {}: planned", record.mission));
        draft.mission_plan(&record)?;
        draft.mission_event(&record.mission, &[], &event)?;
        Ok((draft, ()))
    })?;
    crate::os::fault::point("mission-event-1");
    Ok(Outcome::Planned(Box::new(mission)))
}

/// The plan with the risk of each package: the highest of what is declared, implied, and said by the policy.
fn judged(site: &Site, mission: MissionId, plan: Plan) -> Result<PlanRecord> {
    let grounds = Grounds { targets: site.missions.approval_targets.clone() };
    let head = site.repository().head()?;
    let mut risks = BTreeMap::new();
    let mut policies = BTreeMap::new();
    let mut signers = None;
    for package in &plan.packages {
        let policy = match policies.entry(package.mode.as_str()) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(free) => {
                let read = terms::read(site.repository(), &head, terms::Source::Head, package.mode)?;
                signers = signers.or(signers_of(&read)?);
                free.insert(read.policy)
            }
        };
        let spec = ground::spec_of(package)?;
        let by_policy = decide(&spec, policy, &Overrides::default(), &Project::default())?.risk;
        risks.insert(package.id.clone(), (classify_risk(package, &grounds, by_policy), touches(package, &grounds)));
    }
    Ok(PlanRecord { mission, plan, risks, signers })
}

/// Who may sign what a person decides, as the base says; `None` where its terms ask for no signatures.
fn signers_of(terms: &terms::Terms) -> Result<Option<BTreeMap<String, String>>> {
    if terms.config.approvals != Approvals::Signed {
        return Ok(None);
    }
    let lists = terms.files.iter().filter(|(name, _)| Allowed::TERMS.contains(&name.as_str()));
    let text = |(name, bytes): &(String, Vec<u8>)| match std::str::from_utf8(bytes) {
        Ok(text) => Ok((name.clone(), text.to_owned())),
        Err(_) => Err(Code::Rapid1446.because(format!("'{name}' is not UTF-8"))),
    };
    lists.map(text).collect::<Result<_>>().map(Some)
}

/// JSON, or the same in TOML, told apart by content.
fn value(bytes: &[u8]) -> Result<Value> {
    let text = std::str::from_utf8(bytes).map_err(|_| Code::Rapid1900.because("the plan is not UTF-8"))?;
    if text.trim_start().starts_with('{') {
        return json::parse_text(text)
            .map_err(|fault| Code::Rapid1900.because(format!("the plan is not JSON: {fault}")));
    }
    let table = Table::parse(text).map_err(|error| {
        let why = error.message.replace("the configuration", "the plan");
        Code::Rapid1900.because(why).hint("a plan is JSON, or the same in TOML: docs/missions.md")
    })?;
    Ok(table.into_value())
}
