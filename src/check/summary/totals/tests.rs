//! Lines that are red totals, and lines that only look like them.

use super::{Red, red};

/// Totals of tests with failures.
const OF_TESTS: &[&str] = &[
    // Pester
    "Tests Passed: 1, Failed: 1, Skipped: 0 NotRun: 0",
    "Tests Passed: 1, Failed: 1, Skipped: 0, Inconclusive: 0, NotRun: 0",
    // rackunit
    "1 success(es) 1 failure(s) 0 error(s) 2 test(s) run",
    "1 success(es) 0 failure(s) 1 error(s) 2 test(s) run",
    // Octave
    "PASSES 1 out of 2 tests",
    // tSQLt
    "Test Case Summary: 2 test case(s) executed, 1 succeeded, 0 skipped, 1 failed, 0 errored.",
    // Sui Move
    "Test result: FAILED. Total tests: 2; passed: 1; failed: 1",
    // InSpec, Unity, XCTest, Karma, Swift Testing, ScalaTest, utPLSQL, conftest of Open Policy Agent
    "Test Summary: 1 successful, 1 failure, 0 skipped",
    "2 Tests 1 Failures 0 Ignored",
    "Executed 2 tests, with 1 failure (0 unexpected) in 0.0 (0.0) seconds",
    "Tests: succeeded 1, failed 1",
    "2 tests, 1 failed, 0 errored, 0 disabled, 0 warning(s)",
    "2 tests, 1 passed, 0 warnings, 1 failure, 0 exceptions",
    "2 tests, 2 assertions, 1 failures.",
    "Failed 1 tests. Passed 1 tests.",
    "Tests failed: 1, passed: 1 of 2 tests",
    "Test Count: 2, Passed: 1, Failed: 1",
    "ERROR: 1 of 2 tests failed",
    // Foundry, without its last words
    "Suite result: FAILED. 1 passed; 1 failed; 0 skipped",
    // home-made
    "Total 2 tests: 1 passed 1 failed",
    "1/2 tests passed",
    "1 of 2 tests passed.",
    "TESTS: 2, PASS: 1, FAIL: 1",
    "TESTS: 2, PASS: 1, FAIL: 1, ERROR: 0",
    "Tests: 2 Failed: 1",
    "tests=2 failures=1 errors=0",
    "1,234 tests passed, 1,000 failed",
    "=== 3 tests run, 2 passed, 1 failed ===",
    "10:15:08 Tests run: 3; passed: 2; failed: 1 (0.25s)",
    "Some tests failed (1/2)",
    "Test run with 2 tests failed after 0.001 seconds with 1 issue.",
    "Ran 7 checks in 3 seconds: 6 passed, 1 failed",
    "18446744073709551616 tests failed, 1 passed",
];

/// Totals with failures that do not say of what, or count nothing else.
const OF_SOMETHING: &[&str] = &[
    "Tests Failed  : 1",
    "Tests Errored : 1",
    "Number of failures:  1",
    "Number of errors: 1",
    "Failed Assertions: 1",
    "Failure! 1 passed, 1 failed.",
    "2 run, 1 passes, 0 expected failures, 1 failures, 0 errors, 0 unexpected passes",
    "    Fail: 1 (50%)",
    "  Failed: 1 (50.00%)",
    "     Failed: 1",
    "  Failing             1",
    "---- 1 failing tests ----",
    "0/1 passed.",
    "Passed 1/2",
    "1 of 2 passed",
    "Success/Total: 1/2",
    "Total: 2, Pass: 1, Fail: 1",
    "Failed!  - Failed:     1, Passed:     1, Skipped:     0, Total:     2",
    "FAIL! -- 1 Passed | 1 Failed | 0 Pending | 0 Skipped",
    "Executed 2 of 2 (1 FAILED) (0.01 secs)",
    "Failed: Total 2, Failed 1, Errors 0, Passed 1",
    "Totals: 1 passed, 1 failed, 0 skipped, 0 blacklisted, 1ms",
    "3 passed, 1 error",
    "There was 1 failure:",
    "PASS 1 FAIL 1",
    "50% tests passed, 1 tests failed out of 2",
    "Failed (1), Passed (2)",
];

#[test]
fn red_totals_are_seen_whoever_prints_them() {
    for (lines, wanted) in [(OF_TESTS, Red::Tests), (OF_SOMETHING, Red::Something)] {
        let others: Vec<_> = lines.iter().filter(|line| red(line) != Some(wanted)).collect();
        assert!(others.is_empty(), "not {wanted:?}: {others:#?}");
    }
}

