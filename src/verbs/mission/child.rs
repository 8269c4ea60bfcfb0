//! Makers and checkers: the contract of a child, the program of a provider that is given it, and what is seen afterwards. An
//! outside agent goes through the same, without the program.

use super::Site;
use super::ground::{Left, as_governed, checkers_place, open_run, place_of, reopen, spec_of, take_in};
use crate::agent::provider::Provider;
use crate::agent::turn;
use crate::diagnostics::{Code, Result};
use crate::domain::evidence::Payload;
use crate::domain::git_id::GitId;
use crate::domain::ids::{RunId, SpecId, TaskId};
use crate::domain::json::Value;
use crate::domain::text::RelativePath;
use crate::git::{Keep, Oid};
use crate::mission::{
    Answer, CheckerView, Child, ChildId, MakerView, Mission, Package, Role, Verdict, checker_contract, in_output,
    maker_contract, prompt,
};
use crate::safety::{FailureKind, provider_fault};
use crate::story::Exit;
use crate::story::config::StoryConfig;
use crate::verbs::rapid::Rapid;
use crate::verbs::task::Move;
use crate::verbs::{attach, work};
use std::path::PathBuf;
use std::time::Duration;

/// How much of a diff a checker gets, in bytes.
const DIFF: usize = 256 << 10;

/// What became of a child.
pub(super) struct Ended {
    /// The evidence, in the run.
    pub evidence: Vec<String>,
    /// What a maker left.
    pub work: Option<(GitId, GitId)>,
    /// What a checker says.
    pub verdict: Option<Verdict>,
    /// How.
    pub how: How,
}

/// How a child ended.
pub(super) enum How {
    /// With an answer.
    Answered,
    /// With a fault.
    Failed(FailureKind, String),
    /// It was cut off; what halts the run, if anything does.
    CutOff(Option<String>),
}

/// A child that is ready to be given its contract.
pub(super) struct Prepared {
    /// What it gets.
    pub contract: Value,
    /// Where it works.
    pub place: PathBuf,
}

/// Makes a child's place and contract, or finds them as they were made.
pub(super) fn prepare(site: &Site, mission: &Mission, id: &ChildId, child: &Child) -> Result<Prepared> {
    match (&child.package, child.role) {
        (Some(package), Role::Maker | Role::Debugger) => {
            let package = mission.package(package).ok_or_else(no_package)?;
            let slug = package.id().slug();
            let spec = (SpecId::parse(&format!("{}-{slug}", mission.id()))?, spec_of(package.plan())?);
            let rapid = open_run(site, &child.run, spec, Some(package.risk()), &child.from.0)?;
            super::tests::moved(&rapid, &child.run, Move::Start)?;
            let place = rapid.repository().require_workdir()?.to_owned();
            let failed = package.last().map(|last| (last, previous(site, package)));
            let contract = maker_contract(&MakerView {
                mission: mission.id(),
                child: id,
                role: child.role,
                package: package.plan(),
                workspace: &place.display().to_string(),
                failed: failed.as_ref().map(|(last, commit)| (*last, commit.as_deref())),
            });
            Ok(Prepared { contract: site.veiled(contract), place })
        }
        (package, _) => {
            let package = package.as_ref().map(|id| mission.package(id).ok_or_else(no_package)).transpose()?;
            let place = checkers_place(site, id.as_str(), &child.from.0)?;
            let before = base_of(site, mission, package, child)?;
            let (diff, diff_is_cut) = site.repository().patch(before, Oid::try_from(&child.from.1)?, DIFF)?;
            let acceptance = match package {
                Some(package) => package.plan().acceptance.iter().map(String::as_str).collect(),
                None => mission.in_order().flat_map(|one| &one.plan().acceptance).map(String::as_str).collect(),
            };
            let contract = checker_contract(&CheckerView {
                mission: mission.id(),
                child: id,
                package: package.map(Package::plan),
                objective: mission.objective(),
                acceptance,
                workspace: &place.display().to_string(),
                diff: &diff,
                diff_is_cut,
                checks: checks(site, &child.run, package.map_or(mission.final_tested(), Package::tested))?,
            });
            Ok(Prepared { contract: site.veiled(contract), place })
        }
    }
}

fn no_package() -> crate::diagnostics::Diagnostic {
    Code::Rapid003.because("a child works on a package that is not there")
}

/// The commit of the attempt before this one.
fn previous(site: &Site, package: &Package) -> Option<String> {
    let before = package.attempts().iter().rev().nth(1)?;
    let branch = format!("refs/heads/{}", crate::verbs::worktrees::branch_of(&before.run));
    site.repository().read_ref(&branch).ok().flatten().map(|id| id.to_string())
}

