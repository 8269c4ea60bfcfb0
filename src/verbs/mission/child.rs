//! Makers and checkers: the program of a provider that is given a contract, and what is seen afterwards. An outside agent goes
//! through the same, without the program. What a child is told is `contract`'s.

use super::Site;
use super::contract::{no_package, prepare};
use super::ground::{Left, as_governed, checkers_place, place_of, reopen, take_in};
use crate::agent::provider::Provider;
use crate::agent::turn;
use crate::diagnostics::{Code, Result};
use crate::domain::git_id::GitId;
use crate::domain::ids::{RunId, TaskId};
use crate::domain::text::RelativePath;
use crate::git::{Keep, Oid};
use crate::mission::{Answer, Child, ChildId, Mission, Role, Verdict, in_output, prompt};
use crate::safety::{FailureKind, provider_fault};
use crate::story::Exit;
use crate::story::config::StoryConfig;
use crate::verbs::rapid::Rapid;
use crate::verbs::worktrees::worktree_of;
use crate::verbs::{attach, work};
use std::time::Duration;

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
                None => without_worktree(child),
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

fn without_worktree(child: &Child) -> Left {
    Left::nothing(&child.from, FailureKind::Deleted, "its worktree is gone".to_owned())
}

/// Whether a maker had its worktree here, and somebody removed it. In another clone it never was, and is made.
pub(super) fn is_without_place(site: &Site, child: &Child) -> Result<bool> {
    if child.role == Role::Checker || !site.rapid.registry().existing_records()?.has_run(&child.run)? {
        return Ok(false);
    }
    Ok(worktree_of(&site.rapid, &child.run)?.is_some_and(|known| !known.path.join(".git").exists()))
}

/// How such a maker ends.
pub(super) fn without_place(child: &Child) -> Ended {
    let Left { work, fault } = without_worktree(child);
    let (kind, text) = fault.unwrap_or((FailureKind::Deleted, String::new()));
    Ended { evidence: Vec::new(), work: Some(work), verdict: None, how: How::Failed(kind, text) }
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
