//! What is signed: one document that says which decision this is, bound to its place so that it can't be put anywhere else
//! (docs/formats.md, "What is signed").
//!
//! Made again from the records each time; it is stored nowhere.

use crate::domain::{
    contract::Contract,
    evidence::{Evidence, Payload},
    json::Value,
};

/// The bytes that a signature of a review is over; `None` for what is no review, or one that says of no time. `before` is
/// the evidence that was recorded before it.
pub fn statement(contract: &Contract, before: Option<&Evidence>, item: &Evidence) -> Option<(Vec<u8>, i64)> {
    let Payload::Review(review) = &item.payload else { return None };
    let at = review.signed_at?;
    let predecessor = before.map_or_else(|| contract.digest(), Evidence::digest);
    let value = Value::object([
        ("schema_version", 1.into()),
        ("statement", "git-rapid decision".into()),
        ("ledger", (&contract.ledger).into()),
        ("run_id", (&contract.run_id).into()),
        ("contract_digest", contract.digest().into()),
        ("state_revision", item.state_revision.into()),
        ("state_digest", item.state_digest.into()),
        ("gate_ids", Value::list(&item.gate_ids)),
        ("outcome", review.outcome.into()),
        ("tree", review.tree.as_ref().into()),
        ("reviewer", (&review.reviewer).into()),
        ("evidence_id", (&item.id).into()),
        ("evidence_digest", item.digest().into()),
        ("predecessor", predecessor.into()),
        ("signed_at", at.into()),
    ]);
    Some((value.record_bytes(), at))
}
