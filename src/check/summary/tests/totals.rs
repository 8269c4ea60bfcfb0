//! Red totals of runners that nobody knows: what they do to an output.

use super::super::{Counts, Input, Outcome, Summary, Uncounted, recognise, sightings};

fn read(text: &str) -> Summary {
    let command = ["sh".to_owned(), "tests.sh".to_owned()];
    recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &command, truncated: false })
}

const UNITTEST: &str =
    "..\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n";

/// Whole outputs, and the line that is quoted of each.
const RED: &[(&str, &str)] = &[
    (
        "--------------------\na\nFAILURE\nname:       check-equal?\nactual:     1\nexpected:   2\n--------------------\n\
         1 success(es) 1 failure(s) 0 error(s) 2 test(s) run\n1\n",
        "1 success(es) 1 failure(s) 0 error(s) 2 test(s) run",
    ),
    (
        "Running test suite S\n Running test A f\n Did 2 checks.\n    Pass: 1 (50%)\n    Skip: 0 ( 0%)\n    Fail: 1 (50%)\n",
        "Fail: 1 (50%)",
    ),
    (
        "Done testing.\nTests Found   : 2\nTests Passed  : 1\nTests Failed  : 1\nTests Errored : 0\n",
        "Tests Failed  : 1",
    ),
    ("Number of run tests: 2\nNumber of errors:    0\nNumber of failures:  1\n", "Number of failures:  1"),
    ("***** assert (1, 2)\n!!!!! test failed\nPASSES 1 out of 2 tests\n", "PASSES 1 out of 2 tests"),
    ("  run \"a\"... pass\n  run \"b\"... fail\n\nFailure! 1 passed, 1 failed.\n", "Failure! 1 passed, 1 failed."),
    (
        "[ PASS    ] x::m::a\nTest result: FAILED. Total tests: 2; passed: 1; failed: 1\n",
        "Test result: FAILED. Total tests: 2; passed: 1; failed: 1",
    ),
    ("Tests                 2\n  Passing             1\n  Failing             1\n", "Failing             1"),
    ("test a failed\n1/2 tests passed\n", "1/2 tests passed"),
];

#[test]
fn where_nothing_else_is_counted_nothing_is_and_the_line_is_quoted() {
    for (text, line) in RED {
        let summary = read(text);
        assert_eq!(summary.outcome, Outcome::Unverified, "{text}{summary:?}");
        assert_eq!((summary.uncounted, summary.counted), (Some(Uncounted::Contradiction), false), "{text}");
        assert_eq!(summary.counts, Counts::default(), "{text}");
        assert!(summary.reason.contains(&format!("(`{line}`)")), "{text}{summary:?}");
        let seen = sightings(text.as_bytes());
        let at = text.lines().position(|other| other.trim() == *line).unwrap() + 1;
        assert!(seen.iter().any(|seen| seen.lines == Some((at, at)) && seen.what.contains("a total")), "{seen:?}");
        // Nor where a tool says that all is well, and counts nothing.
        assert_eq!(read(&format!("{text}BUILD SUCCESS\n")).uncounted, Some(Uncounted::Contradiction), "{text}");
    }
}

#[test]
fn beside_a_green_total_only_a_total_of_tests_is_heeded() {
    for tests in ["Total 2 tests: 1 passed 1 failed\n", "1/2 tests passed\n", "2 Tests 1 Failures 0 Ignored\n"] {
        for both in [format!("{tests}{UNITTEST}"), format!("{UNITTEST}{tests}")] {
            let summary = read(&both);
            assert_eq!(summary.uncounted, Some(Uncounted::Contradiction), "{both}{summary:?}");
            assert!(summary.reason.contains(tests.trim()), "{summary:?}");
        }
    }
    for else_counted in ["9 succeeded, 1 failed\n", "Number of errors: 3\n", "errors=1 passed=2\n", "1/2 passed\n"] {
        let both = format!("{else_counted}{UNITTEST}");
        assert_eq!(read(&both).outcome, Outcome::Pass, "{both}");
    }
    // A red total that is counted decides, as ever.
    assert_eq!(read("1/2 tests passed\n3 passed, 1 failed\n").counts, Counts::new(3, 1, 0));
}

#[test]
fn pester_is_counted_in_both_of_its_spellings() {
    for end in ["Skipped: 2 NotRun: 0", "Skipped: 2, Inconclusive: 0, NotRun: 0"] {
        let green = read(&format!("[+] a 5ms\nTests completed in 150ms\nTests Passed: 1, Failed: 0, {end}\n"));
        assert_eq!((green.outcome, green.counts), (Outcome::Pass, Counts::new(1, 0, 2)), "{green:?}");
        let red = read(&format!("[-] a 5ms\nTests completed in 150ms\nTests Passed: 1, Failed: 1, {end}\n"));
        assert_eq!((red.outcome, red.counts), (Outcome::Fail, Counts::new(1, 1, 2)), "{red:?}");
    }
}
