//! Runners the corpus has no runs of: short outputs in the form their documentation gives.

use super::super::{Counts, Input, Outcome, Runner, recognise};

/// The runner, the text, and what it counts.
type Case = (Runner, &'static str, (u64, u64, u64));

const CASES: &[Case] = &[
    (
        Runner::Dotnet,
        "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - A.dll (net8.0)\n\
         Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 9 ms - B.dll (net8.0)\n",
        (7, 0, 1),
    ),
    (
        Runner::Dotnet,
        "Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6, Duration: 12 ms - A.dll (net8.0)\n",
        (5, 1, 0),
    ),
    (Runner::Dotnet, "\nTest Run Successful.\nTotal tests: 3\n     Passed: 3\n Total time: 1.2 Seconds\n", (3, 0, 0)),
    (
        Runner::Mtp,
        "Test run summary: Passed! - bin/x.dll (net9.0|x64)\n  total: 3\n  failed: 0\n  succeeded: 2\n  skipped: 1\n  duration: 90ms\n",
        (2, 0, 1),
    ),
    (
        Runner::Xctest,
        "Test Suite 'All tests' started at 2026-01-01 10:00:00.000.\n\
         Test Suite 'ATests' started at 2026-01-01 10:00:00.000.\n\
         Test Case 'ATests.testA' started at 2026-01-01 10:00:00.000.\n\
         Test Case 'ATests.testA' passed (0.001 seconds)\n\
         Test Suite 'ATests' passed at 2026-01-01 10:00:00.001.\n\
         \t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.001) seconds\n\
         Test Suite 'All tests' passed at 2026-01-01 10:00:00.002.\n\
         \t Executed 1 test, with 0 failures (0 unexpected) in 0.001 (0.002) seconds\n",
        (1, 0, 0),
    ),
    (
        Runner::SwiftTesting,
        "◇ Test run started.\n◇ Test a() started.\n✔ Test a() passed after 0.001 seconds.\n\
         ✔ Test run with 1 test in 0 suites passed after 0.001 seconds.\n",
        (1, 0, 0),
    ),
    (
        Runner::SwiftTesting,
        "◇ Test run started.\n✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 1 issue.\n",
        (1, 1, 0),
    ),
    (Runner::Zig, "1/2 main.test.a...OK\n2/2 main.test.b...OK\nAll 2 tests passed.\n", (2, 0, 0)),
    (Runner::Zig, "1/2 main.test.a...OK\n2/2 main.test.b...FAIL (x)\n1 passed; 0 skipped; 1 failed.\n", (1, 1, 0)),
    (
        Runner::Julia,
        "Test Summary: | Pass  Total  Time\nall           |    3      3  0.1s\n     Testing X tests passed\n",
        (3, 0, 0),
    ),
    (
        Runner::Julia,
        "Test Summary: | Pass  Fail  Broken  Total  Time\nall           |    3     1       1      5  0.1s\n  inner       |    3             1      4  0.1s\n",
        (3, 1, 1),
    ),
    (
        Runner::Dart,
        "00:00 +0: loading test/a_test.dart\r00:00 +0: a\r00:00 +1: b\r00:01 +2: All tests passed!\n",
        (2, 0, 0),
    ),
    (Runner::Dart, "00:00 +0: a\n00:00 +1 -1: b [E]\n00:01 +1 ~1 -1: Some tests failed.\n", (1, 1, 1)),
    (
        Runner::Sbt,
        "[info] Run completed in 100 milliseconds.\n[info] Total number of tests run: 2\n\
         [info] Suites: completed 1, aborted 0\n[info] Tests: succeeded 2, failed 0, canceled 0, ignored 0, pending 0\n\
         [info] All tests passed.\n[info] Passed: Total 2, Failed 0, Errors 0, Passed 2\n",
        (2, 0, 0),
    ),
    (
        Runner::Scalatest,
        "Run completed in 100 milliseconds.\nSuites: completed 1, aborted 1\nTests: succeeded 2, failed 0, canceled 0, ignored 0, pending 0\n",
        (2, 1, 0),
    ),
    (Runner::Bazel, "Executed 2 out of 3 tests: 3 tests pass.\n", (3, 0, 0)),
    (Runner::Bazel, "Executed 2 out of 2 tests: 1 test passes and 1 fails locally.\n", (1, 1, 0)),
    (
        Runner::Buck2,
        "Tests finished: Pass 5. Fail 0. Timeout 0. Fatal 0. Skip 1. Omit 0. Infra Failure 0. Build failure 0\n",
        (5, 0, 1),
    ),
    (
        Runner::Buck2,
        "Tests finished: Pass 5. Fail 0. Timeout 1. Fatal 0. Skip 0. Omit 0. Infra Failure 0. Build failure 0\n",
        (5, 1, 0),
    ),
    (
        Runner::Foundry,
        "Ran 2 tests for test/A.t.sol:ATest\n[PASS] testA() (gas: 1)\n[PASS] testB() (gas: 1)\n\
         Suite result: ok. 2 passed; 0 failed; 0 skipped; finished in 1.00ms (1.00ms CPU time)\n\n\
         Ran 1 test suite in 5.00ms (1.00ms CPU time): 2 tests passed, 0 failed, 0 skipped (2 total tests)\n",
        (2, 0, 0),
    ),
    (
        Runner::Pest,
        "   PASS  Tests\\Unit\\A\n  ✓ a\n  ✓ b\n\n  Tests:    1 skipped, 2 passed (3 assertions)\n  Duration: 0.10s\n",
        (2, 0, 1),
    ),
    (
        Runner::Cypress,
        "  (Run Finished)\n\n       Spec     Tests  Passing  Failing  Pending  Skipped\n    ✔  All specs passed!        00:05        3        2        -        1        -\n",
        (2, 0, 1),
    ),
    (
        Runner::Karma,
        "Chrome 120.0 (Linux): Executed 1 of 3 SUCCESS (0 secs / 0 secs)\rChrome 120.0 (Linux): Executed 2 of 3 (skipped 1) SUCCESS (0.1 secs / 0.05 secs)\n",
        (2, 0, 1),
    ),
    (Runner::Karma, "Chrome 120.0 (Linux): Executed 3 of 3 (1 FAILED) (0.1 secs / 0.05 secs)\n", (2, 1, 0)),
    (Runner::Webdriverio, "Spec Files:\t 2 passed, 2 total (100% completed) in 00:00:05\n", (2, 0, 0)),
    (
        Runner::Pester,
        "[+] a 5ms\nTests completed in 12ms\nTests Passed: 1, Failed: 0, Skipped: 1, Inconclusive: 0, NotRun: 0\n",
        (1, 0, 1),
    ),
    (
        Runner::Phpunit,
        "PHPUnit 11.0.0 by Sebastian Bergmann and contributors.\n\nD.  2 / 2 (100%)\n\nOK, but there were issues!\nTests: 2, Assertions: 2, Deprecations: 1.\n",
        (2, 0, 0),
    ),
    (
        Runner::Catch2,
        "===============================================================================\ntest cases: 3 | 2 passed | 1 skipped\nassertions: 4 | 4 passed\n",
        (2, 0, 1),
    ),
];

#[test]
fn summaries_of_the_documentation_are_recognised() {
    let mut faults = Vec::new();
    for (runner, text, (passed, failed, skipped)) in CASES {
        let summary = recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &[], truncated: false });
        let outcome = if *failed > 0 { Outcome::Fail } else { Outcome::Pass };
        let counts = Counts { passed: *passed, failed: *failed, skipped: *skipped };
        if !summary.counted || summary.counts != counts || summary.outcome != outcome || summary.runner != Some(*runner)
        {
            faults.push(format!("{text}\n    {summary:?}"));
        }
    }
    assert!(faults.is_empty(), "{} cases:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn scripts_behind_a_prefix_are_read() {
    let text = "p/a test$ mocha t.js\np/a test:\np/a test:   ✔ a\np/a test:\np/a test:   1 passing (9ms)\np/a test:\np/a test: Done\n";
    let read = |text: &str| recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &[], truncated: false });
    assert_eq!(read(text).counts, Counts { passed: 1, failed: 0, skipped: 0 });
    assert_eq!(read(text).outcome, Outcome::Pass);
    assert_eq!(read(&text.replace("p/a test$", "p/a test")).outcome, Outcome::Unverified);
    let replay =
        "a:test: cache hit, replaying logs 1f\na:test: > a@1.0.0 test\na:test:\na:test:   1 passing (9ms)\na:test:\n";
    assert_eq!(read(replay).outcome, Outcome::Unverified, "{:?}", read(replay));
}

