//! Documents that no other test reads: which commands are asked in which scene, and the records of the ledgers that come of it.

use super::{fits, records_fit};
use crate::harness::{Output, World};
use crate::manual::help::commands;
use crate::manual::played::typed;
use crate::manual::scene::Scene;
use git_rapid::domain::json;

/// Scenes, and what is asked there, one after the other: behind `$ ` a line of the shell, behind `PERSON ` what a person types
/// too, after ` | ` where it is something else. What fails prints an error, which has a schema as well.
const ASKED: &[(&str, &[&str])] = &[
    ("nowhere", &["version", "explain RAPID1310", "summary --exit-code 1 ../none.txt", "demo here", "doctor"]),
    (
        "project",
        &[
            "init",
            "doctor",
            "status",
            "next",
            "validate",
            "hooks install",
            "hooks status",
            "hooks uninstall",
            "story init",
            "story validate",
            "story run --dry-run",
            "story --dry-run",
            "story status",
            "story follow",
            "story kill",
            "verify",
            "log",
            "$ mkdir -p src/core src/web && echo 'from src.web import page' > src/core/a.py && echo x=1 > src/web/page.py",
            "$ echo '{\"schema_version\":1,\"layers\":[{\"name\":\"core\",\"paths\":[\"src/core/\"]},{\"name\":\"web\",\"paths\":[\"src/web/\"]}]}' > .rapid/architecture.json",
            "arch check",
        ],
    ),
    (
        "set-up",
        &[
            "spec create --title Other --mode feature --task One --tag security",
            "spec create --id broken --title Broken --mode nothing",
            "spec revise other --edge-case Two",
            "spec list",
            "spec show other",
            "spec diff other",
            "policy show",
            "policy check --spec other",
            "spec status other ready",
            "start bugfix --title 'Mend it' --task 'Mend it' --task 'And this' --worktree",
            "task skip T002 --reason 'nothing to do'",
            "task start T001",
            "task block T001 --reason 'waits'",
            "status --all",
            "$ echo '{\"schema_version\":1,\"objective\":\"Greet\",\"work_packages\":[{\"id\":\"WP-001\",\"title\":\"T\",\"description\":\"D\",\"size\":\"S\",\"risk_class\":\"low\",\"depends_on\":[],\"scope\":[\"greet.sh\"],\"targets\":[\"greet\"],\"tests\":[[\"sh\",\"tests.sh\"]],\"acceptance\":[\"A\"]}],\"order\":[\"WP-001\"]}' > plan.json",
            "mission plan plan.json --id greet",
            "mission status",
            "mission evaluate",
            "mission next",
            "mission contract --role planner --objective Greet",
            "mission contract --role maker --wp WP-001",
            "harness list",
            "harness show claude",
            "harness install claude",
            "harness status",
            "harness uninstall claude",
            "run create --spec other",
            "run status other-r2-run-001 cancelled",
            "snapshot",
        ],
    ),
    (
        "started",
        &[
            "next",
            "brief",
            "run task greet-by-name-r1-run-001 T001 in_progress",
            "$ cp tests.sh ../kept && echo 'date +%N > s' >> tests.sh",
            "task done T001",
            "$ cp ../kept tests.sh && rm s",
            "check",
            "task done T001",
            "$ echo '{\"kind\":\"review\",\"producer\":\"ci:lint\",\"summary\":\"looked at\",\"payload\":{\"review_type\":\"peer\",\"outcome\":\"approved\",\"reviewer\":\"bot\"}}' > evidence.json",
            "evidence add --input evidence.json",
            "check --expect fail --task T001 -- false",
            "check -- sh -n greet.sh",
            "check --junit nothing.xml",
            "attach greet.sh --task T001",
            "next",
            "$ git worktree add -q -b beside ../beside && git -C ../beside rapid start feature --title Other --task One",
            "status",
            "abort --reason 'no more'",
            "next",
        ],
    ),
    (
        "worked",
        &[
            "next",
            "status --all",
            "brief",
            "run list",
            "run show greet-by-name-r1-run-001",
            "run gate greet-by-name-r1-run-001 gate.final-verification acknowledged",
            "run gate greet-by-name-r1-run-001 gate.tests acknowledged",
            "evidence list",
            "evidence show E003",
            "evidence show E003 --tree",
            "evidence verify",
            "evidence log E003",
            "eval run",
            "eval run --require-pass",
            "approve gate.final-verification",
            "finish",
            "validate",
            "summary greet.sh -- pytest",
            "PERSON approve gate.final-verification",
        ],
    ),
    (
        "approved",
        &[
            "$ cp greet.sh ../kept && echo '# more' >> greet.sh",
            "show greet-by-name-r1-run-001",
            "status",
            "$ mv ../kept greet.sh",
            "next",
            "eval run",
            "finish",
            "eval list --run greet-by-name-r1-run-001",
            "status",
            "$ git commit --quiet --all --message done",
            "finish",
            "next",
            "status",
        ],
    ),
    (
        "finished",
        &[
            "verify",
            "verify --full --commit HEAD",
            "verify --commit HEAD~1 --require-pass",
            "verify --rerun",
            "verify --expect 1111111111111111111111111111111111111111",
            "log",
            "show greet-by-name-r1-run-001",
            "export -o report.html --format html",
            "export --all -o runs.json --format json",
            "show refs/rapid/ledger",
            "cat runs/2f/greet-by-name-r1-run-001/contract.json",
            "eval show --run greet-by-name-r1-run-001",
            "export --format html --output report.html",
            "export --all --format in-toto --output run.intoto.jsonl",
            "export --format bundle --output report.html",
            "push --dry-run",
            "push",
            "push",
            "sync",
            "fetch",
            "status --all",
            "PERSON expunge E003 --reason 'a name' --run greet-by-name-r1-run-001 | expunge E003",
            "verify",
        ],
    ),
];

