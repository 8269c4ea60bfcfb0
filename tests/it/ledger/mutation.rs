//! One byte changed in any record: found, and by name.

use crate::harness::{Repo, finished};
use std::fmt::Write;

/// Another byte of the same kind, so that what it stands in stays as much of a record as it can.
fn other(byte: u8) -> u8 {
    match byte {
        b'0'..=b'8' | b'a'..=b'y' | b'A'..=b'Y' => byte + 1,
        b'9' => b'0',
        b'z' => b'a',
        b'Z' => b'A',
        _ => b'x',
    }
}

/// A record, the place of the byte to change in it, and the ref under which the changed ledger stands.
struct Change {
    path: String,
    at: usize,
    name: String,
}

/// Writes for each change a whole ledger in which that byte is another one, as one entry after the first: every path is an
/// addition there, so only what the record says can give it away.
fn forge_each(repo: &Repo, changes: &[Change]) {
    let tree = repo.git(&["rev-parse", "refs/rapid/ledger^{tree}"]);
    let first = repo.first_entry();
    let mut stream = Vec::new();
    for change in changes {
        let mut bytes = repo.bytes_of(&change.path);
        bytes[change.at] = other(bytes[change.at]);
        let mut head = String::new();
        write!(head, "commit {}\ncommitter Ada <ada@example.com> 1767300000 +0000\n", change.name).unwrap();
        write!(head, "data 7\nforged\nfrom {first}\nM 040000 {tree} \"\"\n").unwrap();
        write!(head, "M 100644 inline {}\ndata {}\n", change.path, bytes.len()).unwrap();
        stream.extend_from_slice(head.as_bytes());
        stream.extend_from_slice(&bytes);
        stream.push(b'\n');
    }
    repo.git_with(&["fast-import", "--quiet"], &stream);
}

fn each_is_found(repo: &Repo, changes: &[Change]) {
    forge_each(repo, changes);
    for change in changes {
        let seen = repo.verify(&[&change.name]);
        assert_eq!(seen.code, 1, "byte {} of '{}' was changed: {seen}", change.at, change.path);
        let named = seen.findings().iter().any(|(_, path)| *path == change.path);
        assert!(named, "'{}' is named, byte {}: {seen}", change.path, change.at);
    }
}

fn change(path: &str, at: usize) -> Change {
    let name = format!("refs/forged/{}/{at}", path.replace(['/', '.'], "-"));
    Change { path: path.to_owned(), at, name }
}

#[test]
fn one_byte_changed_in_the_middle_of_any_record_is_found_by_name() {
    let Some(repo) = finished() else { return };
    let records = repo.records();
    assert!(records.len() > 20, "a finished run has records of every kind");
    let changes: Vec<Change> = records.iter().map(|path| change(path, repo.bytes_of(path).len() / 2)).collect();
    each_is_found(&repo, &changes);
}

#[test]
fn the_first_and_the_last_byte_of_a_record_count_too() {
    let Some(repo) = finished() else { return };
    let endings = [
        "contract.json",
        "states/0001.json",
        "E003.json",
        "reports/0001.json",
        "status/0001.json",
        "tasks.md",
        "format",
    ];
    let ends = endings.iter().flat_map(|ending| {
        let path = repo.record(ending);
        let last = repo.bytes_of(&path).len() - 1;
        [change(&path, 0), change(&path, last)]
    });
    each_is_found(&repo, &ends.collect::<Vec<_>>());
}

/// Every byte of every record takes minutes: asked for with RAPID_SLOW_TESTS.
#[test]
fn any_byte_of_any_record_is_found() {
    if std::env::var_os("RAPID_SLOW_TESTS").is_none() {
        return eprintln!("every byte of every record takes minutes; RAPID_SLOW_TESTS asks for it");
    }
    let Some(repo) = finished() else { return };
    for path in repo.records() {
        let length = repo.bytes_of(&path).len();
        each_is_found(&repo, &(0..length).map(|at| change(&path, at)).collect::<Vec<_>>());
    }
}

