//! Bundles: proved in an empty directory, read by git too, refused when a byte of them changed.

use super::stages;
use crate::harness::{Output, Repo, World, finished};
use git_rapid::domain::json::Value;
use std::path::PathBuf;

/// A bundle of a repository, alone in a directory that is no repository.
fn bundled(repo: &Repo, more: &[&str]) -> PathBuf {
    let place = repo.world().path("empty");
    std::fs::create_dir_all(&place).unwrap();
    let file = place.join("review.bundle");
    let arguments = ["export", "--format", "bundle", "-o", file.to_str().unwrap()];
    repo.git_rapid(&[&arguments[..], more].concat()).ok().says("wrote");
    file
}

fn verify(repo: &Repo, file: &std::path::Path, more: &[&str]) -> Output {
    let mut command = repo.world().tool(file.parent().unwrap());
    Output::of(command.args(["verify", file.file_name().unwrap().to_str().unwrap()]).args(more))
}

#[test]
fn a_bundle_is_proved_in_an_empty_directory() {
    let Some(repo) = finished() else { return };
    let (tip, head) = (repo.tip(), repo.git(&["rev-parse", "HEAD"]));
    let file = bundled(&repo, &[]);
    let here = verify(&repo, &file, &[]).ok().says("proven");
    assert!(here.stdout.contains("not in this clone"), "logs are not taken along where nothing says so: {here}");
    let document =
        verify(&repo, &file, &["--json", "--commit", "HEAD", "--require-pass", "--expect", &tip]).ok().json();
    assert_eq!(document.get("tip").and_then(Value::as_text), Some(tip.as_str()));
    assert_eq!(document.get("commit").unwrap().get("id").and_then(Value::as_text), Some(head.as_str()));
    assert_eq!(document.get("commit").unwrap().get("covered").and_then(Value::as_text), Some("exact"));
    let _ = verify(&repo, &file, &["--commit", "main", "--onto", "main", "--require-pass"]).ok();
    verify(&repo, &file, &["--commit", "HEAD~1"]).ends(1).names("RAPID1530");
    verify(&repo, &file, &["--expect", &head]).ends(1).says("RAPID1536");
    assert_eq!(std::fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    assert_eq!(std::fs::read_dir(repo.world().path("tmp")).unwrap().count(), 0, "nor among the temporary files");
    // Git reads it as well.
    repo.world().git_at(file.parent().unwrap(), &["bundle", "list-heads", "review.bundle"]).says("refs/rapid/ledger");
    repo.git(&["bundle", "verify", "--quiet", file.to_str().unwrap()]);
    repo.world().git_at(file.parent().unwrap(), &["clone", "--quiet", "review.bundle", "clone"]);
    assert!(file.parent().unwrap().join("clone/greeting.sh").exists());
}

#[test]
fn material_comes_along_when_it_is_asked_for() {
    let Some(repo) = finished() else { return };
    let file = bundled(&repo, &["--attachments", "final"]);
    verify(&repo, &file, &[]).ok().says("here and match");
    let final_size = std::fs::metadata(&file).unwrap().len();
    let file = bundled(&repo, &["--attachments", "all"]);
    let said = verify(&repo, &file, &["--json"]).ok().json();
    assert_eq!(said.get("attachments").unwrap().get("missing").and_then(Value::as_int), Some(0));
    assert!(std::fs::metadata(&file).unwrap().len() >= final_size);
}

/// Bytes of the head, of the end, and between. Only the names of branches stand in a bundle unprotected: what is proved in spite of
/// another byte is the same ledger and the same commit.
#[test]
fn an_altered_bundle_is_refused() {
    let Some(repo) = finished() else { return };
    let file = bundled(&repo, &[]);
    let whole = std::fs::read(&file).unwrap();
    let (tip, head) = (repo.tip(), repo.git(&["rev-parse", "HEAD"]));
    let mut unmoved = 0;
    let header = whole.windows(2).position(|pair| pair == b"\n\n").unwrap();
    let places = (0..header).step_by(29).chain([header + 8, whole.len() / 2, whole.len() - 5]);
    for at in places {
        let mut altered = whole.clone();
        altered[at] ^= 1;
        std::fs::write(&file, &altered).unwrap();
        let said = verify(&repo, &file, &["--json", "--commit", "HEAD", "--require-pass"]);
        if said.code == 0 {
            let document = said.json();
            assert_eq!(document.get("tip").and_then(Value::as_text), Some(tip.as_str()), "byte {at}");
            let commit = document.get("commit").unwrap().get("id").and_then(Value::as_text);
            assert_eq!(commit, Some(head.as_str()), "byte {at}");
            unmoved += 1;
        } else {
            assert!(["RAPID1751", "RAPID1506"].iter().any(|code| said.stderr.contains(code)), "byte {at}: {said}");
        }
    }
    assert!(unmoved <= 1, "bytes that changed nothing: {unmoved}");
    std::fs::write(&file, &whole[..whole.len() - 40]).unwrap();
    verify(&repo, &file, &[]).ends(2).names("RAPID1751");
    std::fs::write(&file, "# v2 git bundle\n").unwrap();
    verify(&repo, &file, &[]).ends(2).names("RAPID1751");
    std::fs::remove_file(&file).unwrap();
    verify(&repo, &file, &[]).ends(2).names("RAPID1751");
    repo.git(&["bundle", "create", "--quiet", file.to_str().unwrap(), "HEAD"]);
    verify(&repo, &file, &[]).ends(2).names("RAPID1751").says("holds no ledger");
    // A bundle that git takes, with a ledger that does not hold.
    let path = repo.record("E001.json");
    let blob = repo.blob(b"{}\n");
    repo.append_entry(&[(&path, Some(&blob))]);
    repo.git(&["bundle", "create", "--quiet", file.to_str().unwrap(), "refs/rapid/ledger", "HEAD"]);
    let disproved = verify(&repo, &file, &["--json"]).ends(1).json();
    assert_eq!(disproved.get("answer").and_then(Value::as_text), Some("disproven"));
}

#[test]
fn a_clone_with_holes_makes_no_bundle() {
    let Some(repo) = finished() else { return };
    let url = format!("file://{}", repo.path().display());
    repo.world().git_at(repo.world().top(), &["clone", "--quiet", "--depth", "1", &url, "shallow"]);
    let shallow = Repo::at(repo.world(), repo.world().path("shallow"));
    shallow.git(&["fetch", "--quiet", "origin", "refs/rapid/ledger:refs/rapid/ledger"]);
    let made = shallow.git_rapid(&["export", "--format", "bundle", "-o", "out.bundle"]);
    made.ends(2).names("RAPID1754").says("shallow");
    assert!(!shallow.path().join("out.bundle").exists());
}

#[test]
fn signatures_hold_in_a_bundle_by_the_readers_own_list() {
    let Some(team) = stages::signed() else { return };
    let file = bundled(&team.repo, &[]);
    let list = file.with_file_name("mine");
    std::fs::write(&list, format!("ada@example.com {}\n", team.public_key("ada", "ed25519"))).unwrap();
    let asked = ["--commit", "HEAD", "--require-pass", "--allowed-signers", "mine"];
    verify(&team.repo, &file, &asked).ok().says("approvals: signed");
    std::fs::write(&list, format!("bob@example.com {}\n", team.public_key("bob", "ed25519"))).unwrap();
    assert_ne!(verify(&team.repo, &file, &asked).code, 0);
}

/// A name with odd characters is a file all the same, and a file that is none is a ref.
#[test]
fn a_file_is_told_from_a_ref() {
    let Some(repo) = finished() else { return };
    let file = bundled(&repo, &[]);
    let odd = file.with_file_name("a:b c.bundle");
    std::fs::rename(&file, &odd).unwrap();
    verify(&repo, &odd, &[]).ok().says("proven");
    let plain = odd.with_file_name("no-ending");
    std::fs::rename(&odd, &plain).unwrap();
    let at = |name: &str| Output::of(repo.world().tool(plain.parent().unwrap()).args(["verify", name]));
    at("./no-ending").ok().says("of the bundle ./no-ending").says("proven");
    at("no-ending").ends(2).names("RAPID1500");
    // A commit can bring a file of any name.
    repo.write("more.sh", "echo more\n");
    let uncovered = repo.commit("more");
    for name in ["origin", "refs/rapid/ledger", "main"] {
        repo.write(name, "");
        std::fs::copy(&plain, repo.path().join(name)).unwrap();
        let said = repo.git_rapid(&["verify", name, "--commit", "HEAD", "--require-pass"]);
        assert!(said.code != 0 && !said.stdout.contains("of the bundle"), "{said}");
    }
    repo.git(&["tag", &uncovered[..7], "HEAD~1"]);
    repo.git_rapid(&["verify", "--commit", &uncovered[..7], "--require-pass"]).ends(2).names("RAPID1506");
    repo.git_rapid(&["verify", "--commit", &uncovered, "--require-pass"]).ends(1).names("RAPID1530");
    let world = World::new();
    Output::of(world.tool(world.top()).args(["verify", "nothing"])).ends(2).names("RAPID1500");
}
