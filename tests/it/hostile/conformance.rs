//! The corpus for other implementations, `tests/conformance/`: the same faults as files, with a runner of their own.
//!
//! `RAPID_BLESS=1` makes the files; otherwise they must name every fault of every family, and this program must meet them all.

use super::corpus::FAMILIES;
use super::{Fault, Forge};
use crate::harness::{Output, World, step_aside};
use git_rapid::domain::json::{self, Value};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn place() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// What is expected of a ledger with this fault.
fn case(family: &str, name: &str, tip: &str, codes: &[&str]) -> Value {
    let answer = match codes {
        [] => "proven",
        ["RAPID1505", ..] => "cannot_say",
        _ => "disproven",
    };
    Value::object([
        ("answer", answer.into()),
        ("codes", Value::List(codes.iter().map(|code| (*code).into()).collect())),
        ("family", family.into()),
        ("name", name.into()),
        ("tip", tip.into()),
    ])
}

/// Makes every ledger and writes them down, with all objects in one pack.
fn bless(forge: &Forge) {
    let good = case("good", "a finished run and one that has begun", &forge.tip, &[]);
    let faults = FAMILIES.iter().flat_map(|(family, faults)| faults.iter().map(move |fault| (family, fault)));
    let made = faults.map(|(family, fault): (_, &Fault)| case(family, fault.name, &(fault.forge)(forge), fault.codes));
    let lines: Vec<String> = std::iter::once(good).chain(made).map(|case| case.canonical()).collect();
    std::fs::write(place().join("cases.json"), format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    let objects = forge.repo.git(&["cat-file", "--batch-all-objects", "--batch-check=%(objectname)", "--unordered"]);
    let name = forge.repo.git_with(&["pack-objects", "--quiet", "--window=50", "all"], (objects + "\n").as_bytes());
    std::fs::copy(forge.repo.path().join(format!("all-{name}.pack")), place().join("objects.pack")).unwrap();
}

#[test]
fn every_fault_is_a_case_and_every_case_is_met() {
    if std::env::var_os("RAPID_BLESS").is_some()
        && let Some(forge) = Forge::new()
    {
        bless(&forge);
    }
    let cases = json::parse(&std::fs::read(place().join("cases.json")).unwrap()).unwrap();
    let text = |case: &Value, key: &str| case.get(key).and_then(Value::as_text).unwrap().to_owned();
    let named: BTreeSet<(String, String)> =
        cases.as_list().unwrap().iter().map(|case| (text(case, "family"), text(case, "name"))).collect();
    for (family, faults) in FAMILIES {
        for fault in *faults {
            assert!(
                named.contains(&((*family).to_owned(), fault.name.to_owned())),
                "'{}' of {family} is in tests/conformance (RAPID_BLESS=1 writes them)",
                fault.name
            );
        }
    }
    let world = World::new();
    let mut runner = world.command("python3", world.top());
    runner.arg(place().join("run.py")).arg(env!("CARGO_BIN_EXE_git-rapid")).args(["verify", "--full", "--json"]);
    match Output::of_any(&mut runner) {
        Some(met) => drop(met.ok().says(&format!("{0} of {0} cases are met", named.len()))),
        None => step_aside("there is no python3"),
    }
}

#[test]
fn a_reader_that_believes_everything_is_found_out() {
    let world = World::new();
    let mut runner = world.command("python3", world.top());
    runner.arg(place().join("run.py")).args(["--family", "reports"]);
    runner.args(["sh", "-c", "echo '{\"answer\": \"proven\", \"findings\": []}'"]);
    match Output::of_any(&mut runner) {
        Some(met) => drop(met.ends(1).says("missed reports: ").says("\n0 of ")),
        None => step_aside("there is no python3"),
    }
}
