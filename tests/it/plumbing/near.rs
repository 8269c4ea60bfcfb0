//! A name that is nearly right: every command that takes the id of something that is there says what was most likely meant.

use crate::harness::{Loop, Repo, World, answer, project, somebody_can_be_asked};
use std::collections::BTreeSet;

/// The placeholders that stand for something that is there already, or for one word of a closed set.
const NAMES: &[&str] = &[
    "CAPABILITY",
    "CODE",
    "COMMAND",
    "DISPOSITION",
    "ENTRY|RECORD",
    "GATE",
    "ID",
    "MODE",
    "RECORD",
    "REMOTE",
    "STATUS",
    "VERB",
    "WP",
];

/// Each place in which such a name is taken; what is typed there; what is said. `RUN` stands for the run's id.
const NEARLY: &[(&str, &str, &str)] = &[
    ("abort --run", "abort --run great", RUN),
    ("approve --run", "approve gate.tests --run great", RUN),
    ("approve GATE", "approve gate.final-verificaton", "gate.final-verification"),
    ("attach --run", "attach greeting.sh --run great --task T001", RUN),
    ("attach --task", "attach greeting.sh --task T002", "its only task is T001"),
    ("brief --run", "brief --run great", RUN),
    ("check --gate", "check --gate gate.test", "gate.tests"),
    ("check --run", "check --run great", RUN),
    ("check --task", "check --task T002", "its only task is T001"),
    ("eval list --run", "eval list --run great", RUN),
    ("eval run --require", "eval run --require test.execute", "tests.execute"),
    ("eval run --run", "eval run --run great", RUN),
    ("eval show --run", "eval show --run great", RUN),
    ("evidence add --run", "evidence add --run great --input evidence.json", RUN),
    ("evidence list --run", "evidence list --run great", RUN),
    ("evidence log --run", "evidence log E001 --run great", RUN),
    ("evidence log ID", "evidence log E007", "it has E001 to E002"),
    ("evidence show --run", "evidence show E001 --run great", RUN),
    ("evidence show ID", "evidence show E007", "it has E001 to E002"),
    ("evidence verify --run", "evidence verify --run great", RUN),
    ("explain CODE", "explain RAPD1310", "RAPID1310"),
    ("export --run", "export --run great --format json", RUN),
    ("expunge --run", "expunge E001 --reason x --run great", RUN),
    ("expunge RECORD", "expunge evidence/greet-r1-run-001/E007 --reason x", "it has E001 to E002"),
    ("fetch REMOTE", "fetch orgin", "origin"),
    ("finish --run", "finish --run great", RUN),
    ("log --run", "log --run great", RUN),
    ("log --verb", "log --verb strat", "start"),
    ("man COMMAND", "man spec creat", "create"),
    ("mission complete --mission", "mission complete --mission voyaje", "voyage"),
    ("mission evaluate --mission", "mission evaluate --mission voyaje", "voyage"),
    ("mission contract --mission", "mission contract --role maker --mission voyaje", "voyage"),
    ("mission next --mission", "mission next --mission voyaje", "voyage"),
    ("mission run --mission", "mission run --provider claude --mission voyaje", "voyage"),
    ("mission status --mission", "mission status --mission voyaje", "voyage"),
    ("mission step --mission", "mission step --provider claude --mission voyaje", "voyage"),
    ("mission abort --mission", "mission abort --mission voyaje --reason x", "voyage"),
    ("mission approve --mission", "mission approve WP-001 --mission voyaje", "voyage"),
    ("mission result --mission", "mission result --child c1 --input plan.json --mission voyaje", "voyage"),
    ("next --run", "next --run great", RUN),
    ("policy check --mode", "policy check --spec-file - --mode featur", "feature"),
    ("policy check --spec", "policy check --spec great", "greet"),
    ("push REMOTE", "push orgin", "origin"),
    ("run create --spec", "run create --spec great", "greet"),
    ("run gate DISPOSITION", "run gate RUN gate.tests acknowleged", "acknowledged"),
    ("run gate GATE", "run gate RUN gate.test ack", "gate.tests"),
    ("run gate ID", "run gate great gate.tests ack", RUN),
    ("run list --status", "run list --status activ", "active"),
    ("run show ID", "run show great", RUN),
    ("run status ID", "run status great active", RUN),
    ("run status STATUS", "run status RUN canceled", "cancelled"),
    ("run task ID", "run task great T001 done", RUN),
    ("run task STATUS", "run task RUN T001 doen", "done"),
    ("show ENTRY|RECORD", "show great", "greet"),
    ("spec create --mode", "spec create --title x --mode featur", "feature"),
    ("spec create --status", "spec create --title x --mode feature --status redy", "a similar value exists: 'ready'"),
    ("spec diff ID", "spec diff great", "greet"),
    ("spec list --status", "spec list --status redy", "ready"),
    ("spec revise --mode", "spec revise greet --mode featur", "feature"),
    ("spec revise ID", "spec revise great --title x", "greet"),
    ("spec show ID", "spec show great", "greet"),
    ("spec status ID", "spec status great ready", "greet"),
    ("spec status STATUS", "spec status greet redy", "ready"),
    ("start MODE", "start featur --title x --task y", "feature"),
    ("story --story", "story --dry-run --story STORY-01", "STORY-001"),
    ("story run --story", "story run --dry-run --story STORY-01", "STORY-001"),
    ("sync REMOTE", "sync orgin", "origin"),
    ("task block --run", "task block T001 --reason x --run great", RUN),
    ("task block ID", "task block T002 --reason x", "its only task is T001"),
    ("task done --run", "task done T001 --run great", RUN),
    ("task done ID", "task done T002", "its only task is T001"),
    ("task skip --run", "task skip T001 --reason x --run great", RUN),
    ("task skip ID", "task skip T002 --reason x", "its only task is T001"),
    ("task start --run", "task start T001 --run great", RUN),
    ("task start ID", "task start T002", "its only task is T001"),
];