/// The tree that the work began with.
fn base_of(site: &Site, mission: &Mission, package: Option<&Package>, child: &Child) -> Result<Oid> {
    if package.is_none() {
        return Oid::try_from(&mission.base().1);
    }
    let parents = site.repository().parents_of(Oid::try_from(&child.from.0)?)?;
    parents.first().map_or_else(|| Oid::try_from(&child.from.1), |parent| site.repository().tree_of(*parent))
}

/// The checks that the mission made itself: what ran and what came of it, nothing of when or for whom. What else is recorded in
/// the run is a maker's word.
fn checks(site: &Site, run: &RunId, tested: &[String]) -> Result<Vec<Value>> {
    let run = site.rapid.registry().existing_records()?.run(run)?;
    let one = |payload: &Payload| match payload {
        Payload::CommandResult { label, exit_code, .. } => {
            Some(Value::object([("command", label.as_str().into()), ("exit_code", (*exit_code).into())]))
        }
        Payload::TestResult { suite, exit_code, counts, .. } => Some(Value::object([
            ("command", suite.as_str().into()),
            ("exit_code", (*exit_code).into()),
            ("passed", counts.passed.into()),
            ("failed", counts.failed.into()),
            ("skipped", counts.skipped.into()),
        ])),
        _ => None,
    };
    let is_ours = |id: &str| tested.iter().any(|name| name == id);
    Ok(run.evidence.iter().filter(|item| is_ours(item.id.as_str())).filter_map(|item| one(&item.payload)).collect())
}

/// Runs a child's program and sees what became of it.
pub(super) fn play(site: &Site, mission: &Mission, id: &ChildId, child: &Child, left: Duration) -> Result<Ended> {
    let provider = provider(site, child.role)?;
    let prepared = prepare(site, mission, id, child)?;
    let environment = site.rapid.environment().without_git().in_directory(&prepared.place);
    let directory = site.repository().shared_dir().join("mission");
    let ask = turn::Ask {
        provider: &provider,
        model: None,
        instructions: None,
        prompt: &prompt(child.role, &prepared.contract),
        prompt_file: &directory.join(format!("{id}.md")),
        environment: &environment,
        deadline: left,
        redactor: &site.redactor,
        mark: &mark(site, id),
    };
    let answer = turn::ask(&ask, &mut |_| {})?;
    crate::os::fault::point("mission-child-gone");
    let mut evidence = Vec::new();
    let transcript = keep(site, child, &format!("{id}.txt"), &answer.transcript)?;
    evidence.extend(transcript);
    let stopped = match answer.exit {
        Exit::Code(0) => None,
        Exit::Code(code) => match provider_fault(&answer.output) {
            Some(fault) => Some(How::CutOff(Some(format!("the provider's fault ({fault}): no attempt is charged")))),
            None => {
                Some(How::Failed(FailureKind::Exit, format!("its program ended with status {code}\n{}", answer.output)))
            }
        },
        // That the program is not there is no fault of the work.
        Exit::NotStarted(why) => Some(How::CutOff(Some(format!("{why}: no attempt is charged")))),
        // The time that a child has is what is left of the run's.
        Exit::TimedOut | Exit::Ended => Some(How::CutOff(None)),
    };
    let said = in_output(child.role, &answer.output);
    let said = said.map_err(|error| How::Failed(FailureKind::Unreadable, error.message));
    seen(site, mission, child, stopped.map_or(said, Err), id, evidence)
}

