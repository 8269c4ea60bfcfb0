//! What one item of evidence weighs for one subject, and how the items of a subject are put together: any red one wins
//! (rulesets 1 to 3) or the newest one wins (ruleset 4).

use super::{
    assertion::{Finding, names},
    case::Case,
    qualification::Shortfall,
    rulesets::Together,
};
use crate::domain::{evidence::Evidence, git_id::GitId, report::Status};

/// What an item weighs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Weight<'a> {
    /// It shows what is asked for.
    For,
    /// It contradicts it.
    Against,
    /// It says neither, yet nothing older may speak in its place.
    Void(Why<'a>),
    /// It does not count.
    Aside(Why<'a>),
}

/// Why an item that is not red does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why<'a> {
    /// No log is kept with it.
    NoLog,
    /// It does not qualify.
    Unqualified(Shortfall<'a>),
    /// It is not what the gate on the architecture asks for.
    NotTheArchitecture,
    /// The ruleset knows no such gate.
    NoSuchGate,
    /// It speaks of another tree than the final one.
    OtherTree(&'a GitId),
    /// It says of no tree that could be compared.
    NoTree,
    /// No final tree is recorded.
    NoFinalTree,
    /// An agent's harness made it.
    FromAHarness,
    /// `git rapid approve` did not make it.
    NotByApprove,
    /// It lacks a valid signature.
    Unsigned,
    /// Its signer is an author of the change, and the contract asks for somebody else.
    TheAuthors(&'a str),
    /// Its signer is not among those whom the contract asks.
    NotAsked(&'a str),
}

impl std::fmt::Display for Why<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::NoLog => f.write_str("no log is kept with it"),
            Why::Unqualified(shortfall) => write!(f, "it does not qualify (RAPID1432): {shortfall}"),
            Why::NotTheArchitecture => {
                f.write_str("it does not qualify (RAPID1432): it is no run of 'git rapid arch check'")
            }
            Why::NoSuchGate => f.write_str("the ruleset knows no such gate"),
            Why::OtherTree(tree) => write!(f, "it speaks of tree {}, not of the final one", tree.short()),
            Why::NoTree => f.write_str("it names no tree, so it cannot be compared with the final one (RAPID1434)"),
            Why::NoFinalTree => f.write_str("no final tree is recorded yet; 'git rapid finish' does that"),
            Why::FromAHarness => f.write_str("an agent's harness made it, and a person has to"),
            Why::NotByApprove => f.write_str("'git rapid approve' did not write it"),
            Why::Unsigned => f.write_str("it has no valid signature by an allowed key"),
            Why::TheAuthors(who) => write!(f, "{who} is an author of the change, and somebody else has to approve it"),
            Why::NotAsked(who) => write!(f, "{who} is not among those who approve this gate"),
        }
    }
}

impl<'a> Why<'a> {
    /// Why something about `tree` is not about the final tree.
    pub(super) fn not_current(case: &Case<'_>, tree: Option<&'a GitId>) -> Why<'a> {
        match (tree, case.tree) {
            (None, _) => Why::NoTree,
            (Some(_), None) => Why::NoFinalTree,
            (Some(tree), Some(_)) => Why::OtherTree(tree),
        }
    }
}

/// An item with its weight.
#[derive(Clone, Debug)]
pub(super) struct Weighed<'a> {
    pub(super) item: &'a Evidence,
    pub(super) weight: Weight<'a>,
}

/// Puts the items of one subject together; they are in order.
pub(super) fn together(how: Together, weighed: &[Weighed<'_>]) -> Finding {
    match how {
        Together::RedWins => red_wins(weighed),
        Together::NewestWins => newest_wins(weighed),
    }
}

fn red_wins(weighed: &[Weighed<'_>]) -> Finding {
    let of = |weight: &Weight<'_>| weighed.iter().filter(|w| w.weight == *weight).map(|w| w.item).collect::<Vec<_>>();
    let (shown, contradicted) = (of(&Weight::For), of(&Weight::Against));
    match (contradicted.as_slice(), shown.as_slice()) {
        ([], []) => undecided(weighed),
        ([], shown) => finding(Status::Pass, format!("shown by {}", names(shown.iter().copied())), weighed),
        (red, []) => finding(Status::Fail, format!("contradicted by {}", names(red.iter().copied())), weighed),
        (red, shown) => {
            let (red, shown) = (names(red.iter().copied()), names(shown.iter().copied()));
            finding(Status::Fail, format!("contradicted by {red}; {shown} does not make up for it"), weighed)
        }
    }
}

fn newest_wins(weighed: &[Weighed<'_>]) -> Finding {
    let Some(at) = weighed.iter().rposition(|w| !matches!(w.weight, Weight::Aside(_))) else {
        return undecided(weighed);
    };
    let (older, rest) = weighed.split_at(at);
    let Some(newest) = rest.first() else { return undecided(weighed) };
    let red: Vec<&Evidence> = older.iter().map(|w| w.item).filter(|item| item.payload.fails()).collect();
    let superseded = match red.as_slice() {
        [] => String::new(),
        red => format!("; red and superseded: {}", names(red.iter().copied())),
    };
    let id = &newest.item.id;
    match &newest.weight {
        Weight::For => finding(Status::Pass, format!("shown by {id}, the newest{superseded}"), weighed),
        Weight::Against => finding(Status::Fail, format!("contradicted by {id}, the newest{superseded}"), weighed),
        Weight::Void(why) | Weight::Aside(why) => {
            finding(Status::Unverified, format!("{id} is the newest, and {why}{superseded}"), weighed)
        }
    }
}

fn undecided(weighed: &[Weighed<'_>]) -> Finding {
    let reasons: Vec<String> = weighed
        .iter()
        .rev()
        .filter_map(|w| match &w.weight {
            Weight::Void(why) | Weight::Aside(why) => Some(format!("{} does not count: {why}", w.item.id)),
            Weight::For | Weight::Against => None,
        })
        .take(3)
        .collect();
    let reason = if reasons.is_empty() { "nothing shows it".to_owned() } else { reasons.join("; ") };
    finding(Status::Unverified, reason, weighed)
}

fn finding(status: Status, reason: String, weighed: &[Weighed<'_>]) -> Finding {
    let items: Vec<&Evidence> = weighed.iter().map(|w| w.item).collect();
    Finding::new(status, reason, &items)
}
