//! A team at work: an agent's push is refused until a person has approved; what was merged as one commit still verifies.

use super::{push, remote_of, there};
use crate::harness::{GATE, Loop, Repo, World, project, somebody_can_be_asked, step_aside};

#[test]
fn from_the_agents_first_push_to_the_squashed_merge() {
    if !somebody_can_be_asked() {
        return step_aside("a coding agent is above this test, so nobody can be asked");
    }
    let world = World::new();
    let seed = project(&world, "seed");
    super::configure(
        &seed,
        "[enforce.pre_push]\nmain = \"require\"\n\"feature/*\" = \"require\"\n[hooks]\npush_ledger = \"require\"\n",
    );
    seed.commit("the team asks for runs");
    let server = remote_of(&seed);
    push(&seed, &["main"]).ok();
    server.rapid(&["hooks", "install", "--protect", "main"]).ok();

    // The agent works on a branch and cannot push what nobody approved.
    let agent = world.clone_of(&server, "agent");
    agent.rapid(&["init"]).ok().says("hook pre-push");
    agent.git(&["checkout", "--quiet", "-b", "feature/greeting"]);
    let run = Loop::start(&agent, "Greet twice");
    run.work();
    agent.commit("greet twice");
    push(&agent, &["feature/greeting"])
        .ends(1)
        .names("RAPID1610")
        .says(&format!("waits at await_human_approval for {GATE}"))
        .says(&format!("git rapid approve {GATE}"));

    // A person approves at a terminal; then it passes, and the ledger goes with it.
    run.approve().finish();
    push(&agent, &["feature/greeting"]).ok().says("sent refs/rapid/ledger");
    assert_eq!(there(&server, "refs/rapid/ledger"), agent.tip());
    assert_eq!(agent.git(&["log", "-1", "--format=%(trailers:key=Rapid-Run,valueonly)"]).trim(), run.run);

    // CI trusts nobody: a clone of its own, the ledger fetched, the branch's commit asked for.
    let ci = world.clone_of(&server, "ci");
    ci.rapid(&["fetch"]).ok();
    let verifies = |at: &Repo, commit: &str| at.rapid(&["verify", "--commit", commit, "--require-pass"]);
    verifies(&ci, "origin/feature/greeting").ok().says("covered");

    // The branch is merged as one new commit of the same tree.
    let lead = world.clone_of(&server, "lead");
    lead.rapid(&["init"]).ok();
    lead.rapid(&["fetch"]).ok();
    lead.git(&["merge", "--quiet", "--squash", "origin/feature/greeting"]);
    lead.git(&["commit", "--quiet", "-m", "Greet twice (#1)"]);
    push(&lead, &["main"]).ok();
    ci.git(&["fetch", "--quiet"]);
    assert_ne!(ci.git(&["rev-parse", "origin/main"]), ci.git(&["rev-parse", "origin/feature/greeting"]));
    verifies(&ci, "origin/main").ok().says("covered");

    // What nobody looked at stays out, whatever the clone's own hooks say.
    lead.write("greeting.sh", "echo hello\necho unseen\n");
    lead.commit("a quick fix");
    push(&lead, &["main"]).ends(1).names("RAPID1610");
    push(&lead, &["--no-verify", "main"]).ends(1).says("remote: error[RAPID1610]");
}
