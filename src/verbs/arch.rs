//! `arch check`: the files of the working copy against the architecture rules. Writes nothing.
//!
//! While a run is active here its frozen rules count: what an agent changes in the working copy's rules changes nothing of what
//! the run is judged by.

use super::rapid::Rapid;
use crate::architecture::{Judgement, Language, Project, Rules, Unread, is_manifest, judge};
use crate::diagnostics::{Code, Result};
use crate::domain::ids::RunId;
use crate::git::{Kind, KnownFile, Repository};
use crate::os::files;
use crate::registry::Place;

/// The rules' path in a repository.
pub const RULES_PATH: &str = ".rapid/architecture.json";

/// The largest file of rules, and the largest source, that is read, in bytes.
const CAP: u64 = 1 << 20;

/// What the check found.
pub struct Outcome {
    /// Findings, counts and notes.
    pub judgement: Judgement,
    /// Whether the rules of the active run counted, and not the working copy's, which differ.
    pub frozen: bool,
}

/// Checks the working copy (RAPID1421 when the rules are missing or malformed).
pub fn check(rapid: &Rapid) -> Result<Outcome> {
    let repository = rapid.repository();
    let here = files::read_if_there(&repository.require_workdir()?.join(RULES_PATH), CAP)?;
    let promised = promised(rapid)?;
    let frozen = promised.is_some() && promised != here;
    let Some(bytes) = promised.or(here) else { return Err(missing()) };
    let rules = parse(&bytes)?;
    let mut reading = Reading::default();
    let known = repository.known_files()?;
    reading.project = Project::of(known.iter().map(|file| file.path.clone()));
    for file in known.iter().filter(|file| !rules.ignores(&file.path)) {
        reading.read(repository, file);
    }
    let judgement = judge(&rules, &reading.project, &reading.sources, &reading.unread);
    Ok(Outcome { judgement, frozen })
}

/// Reads rules; faults name the file and the way on.
pub(super) fn parse(bytes: &[u8]) -> Result<Rules> {
    Rules::parse(bytes)
        .map_err(|error| error.at(RULES_PATH).hint("the form is described in docs/architecture-rules.md"))
}

/// Refuses rules in the working copy that cannot be read; none are fine.
pub(super) fn refuse_unreadable(rapid: &Rapid) -> Result<()> {
    let Some(top) = rapid.repository().workdir() else { return Ok(()) };
    files::read_if_there(&top.join(RULES_PATH), CAP)?.map_or(Ok(()), |bytes| parse(&bytes).map(drop))
}

fn missing() -> crate::diagnostics::Diagnostic {
    let starter = include_str!("../../templates/architecture.json");
    Code::Rapid1421
        .because(format!("there is no '{RULES_PATH}' here"))
        .at(RULES_PATH)
        .hint(format!("write one, commit it, and name your own layers; a beginning:\n{}", starter.trim_end()))
}

/// The rules that a run was promised to be judged by: the run whose check started us, wherever it does so (a fresh worktree has
/// no session), else the one that is active here.
fn promised(rapid: &Rapid) -> Result<Option<Vec<u8>>> {
    let checked = rapid.environment().text("RAPID_RUN").and_then(|id| RunId::parse(id).ok());
    let found = match checked.map(|id| rapid.run(Some(&id))) {
        Some(Ok(found)) => Some(found),
        // A check of another repository may have started us: its run means nothing here.
        Some(Err(error)) if !matches!(error.code, Code::Rapid1007 | Code::Rapid1510) => return Err(error),
        _ => rapid.session()?.map(|_| rapid.run(None)).transpose()?,
    };
    let Some((records, run)) = found else { return Ok(None) };
    if run.state()?.status.is_terminal() {
        return Ok(None);
    }
    records.view().read(&Place::Term(run.id().clone(), "architecture.json".to_owned()).path())
}

#[derive(Default)]
struct Reading {
    project: Project,
    sources: Vec<(String, String)>,
    unread: Vec<Unread>,
}

impl Reading {
    fn read(&mut self, repository: &Repository, file: &KnownFile) {
        let source = Language::of(&file.path).is_some();
        if !source && !is_manifest(&file.path) {
            return;
        }
        let mut unread = |why: String| self.unread.push(Unread { path: file.path.clone(), why });
        match text(repository, file) {
            Err(why) if source => unread(why),
            Err(_) => {}
            Ok(text) if source => self.sources.push((file.path.clone(), text)),
            Ok(text) => self.project.manifest(&file.path, text),
        }
    }
}

/// The text of a file, or why there is none.
fn text(repository: &Repository, file: &KnownFile) -> std::result::Result<String, String> {
    let too_large = || format!("it is larger than {CAP} bytes");
    let bytes = match file.left_out {
        Some(id) => match repository.read_verified(id, Kind::Blob, CAP) {
            Ok(bytes) => bytes,
            Err(error) => return Err(error.message),
        },
        None if std::fs::metadata(&file.place).is_ok_and(|data| data.len() > CAP) => return Err(too_large()),
        None => match files::read_if_there(&file.place, CAP) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(error) => return Err(error.message),
        },
    };
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())
}
