//! What must hold for any output, genuine, cut, forged or random.

use super::super::{Counts, Input, Outcome, Summary, Uncounted, normalise, recognise, scan, views};
use super::corpus::cases;

fn read(output: &[u8]) -> Summary {
    recognise(&Input { output, exit_code: 0, command: &[], truncated: false })
}

/// How many sessions stand side by side in an output.
fn sessions(output: &[u8]) -> usize {
    let clean = normalise::clean(output);
    views::merge(scan(&normalise::lines(&clean))).sessions.len()
}

#[test]
fn a_cut_output_never_passes_with_other_counts() {
    let mut faults = Vec::new();
    for case in cases() {
        let whole = case.recognised();
        // Of several complete runs in one output the first is a complete output of its own.
        if whole.outcome != Outcome::Pass || sessions(&case.output) > 1 {
            continue;
        }
        let command = case.command();
        let ends = case.output.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for end in ends {
            let cut = &case.output[..end];
            let part = recognise(&Input { output: cut, exit_code: 0, command: &command, truncated: false });
            if part.outcome == Outcome::Pass && part.counts != whole.counts {
                faults.push(format!("{} cut at {end}: {:?} instead of {:?}", case.name, part.counts, whole.counts));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} cases:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn arbitrary_bytes_never_panic_and_never_pass() {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let all = cases();
    for round in 0..400 {
        let length = usize::try_from(next() % 2000).unwrap();
        let noise: Vec<u8> = (0..length).map(|_| next().to_le_bytes()[0]).collect();
        assert_ne!(read(&noise).outcome, Outcome::Pass);
        let mut damaged = all[round % all.len()].output.clone();
        for _ in 0..8 {
            if !damaged.is_empty() {
                let at = usize::try_from(next()).unwrap_or(0) % damaged.len();
                damaged[at] = next().to_le_bytes()[0];
            }
        }
        let _ = read(&damaged);
    }
}

/// Green summaries of many runners, as a forger would print them.
const FORGED: &[&str] = &[
    "\nrunning 7 tests\n.......\ntest result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
    "\n=== 7 passed in 0.01s ===\n",
    ".......  [100%]\n7 passed in 0.01s\n",
    ".......\n----------------------------------------------------------------------\nRan 7 tests in 0.001s\n\nOK\n",
    "TAP version 13\nok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 1\n",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/x\t0.001s\n",
    "\n\n  ✔ a\n\n  1 passing (5ms)\n\n",
    "\nTest Suites: 1 passed, 1 total\nTests:       7 passed, 7 total\nSnapshots:   0 total\nTime:        1 s\nRan all test suites.\n",
    "7 passed, 0 failed\n",
    "1..1\nok 1 a\n",
];

#[test]
fn a_forged_summary_after_a_failure_never_passes() {
    let mut faults = Vec::new();
    for case in cases() {
        let whole = read(&case.output);
        // Only outputs whose own text shows the failure: nothing else can survive a masked exit code.
        if whole.outcome != Outcome::Fail || !whole.counted {
            continue;
        }
        for forged in FORGED {
            let mut output = case.output.clone();
            output.extend_from_slice(b"\n");
            output.extend_from_slice(forged.as_bytes());
            if read(&output).outcome != Outcome::Fail {
                faults.push(format!("{} + {forged:?}", case.name));
            }
        }
    }
    assert!(faults.is_empty(), "{} cases:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_forged_summary_before_a_failure_never_passes() {
    for case in cases() {
        let whole = read(&case.output);
        if whole.outcome != Outcome::Fail || !whole.counted {
            continue;
        }
        for forged in FORGED {
            let output = [forged.as_bytes(), &case.output].concat();
            assert_ne!(read(&output).outcome, Outcome::Pass, "{forged:?} + {}", case.name);
        }
    }
}

#[test]
fn a_non_zero_exit_code_never_passes_and_truncation_never_counts() {
    for case in cases() {
        let command = case.command();
        let failed = recognise(&Input { output: &case.output, exit_code: 1, command: &command, truncated: false });
        assert_eq!(failed.outcome, Outcome::Fail, "{}", case.name);
        let cut = recognise(&Input { output: &case.output, exit_code: 0, command: &command, truncated: true });
        assert!(!cut.counted && cut.outcome != Outcome::Pass, "{}", case.name);
        assert_eq!(cut.uncounted, Some(Uncounted::Truncated), "{}", case.name);
    }
}

#[test]
fn numbers_that_nobody_can_have_counted_are_refused() {
    let huge = "99999999999999999999999";
    let libtest = format!(
        "running {huge} tests\ntest result: ok. {huge} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    );
    for text in
        [libtest.repeat(2), format!("{huge} passed, 0 failed\n"), format!("1 passed, 0 failed, {huge} skipped\n")]
    {
        let summary = read(text.as_bytes());
        assert_eq!((summary.outcome, summary.counted), (Outcome::Unverified, false), "{summary:?}");
        assert_eq!(summary.uncounted, Some(Uncounted::Contradiction));
        assert!(i64::try_from(summary.counts.total()).is_ok(), "{summary:?}");
    }
    let red = read(format!("1 passed, {huge} failed\n").as_bytes());
    assert_eq!(red.outcome, Outcome::Fail);
    assert!(i64::try_from(red.counts.failed).is_ok() && !red.reason.contains(huge), "{red:?}");
}

#[test]
fn long_outputs_are_read_in_linear_time() {
    let started = std::time::Instant::now();
    for line in
        ["a\n", "ok 1\n", "running 1 test\n", "{\"Action\":\n", "\r", "\u{1b}[", "1..1\n", "--- x\n", "  1 passing\n"]
    {
        let _ = read(line.repeat(100_000).as_bytes());
    }
    assert!(started.elapsed().as_secs() < 120, "{:?}", started.elapsed());
}

#[test]
fn a_failure_or_a_contradiction_is_never_outweighed_by_another_run() {
    let all = cases();
    let green: Vec<_> = all.iter().filter(|case| read(&case.output).outcome == Outcome::Pass).collect();
    let mut faults = Vec::new();
    for (number, case) in all.iter().enumerate() {
        let alone = read(&case.output);
        // That a total is missing is another matter: a script may print one for all it has started.
        let missing = ["no total counts them", "there is none"].iter().any(|why| alone.reason.contains(why));
        let contradicts = alone.uncounted == Some(Uncounted::Contradiction) && !missing;
        if alone.outcome != Outcome::Fail && !contradicts {
            continue;
        }
        for other in green.iter().skip(number % STRIDE).step_by(STRIDE) {
            for (first, second) in [(case, *other), (*other, case)] {
                let both = [first.output.as_slice(), b"\n", &second.output].concat();
                if read(&both).outcome == Outcome::Pass {
                    faults.push(format!("{} then {}", first.name, second.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} pairs:\n{}", faults.len(), faults.join("\n"));
}

/// Every how many-th green output is tried with each case; all of them would take a minute.
const STRIDE: usize = 17;

#[test]
fn a_failed_test_under_a_green_total_is_a_contradiction() {
    let text = "running 2 tests\ntest a ... FAILED\ntest b ... ok\n\n\
                test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let command = ["cargo".to_owned(), "test".to_owned()];
    let input = Input { output: text.as_bytes(), exit_code: 0, command: &command, truncated: false };
    let summary = recognise(&input);
    assert_eq!(summary.outcome, Outcome::Unverified, "{}", summary.reason);
    assert!(!summary.counted);
}

#[test]
fn a_plain_command_passes_by_its_own_runners_summary_only() {
    let mocha = "\n\n  ✔ a\n\n  1 passing (5ms)\n\n";
    let unittest =
        "..\n----------------------------------------------------------------------\nRan 2 tests in 0.001s\n\nOK\n";
    let read = |command: &str, text: &str| {
        let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
        recognise(&Input { output: text.as_bytes(), exit_code: 0, command: &command, truncated: false })
    };
    let python = "python3 -m unittest";
    let gone = read(python, mocha);
    assert_eq!(gone.outcome, Outcome::Unverified, "a test printed it and left with status 0");
    assert!(gone.reason.contains("not of the runner that the command names"), "{}", gone.reason);
    assert_eq!(read("make test", mocha).outcome, Outcome::Pass, "behind make it may be mocha");
    for both in [format!("{mocha}{unittest}"), format!("{unittest}{mocha}")] {
        assert_eq!(read(python, &both).counts, Counts::new(2, 0, 0), "what a test prints is not added");
    }
    let red = mocha.replace("5ms)", "5ms)\n  1 failing");
    assert_eq!(read(python, &format!("{unittest}{red}")).outcome, Outcome::Fail, "failures count whoever prints them");
}
