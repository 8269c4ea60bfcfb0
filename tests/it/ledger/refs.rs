//! Refs that are not what they seem: replaced, grafted, cut off, symbolic, or not there at all.

use crate::harness::{Loop, Output, Repo, World, finished, project};

/// What `verify` says, without the remark that objects are replaced here.
fn answer(repo: &Repo) -> (i32, String, String) {
    let seen = repo.verify(&["--commit", "HEAD"]);
    let document = seen.json();
    let kept = ["answer", "tip", "entries", "attachments", "commit"].map(|key| format!("{:?}", document.get(key)));
    let errors = seen.findings().into_iter().filter(|(code, _)| code != "RAPID1523");
    (seen.code, kept.join("\n"), format!("{:?}", errors.collect::<Vec<_>>()))
}

#[test]
fn replaced_objects_do_not_move_the_verdict_and_are_mentioned() {
    let Some(repo) = finished() else { return };
    let honest = answer(&repo);
    assert_eq!(honest.0, 0);
    let of = |what: &str| repo.git(&["rev-parse", what]);
    let (tip, tree) = (of("refs/rapid/ledger"), of("refs/rapid/ledger^{tree}"));
    let report = of(&format!("refs/rapid/ledger:{}", repo.record("reports/0001.json")));
    let first = repo.first_entry();
    let replacements = [
        (tip, first.clone()),
        (tree, of(&format!("{first}^{{tree}}"))),
        (report, repo.blob(b"{\"verdict\":\"pass\"}\n")),
        (of("HEAD"), of("HEAD~1")),
        (of("HEAD^{tree}"), of("HEAD~1^{tree}")),
    ];
    for (object, other) in replacements {
        repo.git(&["replace", "--force", &object, &other]);
        assert_eq!(answer(&repo), honest, "{object} replaced by {other}");
        let _ = repo.verify(&[]).ok().finds("RAPID1523", "refs/replace/");
        repo.git(&["replace", "-d", &object]);
    }
    assert!(repo.verify(&[]).ok().findings().is_empty());
}

#[test]
fn a_replacement_does_not_make_a_bad_ledger_good() {
    let Some(repo) = finished() else { return };
    let good = repo.tip();
    let path = repo.record("reports/0001.json");
    let bad = repo.append_entry(&[(&path, None)]);
    repo.git(&["replace", &bad, &good]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
}

#[test]
fn grafts_do_not_move_the_verdict_and_are_mentioned() {
    let Some(repo) = finished() else { return };
    let honest = answer(&repo);
    let (tip, first) = (repo.tip(), repo.first_entry());
    let grafts = repo.path().join(".git/info/grafts");
    std::fs::create_dir_all(grafts.parent().unwrap()).unwrap();
    // History hidden from git: the newest entry hangs on the first.
    std::fs::write(&grafts, format!("{tip} {first}\n")).unwrap();
    assert_eq!(repo.git(&["rev-list", "--count", "refs/rapid/ledger"]), "2");
    assert_eq!(answer(&repo), honest);
    let _ = repo.verify(&[]).ok().finds("RAPID1523", "info/grafts");
}

#[test]
fn a_forged_commit_graph_is_not_read() {
    let Some(repo) = finished() else { return };
    let honest = answer(&repo);
    repo.git(&["commit-graph", "write", "--reachable"]);
    let path = repo.record("reports/0001.json");
    assert_eq!(answer(&repo), honest);
    repo.append_entry(&[(&path, None)]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
}

#[test]
fn a_ledger_that_is_cut_off_is_not_proven() {
    let Some(repo) = finished() else { return };
    let shallow = repo.world().repository("shallow", &[]);
    let from = format!("file://{}", repo.path().display());
    shallow.git(&["fetch", "--quiet", "--depth=1", &from, "refs/rapid/ledger:refs/rapid/ledger"]);
    let _ = shallow.verify(&[]).ends(2).finds("RAPID1519", "");
    shallow.rapid(&["verify"]).ends(2).says("cannot say").says("RAPID1519");
    // What is there is listed, and nothing passes for the whole of it.
    let listed = shallow.rapid(&["log"]).ok().says("finish add-a-greeting-r1-run-001").says("is shallow there");
    assert!(!listed.stdout.contains("start add-a-greeting"), "{listed}");
    shallow.rapid(&["log", "--json"]).ok().says(&format!("\"cut\": [\n    \"{}\"", repo.tip()));
    shallow.rapid(&["doctor"]).says("this clone is shallow and lacks the older entries");
    shallow.git(&["fetch", "--quiet", "--unshallow", &from, "refs/rapid/ledger:refs/rapid/ledger"]);
    shallow.rapid(&["verify"]).ok().says("proven");
    let whole = shallow.rapid(&["log"]).ok().says("start add-a-greeting");
    assert!(!whole.stdout.contains("shallow"), "{whole}");
}

#[test]
fn an_entry_from_the_future_is_mentioned_and_nothing_else() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    let tree = repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]);
    let ahead = |days: u64| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let who = format!("Ada <ada@example.com> {} +0000", now + days * 86_400 + 60);
        let text = format!("tree {tree}\nparent {}\nauthor {who}\ncommitter {who}\n\nlate\n", repo.tip());
        repo.git_with(&["hash-object", "-w", "-t", "commit", "--stdin"], text.as_bytes())
    };
    // Clocks differ a little.
    repo.git(&["update-ref", "refs/rapid/ledger", &ahead(0)]);
    assert_eq!(repo.verify(&[]).ok().findings(), []);
    repo.git(&["update-ref", "refs/rapid/ledger", &ahead(400)]);
    for again in 0..2 {
        let said = repo.rapid(&["verify"]).ok().says("proven").says("dated 400 days ahead");
        assert!(said.stderr.contains("RAPID1580") || said.stdout.contains("RAPID1580"), "time {again}: {said}");
    }
    let _ = repo.verify(&["--full"]).ok().finds("RAPID1580", "");
    repo.rapid(&["task", "start", "T001"]).ok();
    repo.rapid(&["verify"]).ok().says("dated 400 days ahead");
}

