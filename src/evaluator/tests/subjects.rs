//! Ruleset × producer × payload for what is no gate: capabilities, `tests.execute`, tasks.

use crate::domain::{
    contract::Ruleset,
    evidence::{GitOperation, Payload, ReviewOutcome, Success, WorkspaceMode},
    gate::ReviewType,
    ids::TaskId,
    lifecycle::TaskStatus,
    mode::Mode,
    report::Status,
};
use crate::evaluator::fixture::{Run, ran, review, tested, tree, with, words};

const RULESETS: [Ruleset; 4] = [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4];

#[test]
fn capabilities_by_what_was_seen() {
    use crate::domain::capability::Capability as C;
    let stands = |ruleset, capability: C, item: Option<(&str, Payload)>, claims: bool| {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        if let Some((by, payload)) = item {
            run.record(by, payload, "");
            if claims {
                run.evidence[0].capability_ids = vec![capability];
            }
        }
        let extra = [capability];
        let report = crate::evaluator::evaluate(&run.input().requiring(&extra)).unwrap();
        let found = report.assertion(&format!("capability.{capability}.observed")).unwrap();
        (found.status, found.required)
    };
    let (pass, fail, open) = ((Status::Pass, true), (Status::Fail, true), (Status::Unverified, true));
    let tool = |outcome| Some(("ci:x", Payload::ToolInvocation { tool_id: "t".to_owned(), outcome }));
    let delegation = |outcome| Some(("ci:x", Payload::Delegation { target: "d".to_owned(), outcome }));
    let git = |operation| Some(("ci:x", Payload::GitResult { operation, finish: Default::default() }));
    let place = |by, mode| Some((by, Payload::Workspace { mode, start: Default::default() }));
    for ruleset in RULESETS {
        for unseen in [C::ContextConsume, C::RepositoryRead] {
            assert_eq!(stands(ruleset, unseen, None, false), (Status::NotApplicable, false));
        }
        assert_eq!(stands(ruleset, C::McpInvoke, None, false), open);
        assert_eq!(stands(ruleset, C::McpInvoke, tool(Success::Success), false), pass);
        assert_eq!(stands(ruleset, C::McpInvoke, tool(Success::Failure), false), fail);
        assert_eq!(stands(ruleset, C::SubagentsDelegate, delegation(Success::Success), false), pass);
        assert_eq!(stands(ruleset, C::SubagentsDelegate, delegation(Success::Failure), false), fail);
        assert_eq!(stands(ruleset, C::GitInspect, git(GitOperation::Inspect), false), pass);
        assert_eq!(stands(ruleset, C::GitInspect, git(GitOperation::Modify), false), open);
        assert_eq!(stands(ruleset, C::GitModify, git(GitOperation::Modify), false), pass);
        assert_eq!(stands(ruleset, C::ShellExecute, Some(("ci:x", ran('b', 0, None))), false), pass);
        assert_eq!(stands(ruleset, C::ShellExecute, Some(("ci:x", ran('b', 1, None))), false), fail);
        assert_eq!(stands(ruleset, C::WorkspaceCurrent, place("ci:x", WorkspaceMode::Current), false), pass);
        assert_eq!(stands(ruleset, C::WorkspaceCurrent, place("ci:x", WorkspaceMode::Isolated), false), open);
        assert_eq!(stands(ruleset, C::WorkspaceCurrent, place("ci:x", WorkspaceMode::Isolated), true), fail);
        assert_eq!(stands(ruleset, C::WorkspaceIsolated, place("ci:x", WorkspaceMode::Isolated), false), pass);
        assert_eq!(stands(ruleset, C::WorkspaceIsolated, place("ci:x", WorkspaceMode::Current), false), open);
        assert_eq!(stands(ruleset, C::WorkspaceIsolated, place("ci:x", WorkspaceMode::Current), true), fail);
        // Q7: where our own start put the run in a worktree, a run that may work anywhere is served.
        let own = stands(ruleset, C::WorkspaceCurrent, place("rapid:start", WorkspaceMode::Isolated), false);
        assert_eq!(own, if ruleset >= Ruleset::V3 { pass } else { open });
    }
}

