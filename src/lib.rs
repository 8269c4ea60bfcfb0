//! git-rapid: contracts, evidence and verdicts for agent work, kept inside git.
pub mod diagnostics;
pub mod domain;
pub mod git;
pub mod ledger;
pub mod os;