/// Lines of everyday logs that say nothing of tests that failed.
const GREEN: &[&str] = &[
    // green totals
    "0 failed",
    "no failures",
    "Failed: 0",
    "Tests Failed  : 0",
    "Number of failures: 0",
    "Tests Passed: 2, Failed: 0, Skipped: 0 NotRun: 0",
    "2 success(es) 0 failure(s) 0 error(s) 2 test(s) run",
    "PASSES 2 out of 2 tests",
    "Test result: OK. Total tests: 2; passed: 2; failed: 0",
    "Success! 2 passed, 0 failed.",
    "Total: 2 Passed: 2 Failed: 0",
    "Total 2 Passed 2 Failed 0",
    "Tests: 2 Failed: 0",
    "Passed 2 Failed 0 Total 2 tests",
    "Failed (0), Passed (2)",
    "Executed 2 out of 3 tests: 3 tests pass.",
    "1/2 Test #1: a ................................   Passed    0.00 sec",
    "Executed 2 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds",
    "tests 2, failures 0",
    "2/2 tests passed",
    "1/2 tests passed, 1 skipped",
    "1/2 passed, 0 failed, 1 skipped",
    "100% tests passed, 0 tests failed out of 2",
    "2 tests, 0 failures, 2 skipped",
    "2 tests, 1 expected failures, 0 failures",
    "2 run, 1 passes, 1 expected failures, 0 failures, 0 errors, 0 unexpected passes",
    "test cases: 2 | 1 passed | 1 failed as expected",
    "3 passed, 1 failed (expected)",
    "expected failures: 1, passed: 2",
    "[doctest] test cases: 2 | 2 passed | 0 failed | 0 skipped",
    "Passed!  - Failed:     0, Passed:     2, Skipped:     0, Total:     2, Duration: 5 ms - App.Tests.dll (net8.0)",
    "Tests run: 2, Failures: 0, Errors: 0, Skipped: 0",
    "TESTS: 2, PASS: 2, FAIL: 0, ERROR: 0",
    "[ FAIL 0 | WARN 1 | SKIP 0 | PASS 2 ]",
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
    "Totals: 3 passed, 0 failed, 0 skipped, 0 blacklisted, 1ms",
    // retries, and what a test says of itself
    "retrying, 1 failed attempt",
    "attempt 1 failed, retrying in 5 s",
    "1 failed, will retry",
    "Retry 1/3 failed",
    "expected 1 failure, got 1",
    "1 error handled",
    "2 failed logins are refused",
    "handles 1 failure and 2 errors",
    "returns 3 errors",
    "✓ counts 1 failure (2 ms)",
    "ok 3 - 1 failed test is reported",
    "ok 3 failed tests are listed",
    "test tally::tests::one_failed_of_2 ... ok",
    "tests/test_report.py::test_2_failed PASSED",
    "=== RUN   TestFails1",
    "--- PASS: TestFails1 (0.00s)",
    "it reports 1 failed of 2 tests",
    // compilers, linters, build tools
    "error: 0",
    "0 errors, 3 warnings",
    "3 errors, 0 warnings",
    "    0 Warning(s)",
    "    0 Error(s)",
    "    1 Error(s)",
    "error 404",
    "error[E0425]: cannot find value `failed1` in this scope",
    "warning: `app` (lib) generated 1 warning",
    "warning: unused variable: `failed_1`",
    "src/a.c:12:5: error: 1 argument is missing",
    "   Compiling failure v0.1.8",
    "   Compiling thiserror v1.0.50",
    "    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.25s",
    "BUILD SUCCESSFUL in 3s",
    "5 actionable tasks: 2 executed, 3 up-to-date",
    "> Task :test FROM-CACHE",
    "[INFO] Total time:  1.25 s",
    "[ERROR] 1 file is not formatted",
    "Found 0 errors in 12 files (checked 12 source files)",
    "✖ 3 problems (1 error, 2 warnings)",
    "ninja: build stopped: 1 subcommand failed.",
    "[12/34] Building CXX object failure.cpp.o",
    "[1/2] Linking target pass",
    "========== Build: 2 succeeded, 0 failed, 1 up-to-date, 0 skipped ==========",
    // package managers, transfers, containers, clouds
    "1 vulnerability (1 high)",
    "found 1 vulnerability, run `npm audit fix` for 1 of them; 1 failed to resolve",
    "added 12 packages, and audited 13 packages in 1s",
    "Successfully installed pytest-8.0.0 errors-1.2",
    "Number of files: 12 (reg: 10, dir: 2)",
    "Number of failed transfers: 1",
    "total size is 1,234  speedup is 0.98 (errors: 0)",
    "curl: (22) The requested URL returned error: 404",
    "100  1234  100  1234    0     0   5678      0 --:--:-- --:--:-- --:--:--  5678",
    "Step 1/12 : FROM alpine AS pass",
    "Successfully built 0f1e2d3c4b5a",
    "Plan: 1 to add, 0 to change, 0 to destroy.",
    "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
    "localhost : ok=1 changed=0 unreachable=0 failed=0 skipped=0",
    "pod/web 0/1 CrashLoopBackOff 3",
    "deployment 1 of 2 updated replicas are available",
    // log levels, services, coverage, times
    "2026-01-01 12:00:00 ERROR 1 request failed",
    "[2026-01-01T12:00:00Z] error=1 level=info msg=\"1 failed\"",
    "level=error count=1",
    "GET /api/failures/1 200 3 ms",
    "systemd[1]: app.service: 1 failure within 10 s",
    "connection failed 3 times",
    "{\"passed\": 1, \"failed\": 1}",
    "failover 1 complete",
    "password: 1 of 2",
    "bypass 1/2",
    "TOTAL                 120      3    97%",
    "Statements   : 97.5% ( 117/120 ), 1 failed threshold",
    "passes in 1.25 seconds",
    "Ran 2 tests in 0.001s",
    "tests passed after 3 seconds",
    "Passed in 2",
    "failed after 3 attempts",
    "finished: 2 ok in 3 seconds, pass 2",
    "pass 1 of the optimizer",
    "pass 1/2",
    "Pass 1 of 2",
    "PASS 2 FAIL 0 TOTAL 2 tests",
    "Total errors: 5, warnings: 2",
    "error 1 of 3",
    "Progress: 1/2",
    "step 2 of 3: passwords",
];

#[test]
fn what_only_looks_like_one_is_none() {
    assert!(GREEN.len() >= 100);
    let others: Vec<_> = GREEN.iter().filter(|line| red(line).is_some()).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn no_line_is_too_odd_to_be_read() {
    for line in ["fail ", "1/", "1,", "of 1 ", "test ", "fail(", "1:1.1,1/1", "1 of 2 of ", "ü1 fail", "9"] {
        for times in [1, 7, 30, 4000] {
            let _ = red(&format!("fail 1 {}", line.repeat(times)));
        }
    }
}