#[test]
fn tests_execute_looks_at_the_whole_run() {
    let stands = |ruleset, items: &[(&str, Payload)]| {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        for (by, payload) in items {
            run.record(by, payload.clone(), "");
        }
        run.finish_record('b');
        run.stands("capability.tests.execute.observed").0
    };
    let by_ruleset = |items: &[(&str, Payload)]| RULESETS.map(|ruleset| stands(ruleset, items));
    let (p, f, u) = (Status::Pass, Status::Fail, Status::Unverified);
    let (green, red) = (tested('b', 3, 0), tested('b', 2, 1));
    let ours = |payload: &Payload| ("rapid:check", payload.clone());
    assert_eq!(by_ruleset(&[]), [u, u, u, u]);
    assert_eq!(by_ruleset(&[ours(&green)]), [p, p, p, p]);
    assert_eq!(by_ruleset(&[("ci:x", green.clone())]), [p, p, u, u]);
    assert_eq!(by_ruleset(&[ours(&green), ours(&red)]), [f, f, f, f]);
    assert_eq!(by_ruleset(&[ours(&red), ours(&green)]), [f, f, f, p]);
    // An expected failure is no failure, except to ruleset 1.
    let expected = with(red.clone(), |facts| facts.expects_failure = true);
    assert_eq!(by_ruleset(&[ours(&expected), ours(&green)]), [f, p, p, p]);
    // Red on other code is history under ruleset 4; another command's red on the final tree is not.
    let elsewhere = with(red.clone(), |facts| facts.tree = Some(tree('c')));
    assert_eq!(by_ruleset(&[ours(&green), ours(&elsewhere)]), [f, f, f, p]);
    let another = with(red, |facts| facts.command = Some(words("pytest")));
    assert_eq!(by_ruleset(&[ours(&another), ours(&green)]), [f, f, f, f]);
    // A plain command is no test result where red is final, and is the test command's answer under ruleset 4.
    let plain = ran('b', 101, Some("none"));
    assert_eq!(by_ruleset(&[ours(&green), ours(&plain)]), [p, p, p, f]);
    assert_eq!(by_ruleset(&[ours(&ran('b', 0, Some("no-counts")))]), [u, u, p, p]);
}

#[test]
fn tasks_by_what_is_bound_to_them() {
    let stands = |ruleset, items: &[(&str, Payload)]| {
        let mut run = Run::new(Mode::Feature, ruleset, 1);
        run.begin();
        run.task(1, TaskStatus::InProgress);
        for (by, payload) in items {
            run.record(by, payload.clone(), "T001");
        }
        run.task(1, TaskStatus::Done);
        run.finish_record('b');
        run.stands(&format!("task.{}.evidence", TaskId::of(1))).0
    };
    let by_ruleset = |items: &[(&str, Payload)]| RULESETS.map(|ruleset| stands(ruleset, items));
    let (p, f, u) = (Status::Pass, Status::Fail, Status::Unverified);
    let (green, red) = (tested('b', 3, 0), tested('b', 2, 1));
    let artifact = Payload::Artifact { label: "report".to_owned() };
    let tool = |outcome| Payload::ToolInvocation { tool_id: "t".to_owned(), outcome };
    assert_eq!(by_ruleset(&[]), [u, u, u, u]);
    assert_eq!(by_ruleset(&[("rapid:attach", artifact.clone())]), [p, p, p, p]);
    assert_eq!(by_ruleset(&[("ci:x", green.clone())]), [p, p, p, p]);
    assert_eq!(by_ruleset(&[("rapid:check", red.clone())]), [f, f, f, f]);
    assert_eq!(by_ruleset(&[("rapid:check", red.clone()), ("rapid:check", green.clone())]), [f, f, f, p]);
    assert_eq!(by_ruleset(&[("rapid:check", green.clone()), ("rapid:check", red.clone())]), [f, f, f, f]);
    // A red check is not made good by a file.
    assert_eq!(by_ruleset(&[("rapid:check", red.clone()), ("rapid:attach", artifact)]), [f, f, f, f]);
    // A check of other code does not count under ruleset 4.
    let elsewhere = with(green, |facts| facts.tree = Some(tree('c')));
    assert_eq!(by_ruleset(&[("rapid:check", elsewhere)]), [p, p, p, u]);
    assert_eq!(by_ruleset(&[("ci:x", tool(Success::Failure)), ("ci:x", tool(Success::Success))]), [f, f, f, p]);
    assert_eq!(by_ruleset(&[("ci:x", tool(Success::Success)), ("ci:x", tool(Success::Failure))]), [f, f, f, f]);
    // Reviews and workspaces say nothing of tasks, and an expected failure is no work.
    let approval = review(ReviewType::Final, ReviewOutcome::Rejected, None, None);
    assert_eq!(by_ruleset(&[("ci:x", approval)]), [u, u, u, u]);
    let expected = with(red, |facts| facts.expects_failure = true);
    assert_eq!(by_ruleset(&[("rapid:check", expected)]), [f, u, u, u]);
}
