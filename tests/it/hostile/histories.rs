//! Histories that do not only add: removed, changed, moved, put back, and merges that are no union.

use super::{Fault, Forge, forge::fault};

const CHANGED: &[&str] = &["RAPID1517"];

pub(super) const FAULTS: &[Fault] = &[
    fault("a report that is gone", |f| f.on_top(&[(&f.at("reports/0001.json"), None)]), CHANGED),
    fault("the newest state is gone", |f| f.on_top(&[(&f.at_open("states/0004.json"), None)]), CHANGED),
    fault(
        "a document that is gone",
        |f| f.on_top(&[(&f.at_spec("0001/tasks.md"), None)]),
        &["RAPID1517", "RAPID803", "RAPID804", "RAPID806", "RAPID1003"],
    ),
    fault("a whole run that is gone", |f| without(f, &f.run), CHANGED),
    fault(
        "everything is gone",
        |f| f.repo.entry(&f.repo.git(&["rev-parse", &format!("{}^{{tree}}", f.first)]), &[&f.tip]),
        CHANGED,
    ),
    fault("the ledger's format is gone", |f| f.on_top(&[("format", None)]), CHANGED),
    fault(
        "a changed record",
        |f| f.on_top(&[(&f.at("evidence/E001.json"), Some(&other(f)))]),
        &["RAPID1517", "RAPID1202"],
    ),
    fault(
        "a changed document",
        |f| f.on_top(&[(&f.at_spec("0001/tasks.md"), Some(b"another\n"))]),
        &["RAPID1517", "RAPID803", "RAPID804", "RAPID1003"],
    ),
    fault("a changed format", |f| f.on_top(&[("format", Some(b"git-rapid ledger 2\n"))]), CHANGED),
    fault("a record moved to the next number", moved, &["RAPID1517", "RAPID1208", "RAPID1208"]),
    fault("removed and put back", put_back, CHANGED),
    fault("changed and changed back", changed_back, &["RAPID1517"]),
    fault("a directory in a record's place", |f| kind(f, true), &["RAPID1517", "RAPID1521", "RAPID1515", "RAPID1222"]),
    fault("a file in a directory's place", |f| kind(f, false), &["RAPID1517", "RAPID1521"]),
    fault(
        "a merge that adds",
        |f| merge(f, |f, tree| f.tree_of(tree, &[("zadded", Some(b"x\n"))])),
        &["RAPID1522", "RAPID1521"],
    ),
    fault(
        "a merge that drops what one side has",
        |f| merge(f, |f, tree| f.tree_of(tree, &[(&f.at("reports/0001.json"), None)])),
        CHANGED,
    ),
    fault("a merge that drops what the other has", |f| merge(f, |f, _| f.tree(&[])), CHANGED),
    fault(
        "a merge that alters",
        |f| merge(f, |f, tree| f.tree_of(tree, &[(&f.at_open("terms/config.toml"), Some(b"x\n"))])),
        &["RAPID1517", "RAPID1002"],
    ),
    fault("a merge of two different records", clash, &["RAPID1517", "RAPID1521"]),
    fault("history that leads around a record", around, CHANGED),
];

fn other(f: &Forge) -> Vec<u8> {
    f.record(&f.at("evidence/E001.json")).with("summary", "another").record_bytes()
}

fn without(f: &Forge, directory: &str) -> String {
    let below = format!("{directory}/");
    let paths: Vec<String> = f.repo.records().into_iter().filter(|path| path.starts_with(&below)).collect();
    f.on_top(&paths.iter().map(|path| (path.as_str(), None)).collect::<Vec<_>>())
}

fn moved(f: &Forge) -> String {
    let (from, to) = (f.at("evidence/E005.json"), f.at("evidence/E006.json"));
    f.on_top(&[(&from, None), (&to, Some(&f.repo.bytes_of(&from)))])
}

fn put_back(f: &Forge) -> String {
    let gone = f.on_top(&[(&f.at("reports/0001.json"), None)]);
    f.repo.entry(&f.tree(&[]), &[&gone])
}

fn changed_back(f: &Forge) -> String {
    let changed = f.on_top(&[(&f.at("terms/config.toml"), Some(b"x\n"))]);
    f.repo.entry(&f.tree(&[]), &[&changed])
}

fn kind(f: &Forge, directory: bool) -> String {
    match directory {
        true => f.on_top(&[(&f.at("reports/0001.json"), None), (&f.at("reports/0001.json/x"), Some(b"x\n"))]),
        false => {
            let gone = f.tree_of(&without(f, &f.at("reports")), &[(&f.at("reports"), Some(b"x\n"))]);
            f.repo.entry(&gone, &[&f.tip])
        }
    }
}

/// A merge of the good tip with an entry beside it; its tree is what `of` makes of their union.
fn merge(f: &Forge, of: fn(&Forge, &str) -> String) -> String {
    let before = f.repo.git(&["rev-parse", &format!("{}~1", f.tip)]);
    let spec = f.record(&f.at_spec("status/0001.json")).with("ordinal", 2).with("status", "archived");
    let added = f.at_spec("status/0002.json");
    let bytes = super::forge::sealed(spec);
    let beside = f.repo.entry(&f.tree_of(&before, &[(&added, Some(&bytes))]), &[&before]);
    let union = f.tree(&[(&added, Some(&bytes))]);
    let mut both = [beside.as_str(), f.tip.as_str()];
    both.sort_unstable();
    let good = f.repo.entry(&union, &both);
    f.repo.verify(&[&good]).ok();
    f.repo.entry(&of(f, &good), &both)
}

fn clash(f: &Forge) -> String {
    let before = f.repo.git(&["rev-parse", &format!("{}~1", f.tip)]);
    let state = f.record(&f.at_open("states/0004.json")).with("reason", "another");
    let bytes = super::forge::sealed(state);
    let beside = f.repo.entry(&f.tree_of(&before, &[(&f.at_open("states/0004.json"), Some(&bytes))]), &[&before]);
    let mut both = [beside.as_str(), f.tip.as_str()];
    both.sort_unstable();
    f.repo.entry(&f.tree(&[]), &both)
}

fn around(f: &Forge) -> String {
    let before = f.repo.git(&["rev-parse", &format!("{}~1", f.tip)]);
    let gone = f.repo.entry(&f.tree_of(&before, &[(&f.at("reports/0001.json"), None)]), &[&before]);
    let mut both = [gone.as_str(), f.tip.as_str()];
    both.sort_unstable();
    f.repo.entry(&f.tree(&[]), &both)
}
