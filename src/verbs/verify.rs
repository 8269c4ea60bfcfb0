//! `verify`: proves the ledger, and says whether a commit is covered by a passing run (design §4.6).

mod asked;
mod branch;
mod coverage;
mod elsewhere;
mod memory;
mod merge;
mod proof;
mod remedy;
mod rerun;
mod research;
mod same;
mod strength;
mod told;

pub use branch::OtherTerms;
pub use coverage::{Coverage, Covered, Passing, finish_of};
pub use elsewhere::{Lean, Unseen, lacking, sending, sending_code};
pub use memory::{Proved, recall, remember};
pub use proof::{Answer, Proof, prove};
pub use remedy::anew;
pub use rerun::{Again, rerun};
pub use strength::{CoveringRun, Rerun, Signature, Strength, describe};
pub use told::{Decided, Told};

use super::{
    rapid::{Rapid, config_at},
    sync,
};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{config::Config, quantity::counted};
use crate::git::{Oid, Repository};
use crate::ledger::{ATTACHMENTS_REF, LEDGER_REF, Ledger, View, verify::Finding};
use crate::os::clock;
use crate::registry::{MaterialCount, Records};
use crate::signature::Allowed;

/// What is asked.
#[derive(Default)]
pub struct Request {
    /// The ref to prove; `None`: this clone's ledger.
    pub reference: Option<String>,
    /// Also: is this commit covered?
    pub commit: Option<String>,
    /// The branch that the commit is to get to, as it stands: its terms count, not those of the commit's own history.
    pub onto: Option<String>,
    /// A pass is asked for that nobody saw fail again on this very code.
    pub require_pass: bool,
    /// The tip that is expected.
    pub expect: Option<String>,
    /// Forget what was proved before.
    pub full: bool,
    /// Who may sign, by the reviewer's own list instead of those that the contracts froze.
    pub allowed: Option<Allowed>,
}

/// The whole answer.
pub struct Outcome {
    /// The tip that was proved.
    pub tip: Option<Oid>,
    /// What was proved.
    pub proof: Proof,
    /// What is to be said about the commit, when one was named.
    pub commit: Option<Coverage>,
    /// What the branch's rules (`enforce`) have against the way in which that commit is covered, as in "it …".
    pub refused: Option<String>,
    /// The branch that it was judged for, by its name and newest commit; `None`: for none, by its own terms.
    pub onto: Option<(String, Oid)>,
    /// Where a reviewer's own list decided: what the lists say that the runs froze.
    pub by_frozen_lists: Option<Answer>,
    /// More about the runs that cover it, in their order.
    pub told: Vec<Told>,
}

impl Outcome {
    /// The commit that was asked about, when it is not covered, or not in a way that its branch takes.
    pub fn uncovered(&self) -> Option<&Coverage> {
        self.commit.as_ref().filter(|commit| commit.covered == Covered::No || self.refused.is_some())
    }

    /// That there is nothing to look at.
    pub fn nothing(why: Diagnostic) -> Outcome {
        let findings = vec![Finding { diagnostic: why, entry: None }];
        let proof = Proof { entries: 0, verified_now: 0, findings, material: MaterialCount::default(), latest: None };
        Outcome { tip: None, proof, commit: None, refused: None, onto: None, by_frozen_lists: None, told: Vec::new() }
    }
}

