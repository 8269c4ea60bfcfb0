//! Tests that try to look green: real runners on a project with a failing test, and what the project does to hide it.
//!
//! Each runner has one test that passes and one that fails, and code that runs during the failing test and at the end. What a
//! trick prints is the same for all of them. The exit status is hidden as well, or it would decide alone. Nothing of this may
//! be a pass. Not here: what nobody can tell from the text (docs/checks.md), and recorded outputs (tests/corpus).

use crate::harness::{Loop, Output, Repo, World, project, step_aside};
use git_rapid::domain::json::Value;
use std::sync::Arc;

/// A runner, and how a project of it is made.
struct Runner {
    name: &'static str,
    /// Whether it is there.
    probe: &'static [&'static str],
    /// The file of tests. `@DURING@` and `@AT_END@` stand for the name of a file that is printed then.
    file: (&'static str, &'static str),
    /// The command, without hiding its status.
    command: &'static str,
    /// What it prints when all is well.
    green: &'static str,
}

const RUNNERS: &[Runner] = &[
    Runner {
        name: "unittest",
        probe: &["python3", "--version"],
        file: ("test_it.py", PYTHON_UNITTEST),
        command: "python3 -m unittest test_it",
        green: "..\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n",
    },
    Runner {
        name: "pytest",
        probe: &["python3", "-m", "pytest", "--version"],
        file: ("test_it.py", PYTHON_UNITTEST),
        command: "python3 -m pytest -p no:cacheprovider -s test_it.py",
        green: "============================= test session starts ==============================\ncollected 2 items\n\n\
                test_it.py ..                                                            [100%]\n\n\
                ============================== 2 passed in 0.01s ===============================\n",
    },
    Runner {
        name: "node-test",
        probe: &["node", "--version"],
        file: ("it.test.js", NODE),
        command: "node --test it.test.js",
        green: "TAP version 13\n# Subtest: a\nok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n\
                # todo 0\n# duration_ms 1\n",
    },
    Runner {
        name: "libtest",
        probe: &["rustc", "--version"],
        file: ("it.rs", RUST),
        command: "rustc --test -o ../it-binary it.rs && ../it-binary --nocapture --test-threads=1",
        green: "\nrunning 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n",
    },
    Runner {
        name: "tap",
        probe: &["perl", "-MTest::More", "-e", "1"],
        file: ("it.t", PERL),
        command: "perl it.t",
        green: "1..2\nok 1 - a\nok 2 - b\n",
    },
];

const PYTHON_UNITTEST: &str = r#"
import atexit, sys, unittest

def show(name):
    sys.stdout.flush()
    sys.stdout.buffer.write(open(name, "rb").read())
    sys.stdout.buffer.flush()

atexit.register(show, "@AT_END@")

class It(unittest.TestCase):
    def test_a(self):
        pass

    def test_b(self):
        show("@DURING@")
        self.assertEqual(1, 2)
"#;

const NODE: &str = r#"
const test = require("node:test"), assert = require("node:assert"), fs = require("node:fs");
process.on("exit", () => fs.writeSync(1, fs.readFileSync("@AT_END@")));
test("a", () => {});
test("b", () => { fs.writeSync(1, fs.readFileSync("@DURING@")); assert.equal(1, 2); });
"#;

const RUST: &str = r#"
use std::io::Write;
fn show(name: &str) { std::io::stdout().write_all(&std::fs::read(name).unwrap()).unwrap(); std::io::stdout().flush().unwrap(); }
#[test] fn a() {}
#[test] fn b() { show("@DURING@"); assert_eq!(1, 2); }
#[test] fn z() { show("@AT_END@"); }
"#;

const PERL: &str = r#"
use Test::More tests => 2;
sub show { my ($name) = @_; open(my $file, '<:raw', $name) or die; local $/; local $| = 1; print STDOUT <$file>; }
END { show("@AT_END@"); }
ok(1, "a");
show("@DURING@");
ok(0, "b");
"#;

