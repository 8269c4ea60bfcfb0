//! The assertions on capabilities: what the contract needs to have been done, and was seen being done (§5.2).
//!
//! Which harness claims to support what is not asked. Apart from workspaces every item of the right kind counts, whatever it
//! says of capabilities itself.

mod tests_execute;

pub(crate) use tests_execute::newest_red;

use super::{
    assertion::{Finding, names},
    case::Case,
    rulesets::Together,
};
use crate::domain::{
    capability::Capability,
    evidence::{Evidence, GitOperation, Payload, Success, WorkspaceMode},
    gate::GateKind,
    ids::AssertionId,
    mode::Mode,
    policy::Workspace,
    report::{Assertion, Category, Status},
    text::{Producer, Verb},
};
use std::collections::BTreeSet;

/// `capability.<id>.observed`, for each that the contract or the caller asks for, by id.
pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let mut asked: Vec<Capability> = required(case).into_iter().collect();
    asked.sort_by_key(|capability| capability.as_str());
    asked.into_iter().map(|capability| assertion(case, capability)).collect()
}

fn required(case: &Case<'_>) -> BTreeSet<Capability> {
    let mut asked: BTreeSet<Capability> = case.extra.iter().copied().collect();
    asked.extend([Capability::ContextConsume, Capability::RepositoryRead]);
    if !case.contract.tasks.is_empty() {
        asked.insert(Capability::RepositoryWrite);
    }
    asked.insert(match case.contract.decision.workspace {
        Workspace::CurrentAllowed => Capability::WorkspaceCurrent,
        Workspace::IsolatedRequired => Capability::WorkspaceIsolated,
    });
    if case.contract.decision.gates.iter().any(|gate| gate.required && gate.kind == GateKind::ImplementationTests) {
        asked.insert(Capability::TestsExecute);
    }
    asked
}

fn assertion(case: &Case<'_>, capability: Capability) -> Assertion {
    let finding = match capability {
        Capability::ContextConsume | Capability::RepositoryRead => {
            Finding::new(Status::NotApplicable, "it leaves nothing to be observed", &[])
        }
        Capability::TestsExecute => tests_execute::finding(case),
        Capability::RepositoryWrite
        | Capability::WorkspaceCurrent
        | Capability::WorkspaceIsolated
        | Capability::ShellExecute
        | Capability::GitInspect
        | Capability::GitModify
        | Capability::McpInvoke
        | Capability::SubagentsDelegate => observed(case, capability),
    };
    let required = !matches!(capability, Capability::ContextConsume | Capability::RepositoryRead);
    finding.about(AssertionId::capability(capability), Category::Capability, capability, required)
}

/// Any item that shows the capability shows it, unless an item contradicts it.
fn observed(case: &Case<'_>, capability: Capability) -> Finding {
    let of = |wanted: bool| -> Vec<&Evidence> {
        case.items.iter().copied().filter(|item| shows(case, capability, item) == Some(wanted)).collect()
    };
    let (shown, mut red) = (of(true), of(false));
    if case.rules.together == Together::NewestWins {
        // A newer success makes up for an older failure of the same kind of thing.
        red.retain(|item| shown.last().is_none_or(|newest| newest.id.ordinal() < item.id.ordinal()));
    }
    let looked_at: Vec<&Evidence> = shown.iter().chain(&red).copied().collect();
    match (red.as_slice(), shown.as_slice()) {
        ([], []) => Finding::new(Status::Unverified, "nothing shows it", &[]),
        ([], shown) => Finding::new(Status::Pass, format!("shown by {}", names(shown.iter().copied())), &looked_at),
        (red, _) => Finding::new(Status::Fail, format!("contradicted by {}", names(red.iter().copied())), &looked_at),
    }
}

/// Whether an item shows (`true`) or contradicts (`false`) a capability, or says nothing of it.
fn shows(case: &Case<'_>, capability: Capability, item: &Evidence) -> Option<bool> {
    use WorkspaceMode::{Current, Isolated};
    let claims = item.capability_ids.contains(&capability);
    match (capability, &item.payload) {
        (Capability::RepositoryWrite, Payload::FileChange { .. }) => Some(true),
        (Capability::RepositoryWrite, Payload::Artifact { .. }) => {
            let research = case.rules.lenient_places && case.contract.mode == Mode::Research;
            (research && !item.task_ids.is_empty()).then_some(true)
        }
        (Capability::WorkspaceCurrent, Payload::Workspace { mode: Current, .. })
        | (Capability::WorkspaceIsolated, Payload::Workspace { mode: Isolated, .. }) => Some(true),
        (Capability::WorkspaceCurrent, Payload::Workspace { mode: Isolated, .. }) => {
            let own = case.rules.lenient_places && item.producer == Producer::Rapid(Verb::Start);
            if own { Some(true) } else { claims.then_some(false) }
        }
        (Capability::WorkspaceIsolated, Payload::Workspace { mode: Current, .. }) => claims.then_some(false),
        (Capability::ShellExecute, Payload::CommandResult { .. }) if case.expects_failure(item) => None,
        (Capability::ShellExecute, Payload::CommandResult { exit_code, .. }) => Some(*exit_code == 0),
        (Capability::GitInspect, Payload::GitResult { operation: GitOperation::Inspect, .. })
        | (Capability::GitModify, Payload::GitResult { operation: GitOperation::Modify, .. }) => Some(true),
        (Capability::McpInvoke, Payload::ToolInvocation { outcome, .. })
        | (Capability::SubagentsDelegate, Payload::Delegation { outcome, .. }) => Some(*outcome == Success::Success),
        _ => None,
    }
}
