//! What each `mission … --json` prints, whole, beside a copy of it: a key that comes, goes or changes its meaning is seen.
//!
//! `RAPID_BLESS=1` writes the copy. Ids, times and places are those of each play, and left out.

use super::stage::{Stage, plan, wp};
use crate::harness::{Output, somebody_can_be_asked, step_aside};
use git_rapid::domain::json::{self, Value};
use std::collections::BTreeMap;
use std::path::Path;

const COPY: &str = "tests/it/missions/documents.json";

/// The documents of a play, by what was asked.
struct Play {
    stage: Stage,
    said: BTreeMap<String, Value>,
}

impl Play {
    fn of(stage: Stage) -> Play {
        Play { stage, said: BTreeMap::new() }
    }

    fn asks(&mut self, name: &str, words: &str) -> Value {
        let arguments: Vec<&str> = words.split(' ').chain(["--json"]).collect();
        let output = self.stage.mission(&arguments);
        self.keeps(name, &output)
    }

    fn asks_with(&mut self, name: &str, words: &str, input: &Value) {
        let arguments: Vec<&str> = words.split(' ').chain(["--json"]).collect();
        let output = self.stage.mission_with_input(&arguments, input);
        drop(self.keeps(name, &output));
    }

    /// Keeps the document in an output, behind a question where there was one.
    fn keeps(&mut self, name: &str, output: &Output) -> Value {
        let from = output.stdout.find("{\n").unwrap_or_else(|| panic!("{name}: {output}"));
        let document = json::parse_text(&output.stdout[from..]).unwrap();
        let top = self.stage.repo.world().top().display().to_string();
        assert!(self.said.insert(name.to_owned(), plain(document.clone(), "", &top)).is_none(), "{name}");
        document
    }
}

/// A document without what is another one each time.
fn plain(value: Value, key: &str, top: &str) -> Value {
    match value {
        Value::Int(_) if ["at", "start", "end", "deadline"].contains(&key) => "<seconds>".into(),
        Value::Text(text) if ["commit", "tree", "tree_before", "tree_after"].contains(&key) => {
            assert!(text.len() >= 40, "{key}: {text}");
            "<id>".into()
        }
        Value::Text(text) => {
            let text = text.replace(top, "<top>");
            let lines = text.lines().map(|line| if line.starts_with("index ") { "index <ids>" } else { line });
            Value::Text(lines.collect::<Vec<_>>().join("\n"))
        }
        Value::List(items) => Value::List(items.into_iter().map(|item| plain(item, key, top)).collect()),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(key, member)| {
                    let member = plain(member, &key, top);
                    (key, member)
                })
                .collect(),
        ),
        other => other,
    }
}

#[test]
fn each_document_is_what_it_was() {
    if !somebody_can_be_asked() {
        return step_aside("a person decides in this play, and these tests run under a coding agent");
    }
    let mut play = Play::of(Stage::new("usual"));
    play.asks("contract planner", "contract --role planner --objective x");
    let bad = plan(&[wp(1, &[9])]);
    play.asks_with("plan with faults", "plan - --id m", &bad);
    let mut critical = wp(2, &[1]);
    critical.risk = "critical";
    play.asks_with("plan", "plan - --id m", &plan(&[wp(1, &[]), critical]));
    play.asks("status of a plan", "status");
    play.asks("evaluate", "evaluate");
    play.asks("contract maker", "contract --role maker --wp WP-001");
    play.asks("next", "next");
    // Nothing was made: the first attempt fails.
    let nothing = || Value::list(Vec::<String>::new());
    let answer = Value::object([("implementation_summary", "made it".into()), ("test_results", "all pass".into())])
        .with("files_changed", nothing())
        .with("tests_run", nothing());
    play.asks_with("result of a failure", "result --child m-wp-001-a1-maker --input -", &answer);
    play.asks_with("result given twice", "result --child m-wp-001-a1-maker --input -", &answer);
    play.asks("evaluate after a failure", "evaluate");
    play.asks("step of a maker", "step");
    play.asks("step of tests", "step");
    play.asks("contract checker", "contract --role checker --wp WP-001");
    play.asks("run until a person is needed", "run");
    play.asks("next without anything to do", "next");
    let output = play.stage.person(&["WP-002"], "approve WP-002");
    play.keeps("approve", &output);
    play.asks("complete too early", "complete");
    play.asks("run to the end", "run");
    let output = play.stage.person(&["--final"], "approve final");
    play.keeps("approve the end", &output);
    play.asks("complete", "complete");
    play.asks("status of the end", "status");
    play.asks_with("plan of another", "plan - --id n", &plan(&[wp(1, &[])]));
    play.asks("abort", "abort --mission n --reason enough");
    let said = Value::Object(play.said).pretty();
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join(COPY);
    if std::env::var_os("RAPID_BLESS").is_some() {
        return std::fs::write(copy, said).unwrap();
    }
    let kept = std::fs::read_to_string(copy).unwrap_or_default();
    let (mut was, mut is) = (kept.lines(), said.lines());
    while let (Some(was), Some(is)) = (was.next(), is.next()) {
        assert_eq!(was, is, "{COPY}: read what changed, then RAPID_BLESS=1");
    }
    assert_eq!(kept.trim_end(), said.trim_end(), "{COPY}");
}
