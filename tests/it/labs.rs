//! The labs of the specification (§9.1–9.6): one small project for each kind of work, taken from its spec to a verdict, by
//! porcelain and by plumbing.
//!
//! `lab` is the project and the words it is driven with; `by_hand` the same work by plumbing alone.

mod bugfix;
mod by_hand;
mod feature;
mod first;
mod hardening;
mod lab;
mod refactor;
mod research;

pub use by_hand::{Doc, by_hand, carried, opened};
pub use lab::{Lab, a_person_is_here, assertion, text};
