//! What an item weighs for a gate that a person decides.
//!
//! A rejection weighs against, whoever made it and on whatever tree: it is not washed away by changing the code, only (under
//! ruleset 4) by approving again.

use crate::domain::{
    evidence::{Evidence, Payload, Review, ReviewOutcome, Via},
    run::GateState,
    text::Producer,
};
use crate::evaluator::{
    approvers,
    case::Case,
    rulesets::Reviews,
    weight::{Weight, Why},
};

pub(super) fn weight<'a>(case: &Case<'a>, gate: &GateState, item: &'a Evidence) -> Option<Weight<'a>> {
    let Payload::Review(review) = &item.payload else { return None };
    if gate.kind.review() != Some(review.review_type) {
        return None;
    }
    Some(match review.outcome {
        ReviewOutcome::ChangesRequested | ReviewOutcome::Rejected => Weight::Against,
        ReviewOutcome::Approved => approval(case, gate, item, review),
        // It speaks of the decision to ask nothing, not of what was looked at.
        ReviewOutcome::Waived => return None,
    })
}

fn approval<'a>(case: &Case<'a>, gate: &GateState, item: &'a Evidence, review: &'a Review) -> Weight<'a> {
    let from_harness = matches!(item.producer, Producer::Harness(_));
    let by_approve = item.producer == Producer::User && review.via == Some(Via::Approve);
    let about_result = super::is_about_the_result(gate);
    match case.rules.reviews {
        Reviews::Anybodys => Weight::For,
        Reviews::NotAHarness if from_harness => Weight::Aside(Why::FromAHarness),
        Reviews::NotAHarness => Weight::For,
        Reviews::ByApprove if from_harness => Weight::Aside(Why::FromAHarness),
        Reviews::ByApprove if !by_approve => Weight::Aside(Why::NotByApprove),
        Reviews::ByApprove if case.lacks_signature(item) => Weight::Aside(Why::Unsigned),
        Reviews::ByApprove if approvers::unfit(case, gate, item).is_some() => {
            approvers::unfit(case, gate, item).map_or(Weight::For, Weight::Aside)
        }
        // A person's newest word decides, also when it is about other code by now.
        Reviews::ByApprove if about_result && !case.is_current(review.tree.as_ref()) => {
            Weight::Void(Why::not_current(case, review.tree.as_ref()))
        }
        Reviews::ByApprove => Weight::For,
    }
}
