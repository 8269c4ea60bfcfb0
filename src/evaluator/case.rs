//! What is judged, made ready once: the evidence in order, the switches, the tree that the verdict is about.

use super::{Input, rulesets::Rules};
use crate::domain::{
    capability::Capability,
    contract::{Approvals, Contract},
    evidence::{CheckFacts, Evidence, Payload},
    git_id::GitId,
    ids::TaskId,
    run::RunState,
    signer::{Signed, Signer},
    text::{Producer, Verb},
};
use std::collections::BTreeMap;

/// A run as it is judged.
pub(crate) struct Case<'a> {
    pub(crate) contract: &'a Contract,
    pub(crate) state: &'a RunState,
    /// By ordinal, without what another party saw when it ran the checks again: that is said beside a verdict, and no ruleset
    /// hears it.
    pub(crate) items: Vec<&'a Evidence>,
    pub(super) rules: &'static Rules,
    pub(super) extra: Vec<Capability>,
    /// The final tree, where the ruleset asks for one.
    pub(crate) tree: Option<&'a GitId>,
    signed: &'a Signed,
    by_task: BTreeMap<&'a TaskId, Vec<&'a Evidence>>,
    by_command: BTreeMap<&'a [String], Vec<&'a Evidence>>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(input: &Input<'a>) -> Case<'a> {
        Case::with_record(input, None)
    }

    /// With one more record than there is: what would be so once it is written.
    pub(crate) fn with_record(input: &Input<'a>, record: Option<&'a Evidence>) -> Case<'a> {
        let own = |item: &&Evidence| item.producer != Producer::Rapid(Verb::Verify);
        let mut items: Vec<&Evidence> = input.evidence.iter().chain(record).filter(own).collect();
        items.sort_by_key(|item| item.id.ordinal());
        let mut extra = input.extra.to_vec();
        extra.sort_by_key(|capability| capability.as_str());
        extra.dedup();
        let rules = Rules::of(input.ruleset);
        let mut by_task: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut by_command: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for &item in &items {
            for task in &item.task_ids {
                by_task.entry(task).or_default().push(item);
            }
            if let Some(command) = facts(item).and_then(|facts| facts.command.as_deref()) {
                by_command.entry(command).or_default().push(item);
            }
        }
        let tree = rules.currency.then(|| final_tree(&items)).flatten();
        Case {
            contract: input.contract,
            state: input.state,
            items,
            rules,
            extra,
            tree,
            signed: input.signed,
            by_task,
            by_command,
        }
    }

    /// With this as the final tree, whatever is recorded; where the ruleset asks for none, nothing changes.
    pub(crate) fn about(mut self, tree: Option<&'a GitId>) -> Case<'a> {
        if self.rules.currency {
            self.tree = tree;
        }
        self
    }

    /// The items bound to a task, by ordinal.
    pub(super) fn of_task(&self, task: &TaskId) -> &[&'a Evidence] {
        self.by_task.get(task).map_or(&[], Vec::as_slice)
    }

    /// The checks that ran exactly this command, by ordinal.
    pub(super) fn of_command(&self, command: &[String]) -> &[&'a Evidence] {
        self.by_command.get(command).map_or(&[], Vec::as_slice)
    }

    /// Whether a check was meant to fail, as far as the ruleset knows that.
    pub(super) fn expects_failure(&self, item: &Evidence) -> bool {
        self.rules.knows_expected_failures() && facts(item).is_some_and(|facts| facts.expects_failure)
    }

    /// Whether a review lacks the signature that the contract asks for.
    pub(super) fn lacks_signature(&self, item: &Evidence) -> bool {
        self.asks_for_signatures() && !self.signed.contains_key(&item.id)
    }

    /// Whether nobody's word counts without a signature.
    pub(super) fn asks_for_signatures(&self) -> bool {
        self.rules.signatures && self.contract.approvals == Approvals::Signed
    }

    /// Whose valid signature an item has.
    pub(super) fn signer(&self, item: &Evidence) -> Option<&'a Signer> {
        self.signed.get(&item.id)
    }

    /// Whether a check speaks of the final tree; always so where the ruleset asks for none.
    pub(super) fn is_current(&self, tree: Option<&GitId>) -> bool {
        !self.rules.currency || (tree.is_some() && tree == self.tree)
    }
}

/// What our own checks say about themselves.
pub(crate) fn facts(item: &Evidence) -> Option<&CheckFacts> {
    item.payload.check_facts()
}

/// The tree that a check ran on, when it can be compared: recorded, and the same before and after.
pub(crate) fn tree_of_check(item: &Evidence) -> Option<&GitId> {
    facts(item).filter(|facts| !facts.tree_changed).and_then(|facts| facts.tree.as_ref())
}

/// Whether one of our own checks made the item.
pub(crate) fn is_own_check(item: &Evidence) -> bool {
    item.producer == Producer::Rapid(Verb::Check)
}

/// The tree of the newest record of `finish`. Without one, nothing is known of the final tree.
fn final_tree<'a>(items: &[&'a Evidence]) -> Option<&'a GitId> {
    let finished = items.iter().rev().filter(|item| item.producer == Producer::Rapid(Verb::Finish));
    let mut finishes = finished.filter_map(|item| match &item.payload {
        Payload::FileChange { finish, .. } | Payload::GitResult { finish, .. } => Some(finish),
        _ => None,
    });
    finishes.next().and_then(|finish| finish.tree.as_ref())
}