/// Proves, and answers for a commit.
pub fn verify(rapid: &Rapid, request: &Request) -> Result<Outcome> {
    let repository = rapid.repository();
    let name = request.reference.as_deref().unwrap_or(LEDGER_REF);
    let tip = tip_of(repository, name)?;
    let Some(tip) = tip else {
        rapid.registry().ledger().existing_view()?;
        if name == LEDGER_REF {
            return Err(Code::Rapid1510
                .because("all there is waits in the spool, and nothing of it is in the ledger yet")
                .at(name)
                .hint("run any recording command outside the sandbox, which folds it in"));
        }
        return Err(Code::Rapid1510.because(format!("there is nothing at '{}'", name.escape_debug())).at(name).hint(
            "name a ref, an entry, or a remote whose ledger was fetched; nothing at all means this clone's ledger",
        ));
    };
    let material = if name == LEDGER_REF { repository.read_ref(ATTACHMENTS_REF)? } else { None };
    let remembered = recall(repository).filter(|_| name == LEDGER_REF);
    // What was proved before was proved by the frozen lists.
    let own_list = request.allowed.as_ref();
    let known = if request.full || own_list.is_some() { None } else { remembered.clone() };
    let mut proof = prove(repository, tip, material, known.as_ref(), own_list)?;
    // Whom a list does not have is one thing, and a broken ledger another.
    let by_frozen_lists = match own_list.filter(|_| proof.answer() == Answer::Disproven) {
        None => None,
        Some(_) => {
            let known = remembered.as_ref().filter(|_| !request.full);
            Some(prove(repository, tip, material, known, None)?.answer())
        }
    };
    let grown =
        remembered.as_ref().is_none_or(|before| Ledger::of(repository).is_ancestor(before.tip, tip).unwrap_or(false));
    if name == LEDGER_REF
        && grown
        && own_list.is_none()
        && proof.findings.is_empty()
        && known.as_ref().is_none_or(|known| known.tip != tip || known.attachments != material)
    {
        remember(repository, tip, material, &proof);
    }
    if let Some(before) = remembered
        && !Ledger::of(repository).is_ancestor(before.tip, tip).unwrap_or(false)
    {
        let words = format!(
            "this clone proved {} up to {} before, not all of which is here any more",
            counted(before.entries, "entry", "entries"),
            before.tip.short()
        );
        let rewound =
            Code::Rapid1535.because(words).at(LEDGER_REF).hint("see what moved it: git reflog refs/rapid/ledger");
        proof.findings.insert(0, Finding { diagnostic: rewound, entry: None });
    }
    proof.findings.extend(replacements(repository)?);
    proof.findings.extend(from_the_future(&proof));
    // Where trees cannot be read, the proof says so.
    let remarks = View::at(repository, Some(tip)).and_then(|view| sync::decided(&view)).unwrap_or_default();
    let vanished = if name == LEDGER_REF { sync::vanished(rapid)? } else { Vec::new() };
    proof.findings.extend(remarks.into_iter().chain(vanished).map(|diagnostic| Finding { diagnostic, entry: None }));
    if let Some(expected) = &request.expect {
        let expected = entry_called(rapid, expected)?;
        let lacking = match rapid.registry().ledger().is_ancestor(expected, tip) {
            Ok(true) => None,
            Ok(false) => Some(Code::Rapid1536.because(format!(
                "the tip is {}, which does not contain the expected {}",
                tip.short(),
                expected.short()
            ))),
            // Whether it lies behind a break in the chain cannot be told.
            Err(diagnostic) => Some(diagnostic),
        };
        proof.findings.splice(0..0, lacking.map(|diagnostic| Finding { diagnostic, entry: None }));
    }
    let (mut refused, mut judged_for, mut told) = (None, None, Vec::new());
    let commit = match &request.commit {
        None => None,
        Some(revision) => {
            let id = repository.resolve_commit(revision)?;
            let onto = match &request.onto {
                Some(branch) => Some((branch.clone(), repository.resolve_commit(branch)?)),
                None => default_branch_of(repository, id)?,
            };
            judged_for.clone_from(&onto);
            let onto = onto.map(|(_, tip)| tip);
            let covered = View::at(repository, Some(tip)).and_then(|view| {
                let records = Records::of(view);
                Passing::of(&records, own_list)?.coverage(&records, id, onto)
            });
            let coverage = match covered {
                // What cannot be read for a reason that the proof found covers nothing, and hides no finding.
                Err(_) if proof.answer() != Answer::Proven => None,
                covered => Some(covered?),
            };
            if let Some(coverage) = &coverage {
                // Of a decision about a run that this commit does not rest on there is nothing to say here.
                let about = coverage.about(&View::at(repository, Some(tip)).map(Records::of)?);
                proof.findings.retain(|finding| {
                    let path = finding.diagnostic.path.as_deref().and_then(|path| path.rsplit_once('/'));
                    finding.diagnostic.code != Code::Rapid1552 || path.is_none_or(|(_, id)| about.contains(id))
                });
            }
            if let Some(coverage) = coverage.as_ref().filter(|coverage| coverage.covered != Covered::No) {
                let rules = match &coverage.covered {
                    Covered::Exact => Config::default(),
                    _ => config_at(repository, onto.unwrap_or(id))?,
                };
                refused = coverage.refused(&rules);
                let records = Records::of(View::at(repository, Some(tip))?);
                told = coverage.runs.iter().map(|run| told::told(&records, &run.run_id)).collect::<Result<_>>()?;
                if refused.is_none() && request.require_pass {
                    refused = coverage.contradicted();
                }
            }
            coverage
        }
    };
    Ok(Outcome { tip: Some(tip), proof, commit, refused, onto: judged_for, by_frozen_lists, told })
}

