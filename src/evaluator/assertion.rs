//! Putting an assertion together, and the words that reasons are made of. No rule is here.

use crate::domain::{
    evidence::Evidence,
    ids::{AssertionId, EvidenceId},
    report::{Assertion, Category, Status},
};

/// A status with its reason and the evidence looked at: an assertion that has no name yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) status: Status,
    pub(super) reason: String,
    pub(super) ids: Vec<EvidenceId>,
}

impl Finding {
    /// A finding that looked at these items, in any order.
    pub(super) fn new(status: Status, reason: impl Into<String>, items: &[&Evidence]) -> Finding {
        let mut ids: Vec<EvidenceId> = items.iter().map(|item| item.id.clone()).collect();
        ids.sort_by_key(EvidenceId::ordinal);
        ids.dedup();
        Finding { status, reason: reason.into(), ids }
    }

    /// The assertion.
    pub(super) fn about(
        self,
        id: AssertionId,
        category: Category,
        subject: impl ToString,
        required: bool,
    ) -> Assertion {
        Assertion {
            id,
            category,
            subject_id: subject.to_string(),
            required,
            status: self.status,
            reason: self.reason,
            evidence_ids: self.ids,
        }
    }
}

/// `E001, E004 and E007`; long lists are cut.
pub(super) fn names<'a>(items: impl IntoIterator<Item = &'a Evidence>) -> String {
    const SHOWN: usize = 8;
    let ids: Vec<&str> = items.into_iter().map(|item| item.id.as_str()).collect();
    let shown = ids.get(..SHOWN).unwrap_or(&ids);
    match (shown, ids.len().saturating_sub(SHOWN)) {
        (_, more @ 1..) => format!("{} and {more} more", shown.join(", ")),
        ([], _) => "nothing".to_owned(),
        ([one], _) => (*one).to_owned(),
        ([head @ .., last], _) => format!("{} and {last}", head.join(", ")),
    }
}
