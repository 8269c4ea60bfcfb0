//! Ledgers that are too much: of size, of number, of depth. Each is refused by its code within a memory that would not hold
//! it, before anything of it is inflated whole. The sizes are those of a quick test; RAPID_SLOW_TESTS asks for the whole ones.

use super::{
    Forge,
    pack::{Pack, id_bytes, id_of, loose, stored},
};
use crate::harness::{Output, Repo};
use std::io::Write;

/// What `verify` may use, in KiB of address space: less than anything here would need.
const MEMORY: u32 = 200_000;

/// How long it may take, in seconds; far more than it does.
const PATIENCE: u32 = 120;

fn slow() -> bool {
    std::env::var_os("RAPID_SLOW_TESTS").is_some()
}

/// How many MiB of zeros are large.
fn large() -> u64 {
    if slow() { 2048 } else { 256 }
}

fn bounded(repo: &Repo, tip: &str) -> Output {
    let script = format!("ulimit -v {MEMORY}; exec timeout {PATIENCE} git-rapid verify --json {tip}");
    Output::of(repo.world().command("sh", repo.path()).args(["-c", &script]))
}

/// The object of a file that begins with these bytes and goes on with zeros; `settings` say whether it becomes a pack.
fn zeros(repo: &Repo, kind: &str, begin: &[u8], settings: &str) -> String {
    let path = repo.world().path("zeros");
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(begin).unwrap();
    file.set_len(large() << 20).unwrap();
    drop(file);
    let path = path.to_str().unwrap();
    let settings = ["-c", settings, "-c", "core.compression=1", "hash-object", "-w", "-t", kind];
    // What git is told to take literally never becomes a pack.
    let literally: &[&str] = if kind == "blob" { &[] } else { &["--literally"] };
    repo.git(&[&settings, literally, &[path]].concat())
}

fn with_record(f: &Forge, blob: &str) -> String {
    f.whole(&f.repo.tree_with(&f.tip, &[(&f.at_spec("status/0001.json"), Some(blob))]))
}

#[test]
fn the_memory_is_enough_for_a_good_ledger_and_too_little_for_a_large_one() {
    let Some(f) = Forge::new() else { return };
    bounded(&f.repo, &f.tip).ok();
    let blob = zeros(&f.repo, "blob", b"", "core.bigFileThreshold=3g");
    let script = format!(
        "ulimit -v {MEMORY}; git -c core.bigFileThreshold=3g cat-file -t {blob} && git -c core.bigFileThreshold=3g rev-parse {blob}"
    );
    f.repo.sh(&script);
    let whole = format!(
        "ulimit -v {MEMORY}; git -c core.bigFileThreshold=3g cat-file blob {blob} | cat >/dev/null; git -c core.bigFileThreshold=3g fsck 2>&1 || true"
    );
    let seen = f.repo.sh(&whole);
    assert!(format!("{seen}").contains("memory"), "git itself cannot hold it there: {seen}");
}

#[test]
fn a_record_of_gigabytes_is_refused_by_its_size() {
    let Some(f) = Forge::new() else { return };
    for (storage, settings) in [("loose", "core.bigFileThreshold=3g"), ("packed", "core.bigFileThreshold=1m")] {
        // Another first byte, so that each is an object of its own.
        let blob = zeros(&f.repo, "blob", storage.as_bytes(), settings);
        let seen = bounded(&f.repo, &with_record(&f, &blob)).ends(1);
        assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1525"), "{storage}: {seen}");
    }
}

#[test]
fn a_tree_or_an_entry_of_gigabytes_is_refused_by_its_size() {
    let Some(f) = Forge::new() else { return };
    let tree = zeros(&f.repo, "tree", b"100644 x\0", "core.bigFileThreshold=3g");
    let _ = bounded(&f.repo, &f.whole(&tree)).ends(1).finds("RAPID1525", "");
    let _ = bounded(&f.repo, &f.replaced("runs", &tree)).ends(1).finds("RAPID1525", "runs/");
    let text = f.repo.entry_text(&f.repo.git(&["rev-parse", &format!("{}^{{tree}}", f.tip)]), &[&f.tip]);
    let entry = zeros(&f.repo, "commit", text.as_bytes(), "core.bigFileThreshold=3g");
    let _ = bounded(&f.repo, &entry).ends(1).finds("RAPID1525", "");
}