const RUN: &str = "greet-r1-run-001";

/// Places for a name that is new, that another program gives, or that is asked for only while something else waits.
const OTHERWISE: &[&str] = &[
    "mission approve WP",
    "mission contract --wp",
    "mission plan --id",
    "mission result --child",
    "run create --harness",
    "run create --id",
    "spec create --id",
    "start --harness",
    "start --run-id",
    "start --spec",
    "start --spec-id",
    "story --epic",
    "story run --epic",
    "sync --subject",
];

fn stage() -> Repo {
    let world = World::new();
    let repo = project(&world, "work");
    repo.git(&["remote", "add", "origin", "../gone.git"]);
    repo.write(".regista/stories/STORY-001.md", "# STORY-001: One\n\n## Status\n**Draft**\n");
    repo.commit("a story");
    let _run = Loop::start(&repo, "Greet");
    repo.write(
        "plan.json",
        r#"{"schema_version":1,"objective":"Go","work_packages":[{"id":"WP-001","title":"T","description":"D","size":"S",
        "risk_class":"low","depends_on":[],"scope":["greeting.sh"],"targets":["greet"],"tests":[["sh","test.sh"]],
        "acceptance":["A"]}],"order":["WP-001"]}"#,
    );
    repo.rapid(&["mission", "plan", "plan.json", "--id", "voyage"]).ok();
    repo.write(
        "evidence.json",
        r#"{"kind":"command_result","producer":"ci:lint","summary":"lint","payload":{"label":"lint","exit_code":0}}"#,
    );
    repo
}

/// Each place in which help shows a name, like `run gate GATE` or `log --run`.
fn places(world: &World) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for command in crate::manual::help::commands(world) {
        let arguments = command.split(' ').chain(["--help"]);
        let help = crate::harness::Output::of(world.tool(world.top()).args(arguments)).ok().stdout;
        for line in help.lines().filter(|line| line.starts_with("  ")) {
            let (before, rest) = line.trim_start().split_once(['<', '[']).unwrap_or(("", ""));
            let name = rest.split(['>', ']']).next().unwrap_or_default();
            if !NAMES.contains(&name) || before.contains("git rapid") {
                continue;
            }
            let option = before.split_whitespace().find(|word| word.starts_with("--"));
            found.insert(format!("{command} {}", option.unwrap_or(name)));
        }
    }
    found
}