#[test]
fn a_repository_that_is_shallow_for_code_only_has_a_whole_ledger() {
    let Some(repo) = finished() else { return };
    let world = repo.world();
    let from = format!("file://{}", repo.path().display());
    world.git_at(world.top(), &["clone", "--quiet", "--depth=1", &from, "shallow"]);
    let shallow = Repo::at(world, world.path("shallow"));
    assert_eq!(shallow.git(&["rev-list", "--count", "HEAD"]), "1");
    shallow.rapid(&["fetch"]).ok();
    shallow.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("proven").says("covered");
}

#[test]
fn nothing_to_verify_never_reads_as_success() {
    let repo = project(&World::new(), "work");
    let _ = repo.verify(&[]).ends(2).names("RAPID1510").finds("RAPID1510", "");
    repo.rapid(&["verify"]).ends(2).names("RAPID1510").says("hint: ");
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ends(2).names("RAPID1510");
    repo.rapid(&["verify", "refs/rapid-local/remotes/origin/ledger"]).ends(2).names("RAPID1510");
    assert_eq!(repo.git(&["for-each-ref", "refs/rapid", "refs/rapid-local"]), "");
}

#[test]
fn a_symbolic_ref_in_the_ledgers_place_is_refused_and_what_it_points_to_does_not_move() {
    let repo = project(&World::new(), "work");
    for name in ["refs/rapid/ledger", "refs/rapid/attachments"] {
        repo.git(&["symbolic-ref", name, "refs/heads/main"]);
        let main = repo.git(&["rev-parse", "main"]);
        repo.rapid(&["start", "feature", "--title", "x", "--task", "y"]).ends(2).names("RAPID1511").says("hint: ");
        assert_eq!(repo.git(&["rev-parse", "main"]), main, "the branch did not move");
        assert_eq!(repo.git(&["symbolic-ref", name]), "refs/heads/main", "nothing was repaired behind one's back");
        repo.git(&["symbolic-ref", "--delete", name]);
    }
    repo.rapid(&["start", "feature", "--title", "x", "--task", "y"]).ok();
    repo.git(&["update-ref", "-d", "refs/rapid/ledger"]);
    repo.git(&["symbolic-ref", "refs/rapid/ledger", "refs/heads/nowhere"]);
    repo.rapid(&["task", "start", "T001"]).ends(2).names("RAPID1511");
    repo.rapid(&["verify"]).ends(2).names("RAPID1511");
    assert_eq!(repo.try_git(&["rev-parse", "--verify", "--quiet", "refs/heads/nowhere"]).code, 1);
}