/// What is seen of a child's work, whoever ran it, and what it said of it.
pub(super) fn seen(
    site: &Site,
    mission: &Mission,
    child: &Child,
    said: std::result::Result<Answer, How>,
    id: &ChildId,
    mut evidence: Vec<String>,
) -> Result<Ended> {
    if let Ok(answer) = &said {
        let bytes = site.veiled(answer.to_value()).record_bytes();
        evidence.extend(keep(site, child, &format!("{id}.json"), &bytes)?);
    }
    if let Err(How::CutOff(why)) = said {
        return Ok(Ended { evidence, work: None, verdict: None, how: How::CutOff(why) });
    }
    match (&child.package, child.role) {
        (Some(package), Role::Maker | Role::Debugger) => {
            let package = mission.package(package).ok_or_else(no_package)?;
            let left = match reopen(site, &child.run)? {
                None => Left::nothing(&child.from, FailureKind::Deleted, "its worktree is gone".to_owned()),
                Some(_) if site.rapid.registry().existing_records()?.run(&child.run)?.state()?.status.is_terminal() => {
                    let text = format!("the run '{}' was ended, which is not the maker's to do", child.run);
                    Left::nothing(&child.from, FailureKind::Tampering, text)
                }
                Some(rapid) => take_in(site, &rapid, &child.run, package, &child.from)?,
            };
            // What must not be is worse than what did not come about.
            let how = match (left.fault, said) {
                (Some((kind, text)), _) if kind.is_breach() => How::Failed(kind, text),
                (_, Err(how)) => how,
                (Some((kind, text)), _) => How::Failed(kind, text),
                (None, Ok(_)) => How::Answered,
            };
            Ok(Ended { evidence, work: Some(left.work), verdict: None, how })
        }
        _ => {
            let how = match said {
                Err(how) => (None, how),
                Ok(_) if has_changed(site, id, child)? => {
                    let text = "the checker changed the code that it was to judge".to_owned();
                    (None, How::Failed(FailureKind::ForeignEdit, text))
                }
                Ok(Answer::Checker(Verdict::Pass, _)) => (Some(Verdict::Pass), How::Answered),
                Ok(Answer::Checker(Verdict::Fail, findings)) => {
                    let text = site.redactor.text(&format!("the checker says no: {}", findings.join("; ")));
                    (Some(Verdict::Fail), How::Failed(FailureKind::Rejected, text))
                }
                Ok(Answer::Maker(_)) => {
                    (None, How::Failed(FailureKind::Unreadable, "a maker's answer from a checker".to_owned()))
                }
            };
            Ok(Ended { evidence, work: None, verdict: how.0, how: how.1 })
        }
    }
}

fn has_changed(site: &Site, id: &ChildId, child: &Child) -> Result<bool> {
    let place = checkers_place(site, id.as_str(), &child.from.0)?;
    let there = Rapid::open(&site.rapid.environment().without_git().in_directory(place))?;
    let tree = work::snapshot(there.repository(), &site.config, Keep::Nothing)?.tree;
    Ok(tree != Oid::try_from(&child.from.1)?)
}

/// Keeps a file with the run of a child.
fn keep(site: &Site, child: &Child, name: &str, bytes: &[u8]) -> Result<Option<String>> {
    let name = RelativePath::parse(name, Code::Rapid1204)?;
    let label = format!("what the {} said", child.role);
    let kept = attach::keep(&site.rapid, &child.run, Some(&TaskId::of(1)), &name, &label, bytes);
    Ok(as_governed(kept)?.map(|evidence| evidence.id.to_string()))
}

/// What marks the processes of a child, in this repository and no other.
pub(super) fn mark(site: &Site, id: &ChildId) -> String {
    let place = site.repository().common_dir().display().to_string();
    format!("{id}-{}", sha1_smol::Sha1::from(place).hexdigest())
}

/// Ends whatever still runs of a child.
pub(super) fn end(site: &Site, id: &ChildId) -> usize {
    turn::end(&mark(site, id))
}

/// Who plays a role (RAPID1913).
pub(super) fn provider(site: &Site, role: Role) -> Result<Provider> {
    let configured = StoryConfig::of_tables(&site.config.stories)?.providers;
    let named = match role {
        Role::Checker => &site.missions.checker,
        Role::Maker | Role::Debugger => &site.missions.maker,
    };
    let missing = |why: String| {
        Code::Rapid1913
            .because(why)
            .hint("name it: git rapid mission run --provider NAME, or provider = \"NAME\" under [mission] in .rapid/config.toml")
            .hint("or drive the mission from outside: git rapid mission next --json")
    };
    let Some(name) = named else { return Err(missing(format!("no provider is named for the {role}"))) };
    let known = Provider::named(name, &configured);
    known.ok_or_else(|| missing(format!("nobody knows the provider '{}'", name.escape_debug())))
}

/// Everybody who plays a role is known.
pub(super) fn require_providers(site: &Site) -> Result<()> {
    Role::ALL.iter().try_for_each(|role| provider(site, *role).map(drop))
}

/// Closes the governed run of work that is taken, where its verdict allows that.
pub(super) fn finish(site: &Site, run: &RunId, commit: &GitId) -> Result<()> {
    let rapid = place_of(site, run, commit)?;
    let request = crate::verbs::finish::Request { run: Some(run.clone()), accept_test_command: false };
    as_governed(crate::verbs::finish::finish(&rapid, &request, &|_, _| String::new())).map(drop)
}