/// Green totals of other runners.
const FOREIGN: &[&str] = &[
    "\nrunning 7 tests\n.......\ntest result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    "collected 7 items\n\n=== 7 passed in 0.01s ===\n",
    ".......\n----------------------------------------------------------------------\nRan 7 tests in 0.001s\n\nOK\n",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/x\t0.001s\n",
    "\n\n  ✔ a\n\n  1 passing (5ms)\n\n",
    "\nTest Suites: 1 passed, 1 total\nTests:       7 passed, 7 total\nSnapshots:   0 total\nTime:        1 s\nRan all test suites.\n",
    "\n Test Files  1 passed (1)\n      Tests  7 passed (7)\n   Start at  10:00:00\n   Duration  1s\n",
    "OK (7 tests, 7 assertions)\n",
    "\nFinished in 0.1 seconds (files took 0.1 seconds to load)\n7 examples, 0 failures\n\n",
    "100% tests passed, 0 tests failed out of 7\n",
    "[==========] 7 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 7 tests.\n",
    "Tests run: 7, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s\n",
    "<?xml version=\"1.0\"?>\n<testsuites><testsuite name=\"s\" tests=\"1\" failures=\"0\"><testcase name=\"a\"/></testsuite></testsuites>\n",
    "{\"Action\":\"pass\",\"Package\":\"x\",\"Test\":\"TestA\"}\n{\"Action\":\"pass\",\"Package\":\"x\"}\n",
    "7 passed, 0 failed\n",
];

/// What is printed during the failing test, what at the end, and what is done after the runner.
struct Trick {
    name: &'static str,
    during: Vec<u8>,
    at_end: Vec<u8>,
    /// The command line; `@` stands for the runner's.
    shell: &'static str,
}

fn tricks(green: &str) -> Vec<Trick> {
    let foreign = FOREIGN.concat();
    let trick = |name, during: &[u8], at_end: &[u8], shell| Trick {
        name,
        during: during.to_vec(),
        at_end: at_end.to_vec(),
        shell,
    };
    let up = format!("\x1b[1A\x1b[2K{}\x1b[30A\x1b[J{green}", "\x1b[1A\x1b[2K".repeat(30));
    let returns = green.replace('\n', "\r\x1b[K\n");
    let backspaces = format!("{}{green}", "\x08 \x08".repeat(400));
    let nul = green.replace(' ', "\0 ");
    let wrapped: String = green.split_inclusive(' ').collect::<Vec<_>>().join("\n");
    let long = format!("{green}{}", format!("{}\n", "x".repeat(9_999)).repeat(150));
    let broken: Vec<u8> =
        green.bytes().flat_map(|byte| if byte == b' ' { vec![0xff, b' '] } else { vec![byte] }).collect();
    vec![
        trick("other runners' totals during the test", foreign.as_bytes(), b"", "@ || true"),
        trick("other runners' totals at the end", b"", foreign.as_bytes(), "@ || true"),
        trick("its own total during the test", green.as_bytes(), b"", "@ ; true"),
        trick("its own total at the end", b"", green.as_bytes(), "@ ; exit 0"),
        trick("its own total at both", green.as_bytes(), green.as_bytes(), "(@) & wait"),
        trick("the cursor goes up", b"", up.as_bytes(), "@ || true"),
        trick("carriage returns", returns.as_bytes(), returns.as_bytes(), "@ || true"),
        trick("backspaces", b"", backspaces.as_bytes(), "@ || true"),
        trick("NUL", nul.as_bytes(), nul.as_bytes(), "@ || true"),
        trick("no UTF-8", &broken, &broken, "@ || true"),
        trick("wrapped", wrapped.as_bytes(), green.as_bytes(), "@ || true"),
        trick("megabytes after the total", b"", long.as_bytes(), "@ || true"),
        trick(
            "a process that prints later",
            b"",
            b"",
            "@ ; top=$$; (while kill -0 $top 2>&-; do sleep 0.02; done; cat ../green) & true",
        ),
        trick("a pipe", b"", green.as_bytes(), "@ 2>&1 | cat"),
        trick(
            "make ignores it",
            green.as_bytes(),
            green.as_bytes(),
            "printf 'test:\\n\\t-%s\\n' '@' > ../Makefile; make -f ../Makefile test",
        ),
        trick("npm hides it", b"", green.as_bytes(), "@ || echo 'npm test ended'; true"),
    ]
}