#[test]
fn a_directory_of_millions_is_refused_and_one_of_many_thousands_is_looked_at() {
    let Some(f) = Forge::new() else { return };
    let blob = id_bytes(&f.repo.blob(b"x\n"));
    let directory = |count: usize| {
        let mut tree = Vec::new();
        for at in 0..count {
            tree.extend_from_slice(format!("100644 n{at:08}\0").as_bytes());
            tree.extend_from_slice(&blob);
        }
        let path = f.repo.world().path("directory");
        std::fs::write(&path, tree).unwrap();
        let id = f.repo.git(&[
            "-c",
            "core.compression=1",
            "hash-object",
            "-w",
            "-t",
            "tree",
            "--literally",
            path.to_str().unwrap(),
        ]);
        f.in_directory("", |entries| entries.push(("40000".to_owned(), b"zmany".to_vec(), id)))
    };
    let millions = if slow() { 10_000_000 } else { 400_000 };
    let _ = bounded(&f.repo, &directory(millions)).ends(1).finds("RAPID1525", "zmany/");
    let seen =
        bounded(&f.repo, &directory(150_000)).ends(1).finds("RAPID1521", "zmany/n00000000").finds("RAPID1525", "");
    assert!(seen.findings().len() < 11_000, "the list has an end");
}