/// The branch that a commit is taken to get to where none is named: the remote's default one, as long as it is not there yet.
fn default_branch_of(repository: &Repository, id: Oid) -> Result<Option<(String, Oid)>> {
    let Some((name, tip)) = repository.protected_branch()? else { return Ok(None) };
    let is_there = repository.descends(tip, id).unwrap_or(false);
    Ok((!is_there).then_some((name, tip)))
}

/// The entry that a whole id names, or the beginning of one entry's id: as commands print it. Never a ref.
fn entry_called(rapid: &Rapid, name: &str) -> Result<Oid> {
    let whole = Oid::from_hex(name);
    let short = name.len() >= SHORTEST && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if whole.is_ok() || !short {
        return whole.map_err(|error| error.hint("name an entry by its id, as 'git rapid log' prints it"));
    }
    let name = name.to_ascii_lowercase();
    let registry = rapid.registry();
    let links = registry.ledger().links(&registry.ledger().cut_at()?)?;
    let fitting: Vec<Oid> = links.iter().map(|link| link.id).filter(|id| id.to_string().starts_with(&name)).collect();
    match fitting.as_slice() {
        [one] => Ok(*one),
        [] => Err(Code::Rapid1536
            .because(format!("the ledger has no entry whose id begins with {name}"))
            .hint("it was rewound, or the id is of another ledger: compare with whoever wrote it down")),
        _ => Err(Code::Rapid1506.because(format!("{} entries have an id that begins with {name}", fitting.len()))),
    }
}

/// The shortest beginning of an id that is taken, in digits.
const SHORTEST: usize = 7;

/// The tip that a person means: a ref by its full name, a whole id, a remote whose ledger was fetched, else what git itself
/// would take it for.
fn tip_of(repository: &Repository, name: &str) -> Result<Option<Oid>> {
    if [40, 64].contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Oid::from_hex(name).map(Some);
    }
    // What git's names of refs never hold; what has it may still say how to get from one to a commit.
    let is_name = !name.is_empty() && !name.contains([' ', '~', '^', ':', '?', '*', '[', '\\', '@']);
    if is_name && name.starts_with("refs/") {
        return repository.read_ref(name);
    }
    let fetched = format!("refs/rapid-local/remotes/{name}/ledger");
    if let Some(tip) = Some(fetched).filter(|_| !name.is_empty()).and_then(|known| repository.read_ref(&known).ok()?) {
        return Ok(Some(tip));
    }
    let Ok(tip) = repository.resolve_commit(name) else { return Ok(None) };
    match name.starts_with("refs/") || repository.lookup(repository.tree_of(tip)?, "format")?.is_some() {
        true => Ok(Some(tip)),
        false => Err(Code::Rapid1510
            .because(format!("'{name}' is commit {} of the code, and no entry of a ledger", tip.short()))
            .at(name)
            .hint(format!("is it covered by a passing run? git rapid verify --commit {name}"))),
    }
}

/// How far a date may lie ahead before it is said, in seconds: clocks differ, and nothing follows from a date.
const SKEW: i64 = 24 * 60 * 60;

/// An entry dated after now (RAPID1580): its writer's clock was wrong, or this one's is.
fn from_the_future(proof: &Proof) -> Option<Finding> {
    let (seconds, entry) = proof.latest?;
    let ahead = seconds.saturating_sub(clock::now_seconds());
    let days = counted(usize::try_from(ahead / SKEW).unwrap_or(usize::MAX), "day", "days");
    let words = format!("entry {} is dated {days} ahead of this machine's clock", entry.short());
    let hint = "nothing is decided by a date; compare this clock, and ask whoever wrote the entry about theirs";
    (ahead > SKEW).then(|| Finding::of(entry, Code::Rapid1580.because(words).hint(hint)))
}

/// Replace refs and grafts do not move the answer; that they are there is worth saying (RAPID1523).
fn replacements(repository: &Repository) -> Result<Vec<Finding>> {
    let mut out = Vec::new();
    let replaced = repository.refs_below("refs/replace/")?.len();
    if replaced > 0 {
        let objects = counted(replaced, "object", "objects");
        let words = format!("this clone replaces {objects} (refs/replace/); the proof does not follow them");
        out.push(Code::Rapid1523.because(words).at("refs/replace/").hint("see 'git replace --list'"));
    }
    let grafts = repository.common_dir().join("info/grafts");
    if grafts.exists() {
        let words = "this clone grafts commits (info/grafts); the proof does not follow them";
        out.push(Code::Rapid1523.because(words).at(grafts.display().to_string()));
    }
    Ok(out.into_iter().map(|diagnostic| Finding { diagnostic, entry: None }).collect())
}
