//! `export`: proves the ledger, gathers what is known of some runs, and has it written in a format for people or for other tools.

mod gather;

use super::{rapid::Rapid, signing, sync, verify};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{config::PushAttachments, harmless::harmless_json, ids::RunId, json::Value, report::Verdict};
use crate::export::{self, Dossier, Format};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF};
use crate::os::clock;
use crate::signature::{self, ATTESTATIONS};
use std::path::PathBuf;

/// Which runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// This one.
    Named(RunId),
    /// The active one; the newest where none is.
    Current,
    /// Each.
    All,
}

/// What is asked.
pub struct Request {
    /// Which runs.
    pub which: Which,
    /// As what.
    pub format: Format,
    /// Each Statement in an envelope, signed with the key that git signs with.
    pub sign: bool,
    /// Which material goes into a bundle; what `push.attachments` says when left out.
    pub attachments: Option<PushAttachments>,
}

/// What was made.
pub enum Made {
    /// The export itself.
    Bytes(Vec<u8>),
    /// A file that holds it, in a directory that is gone when this value is.
    File(PathBuf, tempfile::TempDir),
}

/// What was exported.
pub struct Outcome {
    /// The export.
    pub made: Made,
    /// The runs in it, with their verdicts.
    pub runs: Vec<(RunId, Verdict)>,
    /// The runs that it says nothing about.
    pub silent: Vec<String>,
    /// What could not be looked at when the ledger was proved.
    pub unproved: Vec<String>,
}

/// Exports. `about_to_sign` is told which signature of how many is asked for next.
pub fn export(rapid: &Rapid, request: &Request, about_to_sign: &mut dyn FnMut(usize, usize)) -> Result<Outcome> {
    let seen = verify::verify(rapid, &verify::Request::default())?;
    let proof = &seen.proof;
    if proof.answer() == verify::Answer::Disproven {
        let first = proof.weighty().next().map(|finding| finding.diagnostic.message.clone()).unwrap_or_default();
        return Err(Code::Rapid1750
            .because(format!("the ledger is disproved, so nothing of it is exported: {first}"))
            .hint("see all that is wrong: git rapid verify"));
    }
    let unproved: Vec<String> = proof.weighty().map(|finding| finding.diagnostic.message.clone()).collect();
    let logs = request.format == Format::Html && request.which != Which::All;
    let mut dossier = gather::dossier(rapid, &request.which, &seen, logs, clock::now_seconds())?;
    dossier.unproved.clone_from(&unproved);
    let runs = dossier.runs.iter().map(|run| (run.contract.run_id.clone(), run.report.verdict())).collect();
    let mut silent = Vec::new();
    let made = match request.format {
        Format::Json => Made::Bytes(harmless_json(&export::document(&dossier).pretty()).into_bytes()),
        Format::Html => Made::Bytes(page(&request.which, &dossier)),
        Format::InToto => {
            let attested = export::statements(&dossier);
            silent = attested.silent;
            Made::Bytes(lines(rapid, &attested.statements, request.sign, about_to_sign)?)
        }
        Format::Bundle => bundle(rapid, request.attachments)?,
    };
    Ok(Outcome { made, runs, silent, unproved })
}

fn page(which: &Which, dossier: &Dossier) -> Vec<u8> {
    match dossier.runs.as_slice() {
        [run] if *which != Which::All => export::report(dossier, run),
        _ => export::dashboard(dossier),
    }
}

/// Statements as JSON lines: bare, or each in an envelope.
fn lines(
    rapid: &Rapid,
    statements: &[Value],
    sign: bool,
    about_to_sign: &mut dyn FnMut(usize, usize),
) -> Result<Vec<u8>> {
    if statements.is_empty() {
        return Err(Code::Rapid1752
            .because("no run that was named recorded a final tree, or a check that says something about one")
            .hint("finish the run first: git rapid finish"));
    }
    let mut out = Vec::new();
    for (statement, number) in statements.iter().zip(1..) {
        let line = match sign {
            false => harmless_json(&statement.canonical()),
            true => {
                about_to_sign(number, statements.len());
                signed(rapid, statement)?.canonical()
            }
        };
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    Ok(out)
}

/// A Statement in its envelope. What was signed is checked before it is handed on.
fn signed(rapid: &Rapid, statement: &Value) -> Result<Value> {
    let payload = harmless_json(&statement.canonical());
    let message = export::pre_authentication(payload.as_bytes());
    let made = signature::make(&signing::key(rapid)?, rapid.environment(), ATTESTATIONS, &message)?;
    let key = signature::made_by(ATTESTATIONS, &message, &made)?;
    Ok(export::envelope(payload.as_bytes(), &made, &key.unwrap_or_default()))
}

/// The whole ledger, the material that may be published, and the history of `HEAD`.
fn bundle(rapid: &Rapid, level: Option<PushAttachments>) -> Result<Made> {
    let repository = rapid.repository();
    let cannot = |error: std::io::Error| -> Diagnostic {
        Code::Rapid002.because(format!("no temporary directory can be made: {error}"))
    };
    let directory = tempfile::Builder::new().prefix("rapid-bundle-").tempdir().map_err(cannot)?;
    let file = directory.path().join("ledger.bundle");
    let ledger = rapid.registry().ledger().tip()?;
    let mut refs: Vec<_> = ledger.map(|tip| (LEDGER_REF.to_owned(), tip)).into_iter().collect();
    let level = match level {
        Some(level) => level,
        None => rapid.working_config()?.push_attachments,
    };
    refs.extend(sync::publishable_material(rapid, level, None)?.map(|tip| (ATTACHMENTS_REF.to_owned(), tip)));
    let head = repository.head()?;
    repository.write_bundle(&refs, head.commit.map(|id| (head.branch.as_deref(), id)), &file)?;
    Ok(Made::File(file, directory))
}