#[test]
fn a_small_record_that_is_a_change_to_a_large_one_is_refused() {
    let Some(f) = Forge::new() else { return };
    let base = zeros(&f.repo, "blob", b"base", "core.bigFileThreshold=1m");
    let packs = f.repo.path().join(".git/objects/pack");
    let pack = std::fs::read_dir(&packs).unwrap().map(|entry| entry.unwrap().path()).find(|path| {
        path.extension().is_some_and(|end| end == "idx")
            && f.repo.git(&["verify-pack", "-v", path.to_str().unwrap()]).contains(&base)
    });
    let bytes = std::fs::read(pack.unwrap().with_extension("pack")).unwrap();
    let size = usize::try_from(large() << 20).unwrap();
    let mut delta = Vec::new();
    for mut number in [size, 5] {
        while number >= 0x80 {
            delta.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        delta.push(number as u8);
    }
    delta.extend_from_slice(b"\x05small");
    let mut pack = Pack::default();
    let at = pack.add_entry(&bytes[12..bytes.len() - base.len() / 2]);
    pack.add_delta(at, &delta);
    pack.into_repository(&f.repo);
    let small = id_of("blob", b"small");
    let seen = bounded(&f.repo, &with_record(&f, &small)).ends(1);
    assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1525"), "{seen}");
}

#[test]
fn a_loose_object_that_lies_about_its_size_is_not_believed() {
    let Some(f) = Forge::new() else { return };
    let path = f.at("evidence/E003.json");
    let id = f.repo.git(&["rev-parse", &format!("{}:{path}", f.tip)]);
    let data = f.repo.bytes_of(&path);
    let zeros = vec![0; 8 << 20];
    for (what, claimed, body) in [
        ("less than there is", data.len(), [data.as_slice(), &zeros].concat()),
        ("less than its record", data.len() - 1, data.clone()),
        ("more than there is", data.len() + 1, data.clone()),
        ("more than anybody has", 1 << 40, data.clone()),
        ("a number without an end", usize::MAX, data.clone()),
        ("nothing", 0, data.clone()),
    ] {
        let whole = [format!("blob {claimed}\0").into_bytes(), body].concat();
        loose(&f.repo, &id, &stored(&whole));
        let seen = bounded(&f.repo, &f.tip);
        assert!([1, 2].contains(&seen.code), "{what}: {seen}");
        assert!(seen.findings().iter().any(|(_, at)| *at == path), "{what}: {seen}");
    }
}

#[test]
fn a_hundred_thousand_directories_in_each_other_are_refused() {
    let Some(f) = Forge::new() else { return };
    let mut pack = Pack::default();
    let mut below = id_bytes(&pack.add("blob", b"x\n"));
    for _ in 0..100_000 {
        below = id_bytes(&pack.add("tree", &[b"40000 d\0".as_slice(), &below].concat()));
    }
    pack.into_repository(&f.repo);
    let top: String = below.iter().map(|byte| format!("{byte:02x}")).collect();
    let tip = f.in_directory("", |entries| entries.push(("40000".to_owned(), b"zdeep".to_vec(), top)));
    let _ = bounded(&f.repo, &tip).ends(1).finds("RAPID1515", "");
}

#[test]
fn thousands_of_long_messages_are_read_one_at_a_time() {
    let Some(f) = Forge::new() else { return };
    let count = if slow() { 50_000 } else { 5_000 };
    let tree = f.repo.git(&["rev-parse", &format!("{}^{{tree}}", f.tip)]);
    let message = format!("long\n\n{}\n", "x".repeat(60_000));
    let mut stream = Vec::new();
    for at in 0..count {
        let from = if at == 0 { format!("from {}\nM 040000 {tree} \"\"\n", f.tip) } else { String::new() };
        let head = format!(
            "commit refs/forged/long\ncommitter Ada <ada@example.com> 1767300000 +0000\ndata {}\n",
            message.len()
        );
        stream.extend_from_slice(format!("{head}{message}{from}\n").as_bytes());
    }
    f.repo.git_with(&["-c", "core.compression=1", "fast-import", "--quiet"], &stream);
    drop(stream);
    let seen = bounded(&f.repo, "refs/forged/long").ok();
    assert!(seen.findings().is_empty(), "{seen}");
}

#[test]
fn a_list_of_faults_has_an_end() {
    let Some(f) = Forge::new() else { return };
    let mut stream = Vec::new();
    for at in 0..12_000 {
        let from = if at == 0 { format!("from {}\n", f.tip) } else { String::new() };
        let head =
            "commit refs/forged/odd\ncommitter Ada <ada@example.com> 1767300000 +0000\nencoding UTF-7\ndata 4\nodd\n";
        stream.extend_from_slice(format!("{head}{from}\n").as_bytes());
    }
    f.repo.git_with(&["fast-import", "--quiet"], &stream);
    let seen = bounded(&f.repo, "refs/forged/odd").ends(1).finds("RAPID1516", "").finds("RAPID1525", "");
    assert!(seen.findings().len() <= 10_001, "{} findings", seen.findings().len());
}

#[test]
fn decisions_about_everything_are_not_looked_at_anew_in_every_merge() {
    let Some(f) = Forge::new() else { return };
    let mut pack = Pack::default();
    let tree = |pack: &mut Pack, entries: &[(&str, &str, &str)]| {
        let entry =
            |(mode, name, id): &(&str, &str, &str)| [format!("{mode} {name}\0").into_bytes(), id_bytes(id)].concat();
        pack.add("tree", &entries.iter().flat_map(entry).collect::<Vec<u8>>())
    };
    let blob = pack.add("blob", b"x\n");
    let format = pack.add("blob", b"git-rapid ledger 1\n");
    let decision = tree(&mut pack, &[("100644", "decision.json", &blob)]);
    let decisions = tree(&mut pack, &[("40000", "0001-0123456789abcdef", &decision)]);
    let names: Vec<String> = (0..50_000).map(|number| format!("s{number:05}")).collect();
    let all: Vec<(&str, &str, &str)> = names.iter().map(|name| ("40000", name.as_str(), decisions.as_str())).collect();
    let mut diverged = tree(&mut pack, &all);
    for name in ["aa", "runs"] {
        diverged = tree(&mut pack, &[("40000", name, &diverged)]);
    }
    let root = |pack: &mut Pack, number: usize| {
        let mut runs = tree(pack, &[("100644", &format!("n{number}"), &blob)]);
        for name in ["s00000", "aa"] {
            runs = tree(pack, &[("40000", name, &runs)]);
        }
        tree(pack, &[("40000", "diverged", &diverged), ("100644", "format", &format), ("40000", "runs", &runs)])
    };
    let first = f.repo.first_entry();
    let begun = root(&mut pack, 0);
    let side = pack.add("commit", f.repo.entry_text(&begun, &[&first]).as_bytes());
    let other = root(&mut pack, 1);
    let mut tip = pack.add("commit", f.repo.entry_text(&other, &[&first]).as_bytes());
    for number in 2..400 {
        let tree = root(&mut pack, number);
        let mut parents = [side.as_str(), tip.as_str()];
        parents.sort_unstable();
        let entry = f.repo.entry_text(&tree, &parents);
        tip = pack.add("commit", entry.as_bytes());
    }
    pack.into_repository(&f.repo);
    let seen = bounded(&f.repo, &tip).ends(1);
    assert!(seen.findings().iter().any(|(code, _)| code == "RAPID1525"), "{seen}");
}
