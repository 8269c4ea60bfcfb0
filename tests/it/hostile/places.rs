//! Records in places that are not theirs: shards, numbers, gaps, names, ids.

use super::{
    Fault, Forge,
    forge::{fault, sealed},
};

const NOWHERE: &[&str] = &["RAPID1521"];

pub(super) const FAULTS: &[Fault] = &[
    fault("a file at the top", |f| add(f, "zfile"), NOWHERE),
    fault("an unknown directory at the top", |f| add(f, "zdirectory/x"), NOWHERE),
    fault("a hidden file at the top", |f| add(f, ".gitmodules"), NOWHERE),
    fault("attributes at the top", |f| add(f, ".gitattributes"), NOWHERE),
    fault("a file in a shard", |f| add(f, "runs/63/zfile"), &["RAPID1521", "RAPID1007", "RAPID1001"]),
    fault("a file where shards are", |f| add(f, "runs/zfile"), NOWHERE),
    fault("a run in another shard", |f| in_shard(f, "runs", "00"), NOWHERE),
    fault("a run in a shard that is none", |f| in_shard(f, "runs", "zz"), NOWHERE),
    fault("a run in a shard of capitals", |f| in_shard(f, "runs", "AB"), NOWHERE),
    fault("a spec in another shard", |f| in_shard(f, "specs", "00"), NOWHERE),
    fault("a file in a run", |f| add(f, &f.at("notes.txt")), NOWHERE),
    fault("a directory in a run", |f| add(f, &f.at("notes/x")), NOWHERE),
    fault("a directory in the terms", |f| add(f, &f.at("terms/more/x")), NOWHERE),
    fault("a file in a spec", |f| add(f, &f.at_spec("notes.txt")), NOWHERE),
    fault("an unknown document of a spec", |f| add(f, &f.at_spec("0001/notes.md")), NOWHERE),
    fault(
        "evidence with one digit",
        |f| copy(f, "evidence/E001.json", "evidence/E1.json"),
        &["RAPID1201", "RAPID1208"],
    ),
    fault(
        "evidence with a padded number",
        |f| copy(f, "evidence/E001.json", "evidence/E0001.json"),
        &["RAPID1201", "RAPID1208"],
    ),
    fault(
        "evidence number nothing",
        |f| copy(f, "evidence/E001.json", "evidence/E000.json"),
        &["RAPID1201", "RAPID1208"],
    ),
    fault("evidence of another kind of file", |f| copy(f, "evidence/E001.json", "evidence/E001.txt"), NOWHERE),
    fault("a state with one digit", |f| copy(f, "states/0001.json", "states/9.json"), NOWHERE),
    fault("state number nothing", |f| copy(f, "states/0001.json", "states/0000.json"), NOWHERE),
    fault("a state with a padded number", |f| copy(f, "states/0001.json", "states/00009.json"), NOWHERE),
    fault("a state with a signed number", |f| copy(f, "states/0001.json", "states/+009.json"), NOWHERE),
    fault("a report of another kind of file", |f| copy(f, "reports/0001.json", "reports/0002.txt"), NOWHERE),
    fault(
        "a revision with a padded number",
        |f| add(f, &f.at_spec("00002/requirements.md")),
        &["RAPID1521", "RAPID803", "RAPID804", "RAPID802"],
    ),
    fault("a gap in the states", |f| f.with(&[(&f.at("states/0003.json"), None)]), &["RAPID1011"]),
    fault("no first state", |f| f.with(&[(&f.at("states/0001.json"), None)]), &["RAPID1011"]),
    fault("a gap in the evidence", |f| f.with(&[(&f.at("evidence/E002.json"), None)]), &["RAPID1208"]),
    fault("a gap in the reports", |f| renumbered(f, "reports/0001.json", "reports/0002.json"), &["RAPID1221"]),
    fault(
        "a gap in a spec's statuses",
        |f| {
            f.with(&[
                (&f.at_spec("status/0002.json"), Some(&f.repo.bytes_of(&f.at_spec("status/0001.json")))),
                (&f.at_spec("status/0001.json"), None),
            ])
        },
        &["RAPID801", "RAPID1003"],
    ),
    fault("no revision of a spec", |f| f.with(&[(&f.at_spec("0001/revision.json"), None)]), &["RAPID802", "RAPID1003"]),
    fault("no document of a spec", |f| f.with(&[(&f.at_spec("0001/acceptance.md"), None)]), &["RAPID804", "RAPID1003"]),
    fault("no contract", |f| f.with(&[(&f.at("contract.json"), None)]), &["RAPID1007"]),
    fault("no term", |f| f.with(&[(&f.at("terms/policy.json"), None)]), &["RAPID1002"]),
    fault("no state at all", no_state, &["RAPID1011"]),
    fault("no spec", no_spec, &["RAPID1003"]),
    fault("a run under another name", |f| renamed(f, "another-name"), &["RAPID1007"]),
    fault("a run under a name that is none", |f| renamed(f, "No Name"), &["RAPID1001"]),
    fault(
        "the format of a ledger of the future",
        |f| f.bytes("format", b"git-rapid ledger 2\n"),
        &["RAPID1517", "RAPID1524"],
    ),
    fault("the format of a ledger of the future in the first entry", foreign_format, &["RAPID1524", "RAPID1517"]),
];