#[test]
fn a_changed_record_on_top_of_the_ledger_is_an_alteration_of_an_older_path() {
    let Some(repo) = finished() else { return };
    let path = repo.record("reports/0001.json");
    let text = String::from_utf8(repo.bytes_of(&path)).unwrap().replace("shown", "shawn");
    let blob = repo.blob(text.as_bytes());
    repo.append_entry(&[(&path, Some(&blob))]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &path);
}

#[test]
fn a_damaged_object_file_is_found_by_name() {
    let Some(repo) = finished() else { return };
    let path = repo.record("evidence/E003.json");
    let id = repo.git(&["rev-parse", &format!("refs/rapid/ledger:{path}")]);
    let file = repo.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    // A good object file with other bytes in it: what a careless restore or a bit on the disk leaves.
    let text = String::from_utf8(repo.bytes_of(&path)).unwrap();
    let other = repo.blob(text.replace("exit status 0", "exit status 1").as_bytes());
    let stranger = repo.path().join(format!(".git/objects/{}/{}", &other[..2], &other[2..]));
    repo.sh(&format!("chmod u+w '{0}' && cat '{1}' > '{0}'", file.display(), stranger.display()));
    let _ = repo.verify(&[]).ends(1).finds("RAPID1518", &path);
    // Bytes that are no object at all.
    std::fs::write(&file, "not an object").unwrap();
    let seen = repo.verify(&[]);
    assert_ne!(seen.code, 0, "{seen}");
    assert!(seen.findings().iter().any(|(_, named)| *named == path), "{seen}");
}

#[test]
fn what_is_damaged_after_it_was_proved_is_found_when_all_of_it_is_asked_for() {
    let Some(repo) = finished() else { return };
    repo.rapid(&["verify"]).ok();
    for ending in ["E003.json", "terms/config.toml", "requirements.md", "states/0002.json", "reports/0001.json"] {
        let path = repo.record(ending);
        let id = repo.git(&["rev-parse", &format!("refs/rapid/ledger:{path}")]);
        let file = repo.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        let kept = std::fs::read(&file).unwrap();
        repo.sh(&format!("chmod u+w '{}'", file.display()));
        let other = repo.blob(b"something else\n");
        let stranger = repo.path().join(format!(".git/objects/{}/{}", &other[..2], &other[2..]));
        std::fs::write(&file, std::fs::read(stranger).unwrap()).unwrap();
        let _ = repo.verify(&["--full"]).ends(1).finds("RAPID1518", &path);
        std::fs::write(&file, kept).unwrap();
        repo.rapid(&["verify", "--full"]).ok();
    }
}

#[test]
fn what_was_proved_before_hides_nothing_that_came_after() {
    let Some(repo) = finished() else { return };
    repo.rapid(&["verify"]).ok();
    let good = repo.tip();
    let (report, state) = (repo.record("reports/0001.json"), repo.record("states/0003.json"));
    let blob = repo.blob(b"{}\n");
    repo.append_entry(&[(&report, None)]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &report);
    repo.move_ledger(&good);
    repo.append_entry(&[(&state, Some(&blob))]);
    let _ = repo.verify(&[]).ends(1).finds("RAPID1517", &state);
    // History that leads around the proved tip: the entry before it, with a report of its own.
    let before = repo.git(&["rev-parse", &format!("{good}~1")]);
    let around = repo.entry(&repo.tree_with(&before, &[(&report, Some(&blob))]), &[&before]);
    let _ = repo.verify(&[&around]).ends(1).finds("", &report);
    let mut parents = [good.as_str(), around.as_str()];
    parents.sort_unstable();
    let merged = repo.entry(&repo.git(&["rev-parse", &format!("{good}^{{tree}}")]), &parents);
    let _ = repo.verify(&[&merged]).ends(1).finds("RAPID1517", &report);
    repo.rapid(&["verify", &good]).ok();
}

#[test]
fn a_missing_record_is_something_that_cannot_be_looked_at() {
    let Some(repo) = finished() else { return };
    let path = repo.record("evidence/E003.json");
    let id = repo.git(&["rev-parse", &format!("refs/rapid/ledger:{path}")]);
    std::fs::remove_file(repo.path().join(format!(".git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
    let _ = repo.verify(&[]).ends(2).finds("RAPID1505", &path);
}
