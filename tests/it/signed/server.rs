//! A server whose protected branch asks for signatures: by the list that the branch has, whatever else is pushed.

use super::team::{Team, people_can_sign};
use crate::harness::{GATE, Output, Repo};

/// A team whose server protects `main`, which it has as it is before any run.
fn guarded(names: &[&str]) -> (Team, Repo) {
    let team = Team::with("", names);
    let remote = team.repo.world().remote("remote.git");
    team.repo.git(&["remote", "add", "origin", remote.path().to_str().unwrap()]);
    team.repo.git(&["push", "--quiet", "origin", "main"]);
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    (team, remote)
}

fn push(repo: &Repo) -> Output {
    repo.try_git(&["push", "--atomic", "origin", "HEAD:main", "refs/rapid/ledger"])
}

#[test]
fn a_run_that_an_allowed_key_approved_is_taken_and_not_without_its_signature() {
    if !people_can_sign() {
        return;
    }
    let (team, remote) = guarded(&["ada"]);
    let run = team.worked("Say more");
    team.decide(&format!("approve {GATE}"), &format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit("the work");
    let (honest, signature) = (team.repo.tip(), team.signature_of(&run.run));
    // Without the signature, or with somebody else's, the ledger does not verify and nothing is taken.
    let other = team.signed_by("mallory", super::team::NAMESPACE, &team.statement(&run.run));
    for (bytes, code) in [(None, "RAPID1440"), (Some(&other[..]), "RAPID1442")] {
        let records = team.repo.records();
        let kept: Vec<(String, Vec<u8>)> =
            records.iter().map(|path| (path.clone(), team.repo.bytes_of(path))).collect();
        let changes: Vec<(&str, Option<&[u8]>)> = kept
            .iter()
            .map(|(path, own)| (path.as_str(), if *path == signature { bytes } else { Some(&own[..]) }))
            .filter(|(path, _)| *path != "format")
            .collect();
        team.forge(&changes);
        push(&team.repo).ends(1).says(code);
        team.repo.move_ledger(&honest);
    }
    assert_eq!(remote.git(&["for-each-ref", "refs/rapid"]), "");
    push(&team.repo).ok();
    assert_eq!(remote.git(&["rev-parse", "main"]), team.repo.git(&["rev-parse", "HEAD"]));
    remote.rapid(&["verify", "--commit", "main", "--require-pass"]).ok();
}

#[test]
fn a_list_that_a_side_branch_brings_lets_nobody_in() {
    if !people_can_sign() {
        return;
    }
    let (team, remote) = guarded(&["ada"]);
    let before = remote.git(&["rev-parse", "main"]);
    team.repo.git(&["checkout", "--quiet", "-b", "side"]);
    let list = format!("mallory@example.com {}\n", team.public_key("mallory", "ed25519"));
    team.repo.write(".rapid/allowed_signers", &list);
    team.repo.commit("a list of my own");
    team.is_at_work("mallory");
    let run = team.worked("Say more");
    team.decide(&format!("approve {GATE}"), &format!("approve {GATE}")).ok();
    run.finish();
    team.repo.commit("approved by myself");
    team.repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok();
    push(&team.repo).ends(1).says("RAPID1610").says("under other terms than this branch has: allowed_signers");
    let onto = team.repo.rapid(&["verify", "--commit", "HEAD", "--require-pass", "--onto", &before]).ends(1);
    onto.names("RAPID1530").says("allowed_signers");
    assert_eq!(remote.git(&["rev-parse", "main"]), before);
}
