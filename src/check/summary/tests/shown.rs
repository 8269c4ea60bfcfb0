//! What is shown beside green totals, or without any: failed tests, crashes, runs that never ended.

use super::super::{Counts, Input, Outcome, Summary, Uncounted, recognise};

fn read(command: &str, text: &str) -> Summary {
    let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &command, truncated: false })
}

const UNITTEST: &str =
    "..\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n";
const PYTEST: &str = "============================= test session starts ==============================\ncollected 2 items\n\n\
     test_it.py ..                                                            [100%]\n\n\
     ============================== 2 passed in 0.01s ===============================\n";
const PYTEST_V: &str = "============================= test session starts ==============================\ncollected 2 items\n\n\
     a.py::t1 PASSED                                                          [ 50%]\n\
     a.py::t2 PASSED                                                          [100%]\n\n\
     ============================== 2 passed in 0.01s ===============================\n";
const GTEST: &str = "[==========] Running 2 tests from 1 test suite.\n[----------] 2 tests from a\n[ RUN      ] a.a\n\
     [       OK ] a.a (0 ms)\n[ RUN      ] a.b\n[       OK ] a.b (0 ms)\n[----------] 2 tests from a (0 ms total)\n\n\
     [==========] 2 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 2 tests.\n";
const NODE: &str =
    "✔ b (1ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 40\n";
const MOCHA: &str = "\n\n  ✔ a\n\n  1 passing (5ms)\n\n";
const JEST: &str = "PASS ./b.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       7 passed, 7 total\nSnapshots:   0 total\n\
     Time:        1 s\nRan all test suites.\n";
const EXUNIT: &str = "Running ExUnit with seed: 1, max_cases: 4\n\n..\nFinished in 0.02 seconds (0.00s async, 0.02s sync)\n\
     2 tests, 0 failures\n";
const RSPEC: &str = "..\n\nFinished in 0.1 seconds (files took 0.1 seconds to load)\n2 examples, 0 failures\n\n";
const PLAIN: &str = "3 passed, 0 failed\n";
const CTEST: &str = "Test project /b\n    Start 1: a\n1/1 Test #1: a ................................   Passed    0.00 sec\n\n\
     100% tests passed, 0 tests failed out of 1\n\nTotal Test time (real) =   0.01 sec\n";

const GREEN: &[&str] = &[UNITTEST, PYTEST, PYTEST_V, GTEST, NODE, MOCHA, JEST, EXUNIT, RSPEC, PLAIN, CTEST];

/// A line of a test that failed, and the green total it stands before.
const SHOWN: &[(&str, &str)] = &[
    ("test_a (t.T.test_a) ... FAIL\n", UNITTEST),
    ("test_a (t.T.test_a) ... ERROR\n", UNITTEST),
    ("..E\n", UNITTEST),
    ("F", UNITTEST),
    (
        "======================================================================\nFAIL: test_a (t.T.test_a)\n\
      ----------------------------------------------------------------------\nTraceback (most recent call last):\n",
        UNITTEST,
    ),
    ("ERROR: setUpClass (t.T)\n", UNITTEST),
    ("a.py::t1 FAILED                                                          [ 50%]\n", PYTEST),
    ("FAILED a.py::t1 - assert 1 == 2\n", PYTEST),
    ("ERROR a.py - ImportError\n", PYTEST),
    ("a.py .F                                                                  [100%]\n", PYTEST),
    ("F                                                                        [100%]\n", PYTEST),
    ("=================================== FAILURES ===================================\n", PYTEST),
    ("[gw0] [ 50%] FAILED a.py::t1\n", PYTEST),
    ("[  FAILED  ] a.b (0 ms)\n", GTEST),
    ("✖ a (1ms)\n", NODE),
    ("    1) x\n", MOCHA),
    ("  1) x:\n     Error\n", MOCHA),
    ("FAIL ./a.test.js\n", JEST),
    ("  ● Test suite failed to run\n", JEST),
    ("  ● group › a\n", JEST),
    ("  ✕ a (1 ms)\n", JEST),
    ("  1) test a (X)\n     x.exs:1\n", EXUNIT),
    ("F", RSPEC),
    (".F\n", RSPEC),
    ("  x (FAILED - 1)\n", RSPEC),
    ("2 tests failed\n", PLAIN),
    ("1 test failed.\n", PLAIN),
    ("✗ a\n", PLAIN),
    ("❌ a\n", PLAIN),
    ("FAIL: b\n", PLAIN),
    ("Failed: 2\n", PLAIN),
    ("test a ... FAILED\n", PLAIN),
    ("    --- FAIL: TestA (0.00s)\n", PLAIN),
    ("    not ok 1 - a\n", PLAIN),
];