fn add(f: &Forge, path: &str) -> String {
    f.with(&[(path, Some(b"x\n"))])
}

fn copy(f: &Forge, from: &str, to: &str) -> String {
    f.with(&[(&f.at(to), Some(&f.repo.bytes_of(&f.at(from))))])
}

fn renumbered(f: &Forge, from: &str, to: &str) -> String {
    f.with(&[(&f.at(from), None), (&f.at(to), Some(&f.repo.bytes_of(&f.at(from))))])
}

/// Everything of the finished run or its spec, moved.
fn all_moved(f: &Forge, from: &str, to: &str) -> String {
    let below = format!("{from}/");
    let mut changes: Vec<(String, Option<Vec<u8>>)> = Vec::new();
    for path in f.repo.records().into_iter().filter(|path| path.starts_with(&below)) {
        changes.push((path.replacen(from, to, 1), Some(f.repo.bytes_of(&path))));
        changes.push((path, None));
    }
    f.with(&changes.iter().map(|(path, bytes)| (path.as_str(), bytes.as_deref())).collect::<Vec<_>>())
}

/// A copy of everything, in another shard.
fn in_shard(f: &Forge, top: &str, shard: &str) -> String {
    let from = if top == "runs" { &f.run } else { &f.spec };
    let name = from.rsplit('/').next().unwrap();
    let below = format!("{from}/");
    let copies: Vec<(String, Vec<u8>)> = f
        .repo
        .records()
        .into_iter()
        .filter(|path| path.starts_with(&below))
        .map(|path| (path.replacen(from, &format!("{top}/{shard}/{name}"), 1), f.repo.bytes_of(&path)))
        .collect();
    f.with(&copies.iter().map(|(path, bytes)| (path.as_str(), Some(bytes.as_slice()))).collect::<Vec<_>>())
}

fn renamed(f: &Forge, name: &str) -> String {
    let shard = &git_rapid::ledger::shard(name);
    all_moved(f, &f.run, &format!("runs/{shard}/{name}"))
}

fn no_state(f: &Forge) -> String {
    let below = f.at("states/");
    let paths: Vec<String> = f.repo.records().into_iter().filter(|path| path.starts_with(&below)).collect();
    f.with(&paths.iter().map(|path| (path.as_str(), None)).collect::<Vec<_>>())
}

fn no_spec(f: &Forge) -> String {
    let below = format!("{}/", f.spec);
    let paths: Vec<String> = f.repo.records().into_iter().filter(|path| path.starts_with(&below)).collect();
    f.with(&paths.iter().map(|path| (path.as_str(), None)).collect::<Vec<_>>())
}

fn foreign_format(f: &Forge) -> String {
    let tree = f.raw(&[("100644".to_owned(), b"format".to_vec(), f.repo.blob(b"git-rapid ledger 2\n"))]);
    f.repo.entry(&f.tree(&[]), &[&f.repo.entry(&tree, &[])])
}

/// A record is sealed as the tool seals it: what all the edits stand on.
#[test]
fn the_forger_knows_how_a_record_is_sealed() {
    let Some(forge) = Forge::new() else { return };
    for path in [forge.at("states/0002.json"), forge.at("evidence/E003.json"), forge.at("reports/0001.json")] {
        assert!(sealed(forge.record(&path)) == forge.repo.bytes_of(&path), "'{path}'");
    }
    let same = forge.contract(|contract| contract);
    assert_eq!(forge.repo.verify(&[&same]).ok().findings(), []);
}