/// A repository in which the runner's tests are, with an active run.
fn opened(world: &Arc<World>, runner: &Runner) -> Repo {
    configured(world, runner.name, &["sh", "run.sh"])
}

/// A repository with this test command, with an active run.
fn configured(world: &Arc<World>, name: &str, command: &[&str]) -> Repo {
    let repo = project(world, name);
    let words: Vec<String> = command.iter().map(|word| format!("{word:?}")).collect();
    repo.write(".rapid/config.toml", &format!("test_command = [{}]\nruleset = 4\n", words.join(", ")));
    // What interpreters leave behind is no part of the project.
    repo.write(".gitignore", "__pycache__/\n");
    repo.commit("a test command");
    Loop::start(&repo, "Add a greeting");
    repo
}

/// The failing project under a trick, checked.
fn play(repo: &Repo, runner: &Runner, tests: &str, trick: &Trick) -> Output {
    prepare(repo, runner, tests, trick);
    repo.git_rapid(&["check", "--json", "--", "sh", "./run.sh"])
}

/// Writes the project. What is printed lies beside the repository.
fn prepare(repo: &Repo, runner: &Runner, tests: &str, trick: &Trick) {
    let world = repo.world();
    std::fs::write(world.path("during"), &trick.during).unwrap();
    std::fs::write(world.path("end"), &trick.at_end).unwrap();
    std::fs::write(world.path("green"), runner.green).unwrap();
    let text = tests.replace("@DURING@", "../during").replace("@AT_END@", "../end");
    repo.write(runner.file.0, &text);
    repo.write("run.sh", &trick.shell.replace('@', runner.command));
}