/// Green outputs that must not pass: nothing ran, or the text does not account for itself.
const NOT_PASSED: &[&str] = &[
    "All 5 tests passed.\n",
    "All tests passed!\n",
    "** TEST SUCCEEDED **\n",
    "OK\n",
    "[info] Passed: Total 0, Failed 0, Errors 0, Passed 0\n",
    "Executed 0 out of 3 tests: 3 tests pass.\n",
    "Test run summary: Zero tests ran\n  total: 0\n  failed: 0\n  succeeded: 0\n  skipped: 0\n",
    "Test Suite 'All tests' started at 2026-01-01.\nTest Case 'A.a' started.\n",
    "00:01 +0: All tests skipped.\n",
    "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    "running 5 tests\ntest result: ok. 6 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    "5 passed in 0.02s\n",
    "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n",
    "Tests: 3 passed\n",
];

#[test]
fn what_shows_nothing_does_not_pass() {
    for text in NOT_PASSED {
        let summary = recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &[], truncated: false });
        assert_eq!(summary.outcome, Outcome::Unverified, "{text}{summary:?}");
        assert!(summary.uncounted.is_some(), "{text}{summary:?}");
    }
}

#[test]
fn every_runner_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = Runner::ALL.iter().map(|runner| runner.as_str()).collect();
    assert_eq!(names.len(), Runner::ALL.len());
}
