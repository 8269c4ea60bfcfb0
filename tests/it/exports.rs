//! Exports and the answers of `verify` for other tools: what is in them, that other programs take them, and that whatever a
//! stranger wrote is data in each of them.
//!
//! `stages` has runs in every state; `python` asks existing libraries.

mod answers;
mod attested;
mod bundles;
mod files;
mod hostile;
mod pages;
mod python;
mod recipes;
mod stages;
