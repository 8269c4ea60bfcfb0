//! Exports: what the registry read and verified, as bytes for people and for other tools.
//!
//! Not here: gathering (`verbs::export`), writing files (`cli`), and bundles, which are git's own format and made by git. Nothing
//! here asks clock, disk or configuration: the same [`Dossier`] gives the same bytes. Whatever strangers wrote is data in every
//! format: escaped where the format has escapes, shown where a reader would obey it.

mod attestation;
mod dossier;
mod dsse;
mod former;
mod html;
mod json;
mod trends;

pub use attestation::{Attestations, statements};
pub use dossier::{
    AboutCode, Changed, Dossier, Entry, Item, Log, MOST_LOG, Rerun, RunFile, Signature, Standing, check_outcome,
};
pub use dsse::{PAYLOAD_TYPE, envelope, pre_authentication};
pub use former::is_former_export;
pub use html::{dashboard, report};
pub use json::document;

use crate::domain::word::words;

words! {
    /// What an export is written as.
    Format, "a format of exports" {
        /// One document for programs.
        Json = "json",
        /// in-toto Statements, one in a line.
        InToto = "in-toto",
        /// A git bundle with the ledger and the code.
        Bundle = "bundle",
        /// One page for people.
        Html = "html",
    }
}
