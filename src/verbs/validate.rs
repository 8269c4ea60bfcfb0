//! `validate`: every record of the ledger, and what lies beside it in this clone: session, configuration, playbooks. Finds
//! all there is to find; nothing stops it.
//!
//! Not here: the chain of entries (`verify` proves that).

use super::rapid::{CONFIG_PATH, Rapid};
use crate::conductor::Playbook;
use crate::diagnostics::{Class, Code, Diagnostic, Result};
use crate::domain::{lifecycle::RunStatus, policy::Policy, session::Session};
use crate::evaluator;
use crate::mission::MissionConfig;
use crate::os::files;
use crate::registry::{Records, Run, Scope, audit};
use crate::story::config::StoryConfig;
use std::path::Path;

/// The largest playbook that is read, in bytes.
const CAP: u64 = 1 << 20;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Worth a look.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// As `validate --json` says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// One thing that was found.
pub struct Finding {
    /// How much it weighs.
    pub level: Level,
    /// What it is.
    pub diagnostic: Diagnostic,
}

impl From<Diagnostic> for Finding {
    fn from(diagnostic: Diagnostic) -> Finding {
        let level = match diagnostic.code.class() {
            Class::Info => Level::Info,
            Class::Warning => Level::Warning,
            Class::Refusal | Class::Error => Level::Error,
        };
        Finding { level, diagnostic }
    }
}

/// What was looked at, and what was found.
#[derive(Default)]
pub struct Outcome {
    /// How many specs there are.
    pub specs: usize,
    /// How many runs there are.
    pub runs: usize,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// Whether nothing stands against it; warnings do under `strict`.
    pub fn is_valid(&self, strict: bool) -> bool {
        !self
            .findings
            .iter()
            .any(|finding| finding.level == Level::Error || (strict && finding.level == Level::Warning))
    }
}

/// Looks at everything.
pub fn validate(rapid: &Rapid) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    match rapid.registry().existing_records() {
        Ok(records) => ledger(rapid, &records, &mut outcome)?,
        Err(diagnostic) if diagnostic.code == Code::Rapid1510 => {
            outcome.findings.push(Finding { level: Level::Warning, diagnostic });
        }
        Err(diagnostic) => outcome.findings.push(diagnostic.into()),
    }
    outcome.findings.extend(session(rapid).err().map(Finding::from));
    outcome.findings.extend(configuration(rapid).err().map(Finding::from));
    if let Some(top) = rapid.repository().workdir() {
        outcome.findings.extend(playbooks(top)?);
    }
    Ok(outcome)
}

fn ledger(rapid: &Rapid, records: &Records<'_>, outcome: &mut Outcome) -> Result<()> {
    let Some(tip) = records.view().tip() else { return Ok(()) };
    let attachments = rapid.registry().ledger().standing_tips()?.attachments;
    let audit = audit(rapid.repository(), tip, attachments, &Scope::Everything, None)?;
    outcome.findings.extend(audit.findings.into_iter().map(Finding::from));
    // A directory that is no spec or run is a finding of the audit already.
    outcome.specs = records.spec_ids().map_or(0, |ids| ids.len());
    let runs = records.run_ids().unwrap_or_default();
    outcome.runs = runs.len();
    for id in runs {
        let Ok(run) = records.run(&id) else { continue };
        outcome.findings.extend(stale(&run).map(Finding::from));
    }
    Ok(())
}

/// The newest report of a run that went on after it (RAPID1227).
fn stale(run: &Run) -> Option<Diagnostic> {
    let report = run.reports.last()?;
    let diagnostic = evaluator::staleness(report, &run.contract, run.state().ok()?, &run.evidence)?;
    Some(diagnostic.at(format!("report {} of run {}", run.reports.len(), run.id())))
}

/// The session agrees with its run (RAPID1304, RAPID1305).
pub(super) fn session(rapid: &Rapid) -> Result<()> {
    let Some(session) = rapid.session()? else { return Ok(()) };
    let place = rapid.sessions().path().display().to_string();
    let records = rapid.registry().records()?;
    let run = records.run(&session.active_run_id).map_err(|error| {
        Code::Rapid1304
            .because(format!("the session's run '{}' does not load: {}", session.active_run_id, error.message))
            .at(&place)
            .hint("forget the session with 'git rapid abort'")
    })?;
    match disagreement(&session, &run)? {
        None => Ok(()),
        Some(why) => Err(Code::Rapid1305.because(why).at(place).hint("forget the session with 'git rapid abort'")),
    }
}

fn disagreement(session: &Session, run: &Run) -> Result<Option<String>> {
    let (contract, status) = (&run.contract, run.state()?.status);
    let missing = |path: &&String| !Path::new(path).is_dir();
    Ok(match () {
        () if session.mode != contract.mode => {
            Some(format!("the session says {}, its run is a {}", session.mode, contract.mode))
        }
        () if session.harness != contract.harness => {
            Some(format!("the session's harness is '{}', its run's is '{}'", session.harness, contract.harness))
        }
        // A finished run stays in the session so that `next` can say what became of it; given up, it should be gone.
        () if status.is_terminal() && status != RunStatus::Finished => {
            Some(format!("the session's run '{}' is {status}", run.id()))
        }
        () => {
            let gone = session.workspace_path.as_ref().filter(missing);
            gone.map(|path| format!("the run's worktree '{path}' is not there"))
        }
    })
}

/// The configuration can be read, what it says of stories too, and its policy tightens (RAPID1600, RAPID1601, RAPID1005,
/// RAPID1006).
pub(super) fn configuration(rapid: &Rapid) -> Result<()> {
    let config = rapid.working_config()?;
    StoryConfig::of_tables(&config.stories).map_err(|error| error.at(CONFIG_PATH))?;
    MissionConfig::read(config.mission.as_ref()).map_err(|error| error.at(CONFIG_PATH))?;
    match config.policy {
        None => Ok(()),
        Some(table) => Policy::default().tightened(&table).map(drop).map_err(|error| error.at(CONFIG_PATH)),
    }
}

/// The repository's own playbooks can be read (RAPID109).
pub(super) fn playbooks(top: &Path) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for mode in crate::domain::mode::Mode::ALL {
        let path = format!(".rapid/modes/{mode}.json");
        let read = files::read_if_there(&top.join(&path), CAP).and_then(|bytes| match bytes {
            None => Ok(None),
            Some(bytes) => Playbook::parse(&bytes).map(Some),
        });
        match read {
            Ok(Some(playbook)) if playbook.mode != *mode => {
                let why = format!("the playbook is for {}, its file name says {mode}", playbook.mode);
                findings.push(Code::Rapid109.because(why).at(path).into());
            }
            Ok(_) => {}
            Err(error) => findings.push(error.at(path).into()),
        }
    }
    Ok(findings)
}