fn nothing_passes(name: &str) {
    let runner = RUNNERS.iter().find(|runner| runner.name == name).unwrap();
    let world = World::new();
    if !is_there(&world, runner) {
        return step_aside(&format!("{name} is not installed"));
    }
    let repo = opened(&world, runner);
    let mut wrong = Vec::new();
    for (trick, configured) in tricks(runner.green).iter().flat_map(|trick| [(trick, false), (trick, true)]) {
        let output = match configured {
            false => play(&repo, runner, runner.file.1, trick),
            true => repo.git_rapid(&["check", "--json"]),
        };
        let document = output.json();
        let outcome = document.get("outcome").and_then(Value::as_text).unwrap().to_owned();
        let exit = document.get("exit_code").and_then(Value::as_int).unwrap();
        assert_eq!(exit, 0, "{name}: {} hides the status: {output}", trick.name);
        let shown = document.get("log").unwrap().canonical();
        if outcome == "pass" {
            let id = document.get("evidence_id").and_then(Value::as_text).unwrap();
            let log = repo.git_rapid(&["evidence", "log", id]).stdout;
            wrong.push(format!(
                "{} (configured: {configured}): {shown}\n{}",
                trick.name,
                log.chars().take(3000).collect::<String>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{name}: {}", wrong.join("\n"));
}

#[test]
fn nothing_of_unittest_passes() {
    nothing_passes("unittest");
}

#[test]
fn nothing_of_pytest_passes() {
    nothing_passes("pytest");
}

#[test]
fn nothing_of_node_passes() {
    nothing_passes("node-test");
}

#[test]
fn nothing_of_libtest_passes() {
    nothing_passes("libtest");
}

#[test]
fn nothing_of_perl_passes() {
    nothing_passes("tap");
}

/// A test that prints green totals of others and ends the process with status 0: its own runner's total is missing then. Only
/// node is left out: it takes a file that leaves early for one that is through.
#[test]
fn a_test_that_leaves_with_status_0_passes_nowhere() {
    let leave = [
        ("unittest", "self.assertEqual(1, 2)", "__import__('os')._exit(0)", "\nRan 7 "),
        ("pytest", "self.assertEqual(1, 2)", "__import__('os')._exit(0)", "collected 7 "),
        ("libtest", "assert_eq!(1, 2)", "std::process::exit(0)", "\nrunning 7 "),
        ("tap", "ok(0, \"b\")", "exit(0)", "1..7"),
    ];
    // Its own total, printed by itself, is beyond what text can tell (docs/checks.md).
    for (name, failing, leaving, own) in leave {
        let runner = RUNNERS.iter().find(|runner| runner.name == name).unwrap();
        let world = World::new();
        if !is_there(&world, runner) {
            step_aside(&format!("{name} is not installed"));
            continue;
        }
        let repo = opened(&world, runner);
        assert!(runner.file.1.contains(failing));
        let text = runner.file.1.replace(failing, leaving);
        let totals: Vec<&str> = FOREIGN.iter().copied().filter(|total| !total.contains(own)).collect();
        for during in totals.iter().copied().chain(["", &totals.concat()]) {
            let trick = Trick { name: "", during: during.as_bytes().to_vec(), at_end: Vec::new(), shell: "@" };
            prepare(&repo, runner, &text, &trick);
            // The runner is named: behind a script, nobody knows whose total it is.
            let output = repo.git_rapid(&["check", "--json", "--", "sh", "-c", runner.command]);
            let document = output.json();
            assert_ne!(document.get("outcome").and_then(Value::as_text), Some("pass"), "{name} {during}: {output}");
        }
    }
}

fn is_there(world: &World, runner: &Runner) -> bool {
    let Some((program, arguments)) = runner.probe.split_first() else { return false };
    Output::of_any(world.command(program, world.top()).args(arguments)).is_some_and(|probe| probe.code == 0)
}

/// The projects are genuine: without a failing test and without a trick, each of them passes.
#[test]
fn each_of_them_passes_when_its_tests_do() {
    for runner in RUNNERS {
        let world = World::new();
        if !is_there(&world, runner) {
            step_aside(&format!("{} is not installed", runner.name));
            continue;
        }
        let repo = opened(&world, runner);
        let mended = runner.file.1.replace("1, 2)", "1, 1)").replace("ok(0,", "ok(1,");
        let trick = Trick { name: "none", during: Vec::new(), at_end: Vec::new(), shell: "@" };
        let document = play(&repo, runner, &mended, &trick).ok().json();
        assert_eq!(document.get("outcome").and_then(Value::as_text), Some("pass"), "{}", runner.name);
    }
}

const DIES: &str = "import os, unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        @A@\n    def test_b(self):\n        @B@\n";

fn tests(a: &str, b: &str) -> String {
    DIES.replace("@A@", a).replace("@B@", b)
}

/// The configured test command: what it is, the files, and whether pytest is needed.
type Configured<'a> = (&'a [&'a str], Vec<(&'a str, String)>, bool);

/// Projects whose failure shows in the output of the configured test command, or whose runner prints no total, and which end with
/// status 0.
#[test]
fn the_test_command_passes_for_none_of_them() {
    let world = World::new();
    let there = |name: &str| is_there(&world, RUNNERS.iter().find(|runner| runner.name == name).unwrap());
    if !there("unittest") {
        return step_aside("python3 is not installed");
    }
    let (pass, fail) = ("pass", "self.assertEqual(1, 2)");
    let (leave, show) = ("os._exit(0)", "print('7 passing (5ms)', flush=True); os._exit(0)");
    let unittest: &[&str] = &["python3", "-m", "unittest", "discover", "-s", "t"];
    let make = |recipe: &str| ("Makefile", format!("test:\n\t{}\n", recipe.replace('\n', "\n\t")));
    let green = ("u/test_u.py", tests(pass, pass));
    let two = "@-python3 -m unittest discover -v -s t\n@python3 -m unittest discover -v -s u";
    let cases: Vec<Configured<'_>> = vec![
        (
            &["sh", "-c", "python3 -m unittest discover -s t 2>&1 | tail -1"],
            vec![("t/test_a.py", tests(fail, pass))],
            false,
        ),
        (unittest, vec![("t/test_a.py", tests(pass, leave))], false),
        (unittest, vec![("t/test_a.py", tests(leave, pass))], false),
        (unittest, vec![("t/test_a.py", tests(show, pass))], false),
        (&["make", "test"], vec![make("@python3 -m pytest -qq t; true"), ("t/test_a.py", tests(fail, pass))], true),
        (
            &["make", "test"],
            vec![make("python3 -m unittest discover -s t"), ("t/test_a.py", tests(leave, pass))],
            false,
        ),
        (&["make", "test"], vec![make(two), ("t/test_a.py", tests(fail, leave)), green.clone()], false),
        (&["make", "test"], vec![make(two), ("t/test_a.py", tests(pass, leave)), green.clone()], false),
        (&["make", "test"], vec![make(two), ("t/test_a.py", tests("os.abort()", pass)), green.clone()], false),
        (
            &["make", "test"],
            vec![
                make(&two.replace("python3 -m unittest discover -v -s t", "python3 -m pytest -q t -x")),
                green.clone(),
            ],
            true,
        ),
        (
            &["sh", "run.sh"],
            vec![("run.sh", "pytst t\npython3 -m unittest discover -s u\n".to_owned()), green.clone()],
            false,
        ),
        (
            &["sh", "run.sh"],
            vec![("run.sh", "sh -c 'kill -s SEGV $$'\npython3 -m unittest discover -s u\n".to_owned()), green.clone()],
            false,
        ),
    ];
    for (at, (command, files, pytest)) in cases.into_iter().enumerate() {
        if pytest && !there("pytest") {
            step_aside("pytest is not installed");
            continue;
        }
        let repo = configured(&world, &format!("work{at}"), command);
        for (path, text) in &files {
            repo.write(path, text);
        }
        let output = repo.git_rapid(&["check", "--json"]);
        let document = output.json();
        assert_eq!(document.get("exit_code").and_then(Value::as_int), Some(0), "{command:?} {files:?} {output}");
        let outcome = document.get("outcome").and_then(Value::as_text).unwrap();
        assert_ne!(outcome, "pass", "{command:?} {files:?} {output}");
    }
}

/// A script without a summary stays usable as the loop's check, as long as it shows nothing of tests.
#[test]
fn a_plain_script_passes_as_the_test_command_only() {
    let world = World::new();
    let repo = configured(&world, "work", &["sh", "run.sh"]);
    let outcome = |arguments: &[&str]| {
        let document = repo.git_rapid(arguments).json();
        document.get("outcome").and_then(Value::as_text).map(str::to_owned).unwrap()
    };
    for (script, expected) in [
        ("true", "pass"),
        ("echo hello; echo all is well", "pass"),
        ("echo '  ✓ hello'", "unverified"),
        ("echo '  ✓ hello'; echo '1 passed, 0 failed'", "pass"),
        ("echo 'FAIL: hello'", "unverified"),
        ("echo 'FAIL: hello'; echo '1 passed, 0 failed'", "unverified"),
        ("no-such-program-anywhere; echo done", "unverified"),
        ("echo '99999999999999999999999 passed, 0 failed'", "unverified"),
    ] {
        repo.write("run.sh", &format!("{script}\n"));
        assert_eq!(outcome(&["check", "--json"]), expected, "{script}");
    }
    repo.write("run.sh", "true\n");
    assert_eq!(outcome(&["check", "--json", "--", "sh", "./run.sh"]), "unverified");
}
