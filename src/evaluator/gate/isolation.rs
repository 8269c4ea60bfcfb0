//! What an item weighs for `gate.workspace-isolation`.

use crate::domain::evidence::{Evidence, Payload, WorkspaceMode};
use crate::evaluator::weight::Weight;

pub(super) fn weight(item: &Evidence) -> Option<Weight<'_>> {
    match &item.payload {
        Payload::Workspace { mode: WorkspaceMode::Isolated, .. } => Some(Weight::For),
        Payload::Workspace { mode: WorkspaceMode::Current, .. } => Some(Weight::Against),
        _ => None,
    }
}
