//! A push, a server and `verify --commit` judge the same commit by the same rules, so they give the same answer.

use super::{configure, push, remote_of, there};
use crate::harness::{Loop, Repo, World, project, somebody_can_be_asked, step_aside};

/// A project under these rules with an untracked bystander and a finished run, and a remote that has its base and judges.
fn finished_under(rules: &str) -> Option<(Repo, Repo)> {
    if !somebody_can_be_asked() {
        step_aside("an approval needs somebody who can be asked, and these tests run under a coding agent");
        return None;
    }
    let repo = project(&World::new(), "work");
    configure(&repo, &format!("[enforce]\npre_push = \"require\"\n{rules}"));
    repo.commit("the rules");
    let remote = remote_of(&repo);
    push(&repo, &["main"]).ok();
    remote.rapid(&["hooks", "install", "--protect", "main"]).ok();
    repo.write("notes.txt", "mine, not part of the work\n");
    Loop::start(&repo, "Add a greeting").work().approve().finish();
    Some((repo, remote))
}

/// What all three say of `HEAD`: it may become `main`, or it may not, for this reason.
fn all_say(repo: &Repo, remote: &Repo, refused: Option<&str>) {
    let before = there(remote, "refs/heads/main");
    let verified = |arguments: &[&str]| repo.rapid(&[&["verify", "--commit", "HEAD"], arguments].concat());
    let words = "HEAD:refs/heads/main";
    let on_the_server = push(repo, &["--no-verify", words]);
    repo.rapid(&["hooks", "install"]).ok();
    match refused {
        None => {
            on_the_server.ok();
            // By pre-push, too, which is asked about a branch that the server does not protect.
            remote.rapid(&["hooks", "uninstall"]).ok();
            remote.git(&["update-ref", "refs/heads/elsewhere", &before]);
            push(repo, &["HEAD:refs/heads/elsewhere"]).ok();
            verified(&[]).ok();
            verified(&["--onto", &before, "--require-pass"]).ok();
        }
        Some(why) => {
            on_the_server.ends(1).says("RAPID1610").says(why);
            push(repo, &[words]).ends(1).names("RAPID1610").says(why).says(&format!("--onto {}", &before[..7]));
            verified(&[]).ends(1).names("RAPID1530").says(why);
            verified(&["--require-pass", "--onto", &before]).ends(1).names("RAPID1530").says(why);
            let document = verified(&["--json"]).ends(1).json();
            let said = document.get("commit").and_then(|commit| commit.get("refused")).and_then(|why| why.as_text());
            assert!(said.is_some_and(|said| said.contains(why)), "{said:?}");
            assert_eq!(there(remote, "refs/heads/main"), before);
        }
    }
}

#[test]
fn files_that_are_left_out() {
    for (rule, refused) in [("allow", None), ("refuse", Some("enforce.extras refuses that"))] {
        let Some((repo, remote)) = finished_under(&format!("extras = \"{rule}\"\n")) else { return };
        repo.rapid(&["push"]).ok();
        repo.git(&["commit", "--quiet", "-m", "the work", "greeting.sh"]);
        all_say(&repo, &remote, refused);
    }
}

#[test]
fn merges_that_git_made() {
    for (rule, refused) in [("clean", None), ("rerun", Some("enforce.merges asks for a run on the merged code"))] {
        let Some((repo, remote)) = finished_under(&format!("merges = \"{rule}\"\n")) else { return };
        repo.rapid(&["push"]).ok();
        repo.commit("the work");
        repo.git(&["checkout", "--quiet", "-b", "theirs", "HEAD~1"]);
        repo.write("theirs.txt", "there before anybody protected it\n");
        repo.git(&["add", "theirs.txt"]);
        repo.git(&["commit", "--quiet", "-m", "theirs"]);
        remote.git(&["fetch", "--quiet", repo.path().to_str().unwrap(), "theirs:main"]);
        repo.git(&["fetch", "--quiet", "origin"]);
        repo.git(&["remote", "set-head", "origin", "main"]);
        repo.git(&["merge", "--quiet", "--no-edit", "main"]);
        all_say(&repo, &remote, refused);
    }
}

#[test]
fn a_final_tree_that_is_not_here_is_said_and_not_compared() {
    let Some((repo, _)) = finished_under("") else { return };
    let place = repo.world().path("other");
    repo.git(&["clone", "--quiet", "--no-local", repo.path().to_str().unwrap(), place.to_str().unwrap()]);
    let other = Repo::at(repo.world(), place);
    other.git(&["fetch", "--quiet", "origin", "refs/rapid/ledger:refs/rapid/ledger"]);
    let said = other.rapid(&["verify", "--commit", "HEAD"]).ends(1).names("RAPID1530");
    said.says("add-a-greeting-r1-run-001 passed on tree").says("whose files are not in this clone to compare");
}