#[test]
fn the_green_ones_pass() {
    for green in GREEN {
        let summary = read("", green);
        assert_eq!(summary.outcome, Outcome::Pass, "{green}{summary:?}");
    }
}

fn assert_contradiction(command: &str, text: &str) {
    let summary = read(command, text);
    assert_ne!(summary.outcome, Outcome::Pass, "{command}\n{text}{summary:?}");
    if summary.outcome == Outcome::Unverified {
        assert_eq!(summary.uncounted, Some(Uncounted::Contradiction), "{command}\n{text}{summary:?}");
        assert!(!summary.counted, "{command}\n{text}{summary:?}");
    }
}

#[test]
fn a_failed_test_that_is_shown_is_outweighed_by_no_total() {
    for (shown, own) in SHOWN {
        assert_contradiction("", &format!("{shown}{own}"));
        for green in GREEN {
            assert_contradiction("make test", &format!("{shown}\n{green}"));
        }
        for green in GREEN.iter().filter(|green| **green != PLAIN) {
            assert_contradiction("sh test.sh", &format!("{green}\n{shown}"));
        }
        // And by none that is missing.
        assert_contradiction("make test", shown);
    }
}

/// What a first command prints that dies or cannot begin.
const DIED: &[&str] = &[
    "Fatal Python error: Aborted\n",
    "ERROR: file or directory not found: tests\n",
    "ERROR: usage: pytest [options] [file_or_dir]\n",
    "pytest: error: unrecognized arguments: --cov\n",
    "__main__.py: error: argument -n: expected one argument\n",
    "ImportError while loading conftest '/w/conftest.py'.\n",
    "BEGIN failed--compilation aborted at t/a.t line 3.\n",
    "Aborted\n",
    "Aborted (core dumped)\n",
    "run.sh: line 2:   117 Aborted                 (core dumped) ./a\n",
    "Segmentation fault\n",
    "Segmentation fault (core dumped)\n",
    "Killed\n",
    "sh: 1: pytst: not found\n",
    "run.sh: 3: pytst: not found\n",
    "run.sh: line 3: pytst: command not found\n",
    "make: pytst: No such file or directory\n",
    "/usr/bin/python3: No module named pytst\n",
    "python3: can't open file '/w/run_tests.py': [Errno 2] No such file or directory\n",
    "Could not find '/w/a.test.js'\n",
    // Runs of which the end is missing.
    "test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... ",
    "test_b (t.T.test_b) ... ",
    "test_b (t.T.test_b)\nIt does something ... ",
    ".",
    "..\n",
    ".....                                                                    [ 50%]\n",
    "FAILED (failures=1)\n",
    "  1 failing\n",
    "Result: FAIL\n",
];

#[test]
fn a_run_that_died_is_outweighed_by_no_total() {
    for died in DIED {
        let verbose = died.contains(" ... ");
        for green in GREEN {
            // Dots without a line of their own are part of the next one, and vanish in what is no line of dots.
            if !(died.ends_with('\n') || green.starts_with('.') || verbose) {
                continue;
            }
            // A larger total that shows no test could have counted the dots.
            if died.starts_with('.') && [JEST, PLAIN].contains(green) {
                continue;
            }
            assert_contradiction("make test", &format!("{died}{green}"));
        }
        assert_contradiction("make test", died);
    }
    let verbose = "test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... ok\n\n";
    let green = format!("{verbose}{}", UNITTEST.trim_start_matches(".."));
    assert_eq!(read("make test", &green).counts, Counts::new(2, 0, 0));
    assert_contradiction("make test", &format!("test_b (t.T.test_b) ... {green}"));
    // Marks of a run without a total.
    assert_contradiction("make test", &format!("\n\n  ✔ a\n{MOCHA}"));
    assert_contradiction("make test", &format!("PASS ./a.test.js\n{JEST}"));
    for marks in ["  ✔ a\n", "PASS ./a.test.js\n", "ok 1 - a\n", "test a ... ok\n", "a.py::t PASSED [ 10%]\n"] {
        assert_contradiction("make test", marks);
    }
}

