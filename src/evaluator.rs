//! The evaluator: contract, state and evidence in, a report out. A pure function: no model, no clock, no network, no disk,
//! so that anyone can ask again and get the same bytes.
//!
//! Not here: what to do next (`conductor`), and whether the records are genuine (whoever read them has verified them).
//! What contradicts itself between the records is an error, never an assertion (`preconditions`).
//!
//! How it is laid out: `rulesets` says by which switches a ruleset judges, `rule_list` says the same in words and gives the
//! digest; `case` is what is judged; one file per family of assertions (`lifecycle`, `task`, `reproduction`, `gate`,
//! `kept`, `capability`); `qualification` says which checks count, `weight` how items of one subject are put together.
//! `replay` judges stored reports, `what_if` answers what would be so after a step that nobody has taken, `refusals` says
//! what stands between a run and its end.
//!
//! Source: the specification §4 and §5, design §5. Open points are settled like this (the specification, §10):
//! - Q4, Q5: a check whose output was counted qualifies with at least one executed test; without a count only the exact
//!   test command with exit code 0 does, and only when the output showed nothing of tests (`none`) or a runner that never counts (`no-counts`). Whoever read the
//!   output has refused what shows more: a red line, tests without a total, a named runner without its own (`check::summary`).
//! - Q6, Q7 (rulesets 3 and 4): in research an artifact bound to a task is file activity; a worktree that `start` made is
//!   also a workspace of a run that may work in the current one.
//! - Q10: a waiver writes no review. Q11: a request for changes and a rejection weigh the same.
//! - Q12: `tests.execute` asks for what the gate asks for (rulesets 3 and 4).
//! - Q18 (ruleset 4): an expected failure counts when it was seen on another tree than the final one and the same command is
//!   green on the final tree afterwards; a bugfix must have one.
//! - Ruleset 4: items are first reduced to those of the final tree, then the newest decides. A red item whose tree is not
//!   known stays in the way until a newer one supersedes it. A rejection stays until the same gate is approved again. What
//!   happens before the work (baseline, isolation, manual approval) is not about the final tree. A check also speaks for the
//!   tasks that were checked by the same command before.

mod approvers;
mod assertion;
mod capability;
mod case;
mod gate;
mod kept;
mod lifecycle;
mod preconditions;
mod qualification;
mod refusals;
mod replay;
mod reproduction;
mod rule_list;
mod rulesets;
mod task;
mod weight;
pub mod what_if;

pub use approvers::{approval_is_enough, approvals_asked, cannot_approve};
pub use refusals::{approval_refusal, finish_refusals, unqualified};
pub use replay::{replay, staleness};
pub use reproduction::lacks_reproduction;
pub use rule_list::{ruleset_digest, ruleset_value};

pub(crate) use approvers::asked_of_people;
pub(crate) use capability::newest_red;
pub(crate) use case::{Case, facts as check_facts, is_own_check, tree_of_check as checked_tree};
pub(crate) use gate::if_acknowledged;
pub(crate) use kept::passed_drop;
pub(crate) use qualification::shortfall;
pub(crate) use refusals::{other_command, outdated, stale_approvals, untested};
pub(crate) use reproduction::{has_reproduction, is_repaired_unseen, reproducing_command};

use crate::diagnostics::Result;
use crate::domain::{
    capability::Capability,
    contract::{Contract, Ruleset},
    digest::Digest,
    evidence::Evidence,
    ids::GateId,
    report::{Assertion, Report, Status},
    run::RunState,
    signer::Signed,
};

/// What is judged, and by which rules.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// What was promised.
    pub contract: &'a Contract,
    /// Where the run stands.
    pub state: &'a RunState,
    /// What was observed, in any order.
    pub evidence: &'a [Evidence],
    /// By which rules.
    pub ruleset: Ruleset,
    /// Capabilities asked for beyond the contract's.
    pub extra: &'a [Capability],
    /// The evidence whose signature by an allowed key was found valid, and whose it is. Whoever reads the records checks
    /// signatures; here they only matter under ruleset 4 and a contract that asks for signed approvals.
    pub signed: &'a Signed,
}

static NOT_SIGNED: Signed = Signed::new();

impl<'a> Input<'a> {
    /// Judged by the contract's own ruleset, nothing extra, nothing signed.
    pub fn new(contract: &'a Contract, state: &'a RunState, evidence: &'a [Evidence]) -> Input<'a> {
        Input { contract, state, evidence, ruleset: contract.ruleset, extra: &[], signed: &NOT_SIGNED }
    }

    /// By another ruleset.
    pub fn by(self, ruleset: Ruleset) -> Input<'a> {
        Input { ruleset, ..self }
    }

    /// Asking for more capabilities.
    pub fn requiring(self, extra: &'a [Capability]) -> Input<'a> {
        Input { extra, ..self }
    }

    /// With what is known of signatures.
    pub fn signed(self, signed: &'a Signed) -> Input<'a> {
        Input { signed, ..self }
    }

    /// In another state of the same run.
    pub fn at<'b>(self, state: &'b RunState) -> Input<'b>
    where
        'a: 'b,
    {
        Input { state, ..self }
    }
}

/// Judges. Fails when the records do not belong together (RAPID1223) or speak of what is not there (RAPID1207).
pub fn evaluate(input: &Input<'_>) -> Result<Report> {
    preconditions::check(input)?;
    let case = Case::new(input);
    let mut all: Vec<&Evidence> = input.evidence.iter().collect();
    all.sort_by_key(|item| item.id.ordinal());
    let digest = Evidence::set_digest(&input.contract.run_id, all);
    Ok(report(input, &case, digest))
}

/// The report on a case whose records belong together; `evidence` is the digest of their set.
fn report(input: &Input<'_>, case: &Case<'_>, evidence: Digest) -> Report {
    Report {
        run_id: input.contract.run_id.clone(),
        contract_digest: input.contract.digest(),
        state_revision: input.state.revision,
        state_digest: input.state.digest(),
        evidence_set_digest: evidence,
        ruleset: input.ruleset,
        ruleset_digest: ruleset_digest(input.ruleset),
        extra_capability_ids: case.extra.clone(),
        tree: case.tree.cloned(),
        assertions: assertions(case),
    }
}

/// The answers, in the order of the specification §5.2.
pub(crate) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let mut assertions = vec![lifecycle::assertion(case)];
    assertions.extend(task::assertions(case));
    assertions.extend(reproduction::assertions(case));
    assertions.extend(gate::assertions(case));
    assertions.extend(kept::assertion(case));
    assertions.extend(capability::assertions(case));
    assertions
}

/// Whether the evidence meets a gate: true when its assertion would pass, were the gate acknowledged (§5.7). A gate that was
/// waived is not met by evidence; a gate that the contract has not is RAPID1013.
pub fn gate_satisfied(input: &Input<'_>, gate: &GateId) -> Result<bool> {
    let case = Case::new(input);
    let gate = input.state.gate(gate)?;
    Ok(if_acknowledged(&case, gate).status == Status::Pass)
}

/// The check that the run's baseline stands for, where one qualifies.
pub fn baseline<'a>(input: &Input<'a>) -> Option<&'a Evidence> {
    kept::baseline_check(&Case::new(input))
}

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
