//! Checks of files that are not on the disk as a checkout of their tree would write them.

use crate::harness::{Loop, Repo, World, project};
use git_rapid::domain::json::Value;

fn under(attributes: &str) -> Repo {
    let repo = project(&World::new(), "work");
    repo.write(".gitattributes", attributes);
    repo.write("test.sh", "test \"$(sh greeting.sh)\" = \"$(cat want)\" && echo '1 passed, 0 failed'\n");
    repo.write("want", "hello\n");
    repo.commit("attributes");
    Loop::start(&repo, "Say more");
    repo.git_rapid(&["task", "start", "T001"]).ok();
    repo
}

#[track_caller]
fn is_doubtful(repo: &Repo, file: &str) {
    let seen = repo.git_rapid(&["check", "--json"]).ok().json();
    assert_eq!(seen.get("outcome").and_then(Value::as_text), Some("unverified"));
    assert_eq!(seen.get("tree"), Some(&Value::Null));
    let reason = seen.get("reason").and_then(Value::as_text).unwrap();
    assert!(reason.contains(file) && reason.contains("a checkout of the tree"), "{reason}");
    repo.git_rapid(&["task", "done", "T001"]).ends(1).says(file).says("--clean");
}

/// What the hint says.
fn write_anew(repo: &Repo, file: &str) {
    repo.sh(&format!("git add {file}; rm {file}; git checkout -- {file}"));
}

#[test]
fn what_an_id_hides() {
    let repo = under("*.sh ident\n");
    repo.write("greeting.sh", "x=\"$Id: hello $\"\ncase $x in *hello*) echo hello;; *) echo other;; esac\n");
    is_doubtful(&repo, "greeting.sh ($Id$)");
    repo.git_rapid(&["check", "--clean"]).ends(1);
    repo.git(&["add", "."]);
    is_doubtful(&repo, "greeting.sh ($Id$)");
    write_anew(&repo, "greeting.sh");
    let seen = repo.git_rapid(&["check", "--json"]).ends(1).json();
    assert!(seen.get("tree").is_some_and(|tree| *tree != Value::Null), "it is red here as in every clone");
}

#[test]
fn what_line_endings_hide() {
    let repo = under("* text=auto\n");
    repo.write("want", "hello\r\n");
    repo.write("greeting.sh", "printf 'hello\\r\\n'\n");
    is_doubtful(&repo, "want (line endings)");
    let record = repo.git(&["cat-file", "-p", &format!("refs/rapid/ledger:{}", repo.record("evidence/E003.json"))]);
    assert!(record.contains(r#""tree_notes":{"unlike":["want"]}"#), "{record}");
    write_anew(&repo, "want");
    repo.git_rapid(&["check"]).ends(1);
    repo.write("greeting.sh", "echo hello\n");
    repo.git_rapid(&["task", "done", "T001"]).ok();
}

#[test]
fn a_bit_that_only_this_clone_has() {
    let repo = under("");
    repo.git(&["config", "core.fileMode", "false"]);
    repo.write("test.sh", "./greeting.sh > /dev/null && echo '1 passed, 0 failed'\n");
    repo.sh("chmod +x greeting.sh");
    is_doubtful(&repo, "greeting.sh (executable bit)");
    repo.git_rapid(&["check", "--clean"]).ends(126);
    repo.git(&["update-index", "--chmod=+x", "greeting.sh"]);
    repo.git_rapid(&["task", "done", "T001"]).ok();
}
