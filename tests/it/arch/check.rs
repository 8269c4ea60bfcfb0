//! Which files are looked at, what is said of them, and how it ends.

use super::{findings, layered};
use crate::harness::World;
use git_rapid::domain::json::Value;

#[test]
fn what_keeps_the_rules_is_well() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    layered(&repo);
    repo.git_rapid(&["arch", "check"]).ok().says("no import breaks the rules (4 files, 2 layers)");
    repo.commit("layers");
    let said = repo.git_rapid(&["arch", "check", "--json"]).ok();
    assert_eq!(findings(&said), [""; 0]);
    let document = said.json();
    assert_eq!(document.get("files").and_then(Value::as_int), Some(4));
    assert_eq!(document.get("rules").and_then(Value::as_text), Some("working copy"));
    assert_eq!(document.get("layers").and_then(Value::as_list).map(<[Value]>::len), Some(2));
}

#[test]
fn what_breaks_the_rules_is_named_with_its_line_wherever_it_stands() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    layered(&repo);
    repo.write(".gitignore", "ignored/\ncore/ignored.py\n");
    repo.commit("layers");
    // Tracked and changed, untracked, ignored, and gone.
    repo.write("core/model.py", "# import edge.web\n\nfrom edge import (\n    web,\n)\n");
    repo.write("core/new.ts", "import {\n  a,\n} from '../edge/page'\n");
    repo.write("core/\u{e9}t\u{e9}.py", "def f():\n    import os.path\n");
    repo.write("core/ignored.py", "import edge.web\n");
    std::fs::remove_file(repo.path().join("edge/part.ts")).unwrap();
    let expected = ["core/model.py:4 core>edge", "core/new.ts:3 core>edge", "core/\u{e9}t\u{e9}.py:2 core>os"];
    assert_eq!(findings(&repo.git_rapid(&["arch", "check", "--json"]).ends(1)), expected);
    let said = repo.git_rapid(&["arch", "check"]).ends(1).names("RAPID1420");
    assert!(
        said.stdout.starts_with("core/model.py:4: layer 'core' may not import layer 'edge' (edge/web.py)\n"),
        "{said}"
    );
    assert_eq!(said.stdout.lines().count(), 3, "{said}");
    // From a directory below, and with the file staged and marked as sparse: the same.
    repo.git(&["add", "core/new.ts"]);
    repo.git(&["update-index", "--skip-worktree", "core/new.ts"]);
    std::fs::remove_file(repo.path().join("core/new.ts")).unwrap();
    let mut below = world.command("git", &repo.path().join("edge"));
    let below = crate::harness::Output::of(below.args(["rapid", "arch", "check", "--json"])).ends(1);
    assert_eq!(findings(&below), expected);
}

#[test]
fn what_cannot_be_read_is_noted_outside_the_layers_and_a_finding_in_one() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    layered(&repo);
    std::fs::write(repo.path().join("latin.py"), b"# caf\xe9\n").unwrap();
    let large = format!("#{}\n", "x".repeat(1 << 20));
    repo.write("large.py", &large);
    repo.git_rapid(&["arch", "check"]).ok().says("note: 'latin.py' was not read").says("note: 'large.py' was not read");
    repo.write("core/large.py", &large);
    assert_eq!(findings(&repo.git_rapid(&["arch", "check", "--json"]).ends(1)), ["core/large.py:0 core>-"]);
    std::os::unix::fs::symlink("large.py", repo.path().join("core/link.py")).unwrap();
    repo.git_rapid(&["arch", "check"]).ends(1).says("core/large.py: it is larger than");
}

#[test]
fn rules_that_are_missing_or_malformed_end_with_2() {
    let world = World::new();
    let repo = world.repository("work", &[]);
    let said = repo.git_rapid(&["arch", "check"]).ends(2).names("RAPID1421");
    // The hint holds rules that are understood as they stand.
    let start = said.stderr.find('{').unwrap();
    repo.write(".rapid/architecture.json", &said.stderr[start..]);
    repo.git_rapid(&["arch", "check"]).ok().says("note: layer 'domain' has no source file");
    repo.write(".rapid/architecture.json", "{\"schema_version\":1,\"layers\":[],\"more\":1}");
    repo.git_rapid(&["arch", "check"]).ends(2).names("RAPID1421").says("architecture-rules.md");
    let said = repo.git_rapid(&["arch", "check", "--json"]).ends(2);
    let error = said.json().get("error").cloned().unwrap();
    assert_eq!(error.get("code").and_then(Value::as_text), Some("RAPID1421"));
    repo.git_rapid(&["explain", "RAPID1421"]).ok().says("architecture rules");
}
