//! What git's hooks and agents' harnesses call at their own moments: what each call decides, and how the calls are put beside
//! those that are there and taken out again.
//!
//! A hook is a guard rail: `git push --no-verify`, another client or an edited configuration goes round it. Nothing here is
//! trusted by `verify`, which looks at trees and records only. Not here: the stubs themselves (top-level `hooks/`), and
//! speaking (`cli`).

mod answer;
mod checkout;
mod commit_message;
mod first_rules;
pub mod harness;
pub mod install;
mod judge;
mod moment;
mod push;
mod receive;
mod transaction;
mod update;

pub use answer::Answer;
pub use checkout::post_checkout;
pub use commit_message::prepare_commit_msg;
pub use moment::{Moment, Set};
pub use push::pre_push;
pub use receive::{post_receive, pre_receive};
pub use transaction::reference_transaction;