#[test]
fn expected_failures_and_retries_are_none() {
    let repeated = CTEST.replace(
        "    Start 1: a\n",
        "    Start 1: a\n1/1 Test #1: a ................................***Failed    0.00 sec\n    Start 1: a\n",
    );
    let flaky = "Running 1 test using 1 worker\n\n  ✘  1 a.spec.js:3:1 › a (5ms)\n  ✓  2 a.spec.js:3:1 › a (retry #1) (5ms)\n\n\
                 \x20 1 flaky\n    a.spec.js:3:1 › a\n";
    let pending = "*.\n\nPending: (Failures listed here are expected and do not affect your suite's status)\n\n  1) a b\n     # later\n\n\n\
                   Finished in 0.1 seconds (files took 0.1 seconds to load)\n2 examples, 0 failures, 1 pending\n";
    let lint = format!("✖ 3 problems (0 errors, 3 warnings)\n{MOCHA}");
    for text in [repeated.as_str(), flaky, pending, &lint] {
        let summary = read("", text);
        assert_eq!(summary.outcome, Outcome::Pass, "{text}{summary:?}");
    }
    // A test that failed in the end.
    let red = CTEST.replace("   Passed ", "***Failed ");
    assert_contradiction("", &red);
}

#[test]
fn a_named_runner_prints_its_total() {
    let unittest = "python3 -m unittest discover -s t";
    for (command, text) in [
        ("sh -c python3 -m unittest discover -s t 2>&1 | tail -1", "FAILED (failures=1)\n"),
        ("sh -c python3 -m unittest discover -s t 2>&1 | tail -1", "OK\n"),
        (unittest, ""),
        (unittest, "7 passing (5ms)\n"),
        (unittest, MOCHA),
        (unittest, "7 passed, 0 failed\n"),
        ("python3 -m unittest discover -s ./t", MOCHA),
        (
            "python3 -m pytest -qq t",
            "..                                                                       [100%]\n",
        ),
        ("python3 -m pytest -qq t", ""),
        ("cargo test", "   Compiling a v0.1.0\n"),
        ("go test ./...", ""),
        ("make test", "python3 -m unittest\n"),
        ("npm test", "> a@1.0.0 test\n> jest --ci\n\n"),
        (
            "make test",
            "F                                                                        [100%]\nFAILED t/test_a.py::test_a - x\n",
        ),
    ] {
        assert_contradiction(command, text);
    }
    // Nothing of tests, and no runner known: only who configured the command knows what its status is worth.
    for (command, text) in
        [("sh test.sh", ""), ("sh test.sh", "hello\nall good\n"), ("make check", "cc -o a a.c\n./a\n")]
    {
        assert_eq!(read(command, text).uncounted, Some(Uncounted::None), "{command} {text}");
    }
    let go = read("go test ./...", "ok  \texample.com/x\t0.001s\n");
    assert_eq!(go.uncounted, Some(Uncounted::NoCounts), "{go:?}");
}

/// What another program prints into a red document makes it no document any more, and its total is still red.
#[test]
fn a_red_report_that_was_torn_is_outweighed_by_no_total() {
    let torn =
        "<testsuites time=\"0.1\">\n<testsuite name=\"a\" tests=\"3\" failures=\"1\" errors=\"0\">\n< no tag >\n";
    let end = "<testcase name=\"a\"/></testsuite></testsuites>\n";
    for green in GREEN {
        let seen = read("make test", &format!("{torn}{green}{end}"));
        assert_ne!(seen.outcome, Outcome::Pass, "{green}");
    }
    let good = "<testsuites time=\"0.1\">\n<testsuite name=\"a\" tests=\"1\" failures=\"0\" errors=\"0\">\n";
    assert_eq!(read("make test", &format!("{good}{end}{PLAIN}")).counts.failed, 0);
}
