//! git-rapid: contracts, evidence and verdicts for agent work, kept inside git.
pub mod approval;
pub mod architecture;
pub mod check;
pub mod cli;
pub mod conductor;
pub mod diagnostics;
pub mod domain;
pub mod evaluator;
pub mod git;
pub mod hooks;
pub mod ledger;
pub mod os;
pub mod registry;
pub mod safety;
pub mod signature;
pub mod story;
pub mod verbs;