/// The commands that take `--json`, as names of schemas.
pub fn with_json() -> Vec<String> {
    let world = World::new();
    let takes = |command: &String| {
        let arguments = command.split(' ').chain(["--help"]);
        Output::of(world.tool(world.top()).args(arguments)).ok().stdout.contains("--json")
    };
    commands(&world).iter().filter(|command| takes(command)).map(|command| command.replace(' ', "-")).collect()
}

/// Asks everything.
pub fn play() {
    for (scene, asked) in ASKED {
        let scene = Scene::set(scene).expect("somebody can be asked");
        for words in *asked {
            if let Some(line) = words.strip_prefix("$ ") {
                typed(&scene, line, None).ok();
                continue;
            }
            let (words, decided) = words.strip_prefix("PERSON ").map_or((*words, None), |words| {
                let (words, typed) = words.split_once(" | ").unwrap_or((words, words));
                (words, Some(typed))
            });
            // Behind '--' stands a command of somebody else.
            let command = match words.split_once(" -- ") {
                Some((ours, theirs)) => format!("git rapid {ours} --json -- {theirs}"),
                None => format!("git rapid {words} --json"),
            };
            let said = match decided {
                Some(sentence) => typed(&scene, &command, Some(sentence)),
                None => typed(&scene, &format!("{command} 2>/dev/null"), None),
            };
            // At a terminal the question stands before the document.
            let text = said.stdout.find("{\n").map_or(&*said.stdout, |at| &said.stdout[at..]);
            let document = json::parse(text.as_bytes())
                .unwrap_or_else(|fault| panic!("'{command}' prints one document: {fault}: {said}"));
            fits(&words.split(' ').map(str::to_owned).collect::<Vec<_>>(), &document);
        }
        scene
            .app()
            .into_iter()
            .filter(|app| app.try_git(&["rev-parse", "refs/rapid/ledger"]).code == 0)
            .for_each(records_fit);
    }
}