#[test]
fn a_ref_that_holds_no_id_names_its_file() {
    if !World::refs_are_files() {
        return;
    }
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    let file = repo.path().join(".git/refs/rapid/ledger");
    for bytes in ["", "\0\0\0\0\0\0\0\0", "not an id\n"] {
        std::fs::write(&file, bytes).unwrap();
        for verb in [&["verify"][..], &["next"], &["task", "start", "T001"]] {
            let _ = repo.rapid(verb).ends(2).names("RAPID1511").says("refs/rapid/ledger").says("hint: ");
        }
    }
}

#[test]
fn a_branch_in_the_ledgers_place_is_not_written_to() {
    let repo = project(&World::new(), "work");
    repo.git(&["update-ref", "refs/rapid/ledger", "main"]);
    repo.rapid(&["start", "feature", "--title", "x", "--task", "y"]).ends(2).says("RAPID15");
    assert_eq!(repo.tip(), repo.git(&["rev-parse", "main"]));
}

#[test]
fn the_ledger_can_be_packed_and_collected_and_is_still_proven() {
    let Some(repo) = finished() else { return };
    repo.git(&["gc", "--quiet", "--prune=now"]);
    repo.git(&["pack-refs", "--all"]);
    repo.rapid(&["verify", "--commit", "HEAD", "--require-pass"]).ok().says("all 2 attachments are here");
    Loop::start(&repo, "Another thing");
    repo.rapid(&["verify"]).ok();
    assert_eq!(repo.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}

#[test]
fn the_environment_of_a_hook_does_not_lead_elsewhere() {
    let repo = project(&World::new(), "work");
    let other = project(repo.world(), "other");
    let mut start = repo.world().tool(other.path());
    start.args(["start", "feature", "--title", "x", "--task", "y"]);
    start.env("GIT_INDEX_FILE", other.path().join("no-index")).env("GIT_TRACE", "1");
    let _ = Output::of(&mut start).ok();
    assert!(!other.path().join("no-index").exists());
    assert_eq!(repo.git(&["for-each-ref", "refs/rapid"]), "");
}

#[test]
fn what_is_to_be_proved_is_named_as_git_names_it() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    let before = repo.git(&["rev-parse", "refs/rapid/ledger~1"]);
    for name in ["refs/rapid/ledger", "refs/rapid/ledger~1", "refs/rapid/ledger^{commit}", &before, &before[..8]] {
        repo.rapid(&["verify", name]).ok().says("proven");
    }
    repo.rapid(&["verify", "refs/rapid/ledger~1"]).ok().says("1 entry");
    for code in ["HEAD", "main", &repo.git(&["rev-parse", "--short", "HEAD"])] {
        let refused = repo.rapid(&["verify", code]).ends(2).names("RAPID1510").says("no entry of a ledger");
        refused.says(&format!("git rapid verify --commit {code}"));
    }
    for nothing in ["", "nowhere", "refs/rapid/nowhere", "refs/rapid/ledger~99"] {
        repo.rapid(&["verify", nothing]).ends(2).names("RAPID1510").says(&format!("there is nothing at '{nothing}'"));
    }
}

#[test]
fn a_remark_is_no_finding() {
    let world = World::new();
    let repo = project(&world, "work");
    Loop::start(&repo, "Say more");
    let other = repo.git(&["commit-tree", "main^{tree}", "-m", "other"]);
    repo.git(&["replace", "main", &other]);
    repo.append_entry(&[("runs/zz/junk", Some(&repo.blob(b"junk\n")))]);
    let document = repo.rapid(&["verify", "--json"]).ends(1);
    document.says("RAPID1523");
    repo.rapid(&["verify"]).ends(1).says("2 findings in ");
}