#[test]
fn every_name_that_is_nearly_right_is_understood() {
    let repo = stage();
    let rows: BTreeSet<String> =
        NEARLY.iter().map(|row| row.0).chain(OTHERWISE.iter().copied()).map(str::to_owned).collect();
    let shown = places(repo.world());
    let lacking: Vec<&String> = shown.difference(&rows).collect();
    assert!(lacking.is_empty(), "places without a row: {lacking:?}");
    let gone: Vec<&String> = rows.difference(&shown).filter(|row| !row.ends_with("TASK")).collect();
    assert!(gone.is_empty(), "rows without a place: {gone:?}");
    let (before, mut wrong) = (repo.tip(), Vec::new());
    for (place, words, said) in NEARLY {
        let words: Vec<&str> = words.split(' ').map(|word| if word == "RUN" { RUN } else { word }).collect();
        // What only a person does is looked up when there is one.
        let output = match words.as_slice() {
            ["approve" | "expunge", ..] | ["mission", "approve", ..] if !somebody_can_be_asked() => continue,
            ["approve" | "expunge", ..] | ["mission", "approve", ..] => {
                let mut command = repo.tool();
                command.args(&words);
                answer(command, "anything else to leave it: ", "no")
            }
            _ => repo.rapid(&words),
        };
        let meant = [format!("did you mean '{said}'?"), (*said).to_owned()];
        let understood = if said.contains(' ') { &meant[1] } else { &meant[0] };
        if output.code == 0 || !format!("{output}").contains(understood.as_str()) {
            wrong.push(format!("{place}: {output}"));
        }
    }
    assert!(wrong.is_empty(), "not understood:\n{}", wrong.join("\n"));
    assert_eq!(repo.tip(), before, "nothing was written");
    repo.rapid(&["abort"]).ok();
    repo.rapid(&["start", "feature", "--spec", "great"]).ends(2).names("RAPID807").says("did you mean 'greet'?");
}

#[test]
fn the_beginning_of_an_id_is_enough_where_one_has_it() {
    let repo = stage();
    repo.rapid(&["spec", "show", "gre"]).ok().says("Greet");
    repo.rapid(&["spec", "status", "gre", "draft"]).ok();
    repo.rapid(&["mission", "status", "--mission", "voy"]).ok().says("voyage");
    repo.rapid(&["show", "voy"]).ok().says("plan.json");
    repo.rapid(&["show", "E002"]).ok().says("evidence/E002.json");
    repo.rapid(&["show", "greet-r1/E002"]).ok().says("evidence/E002.json");
    repo.rapid(&["show", "greet-r1/E009"]).ends(2).names("RAPID1210").says("it has E001 to E002");
    repo.rapid(&["run", "gate", "greet-r1", "gate.baseline", "ack"]).ends(1).names("RAPID1013");
    repo.rapid(&["spec", "create", "--title", "Greet more", "--mode", "feature"]).ok();
    repo.rapid(&["spec", "show", "gre"]).ends(2).names("RAPID807").says("say more of it: greet, greet-more");
    repo.rapid(&["spec", "show", "greet"]).ok();
    let state = repo.record("states/0001.json");
    let near = state.replace("0001.json", "001.json");
    repo.rapid(&["cat", &near]).ends(2).names("RAPID1540").says(&format!("did you mean '{state}'?"));
}

#[test]
fn commands_options_and_keys_are_understood_too() {
    let repo = stage();
    repo.rapid(&["stauts"]).ends(2).names("RAPID001").says("'status'");
    repo.rapid(&["spec", "creat"]).ends(2).names("RAPID001").says("'create'");
    repo.rapid(&["log", "--grpah"]).ends(2).names("RAPID001").says("'--graph'");
    repo.rapid(&["harness", "show", "cladue"]).ends(2).names("RAPID1630").says("did you mean 'claude'?");
    repo.write(".rapid/config.toml", "test_comand = [\"true\"]\n");
    repo.rapid(&["doctor"]).ends(1).says("did you mean 'test_command'?");
}
