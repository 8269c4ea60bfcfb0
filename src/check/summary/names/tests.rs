//! Names in the corpus: never a list that disagrees with its summary, and one where the runner prints every test.

use super::*;
use crate::check::summary::tests::corpus::cases;

#[test]
fn every_list_of_the_corpus_accounts_for_its_summary() {
    let mut with = std::collections::BTreeMap::<String, usize>::new();
    for case in cases() {
        let command = case.command();
        let input = Input { output: &case.output, exit_code: case.exit_code(), command: &command, truncated: false };
        let summary = case.recognised();
        if let Some(list) = named(&input, &summary) {
            assert_eq!(list.total(), summary.counts.total(), "{}", case.name);
            *with.entry(case.directory.clone()).or_default() += 1;
        }
    }
    for (runner, least) in [("cargo-test", 5), ("go-test", 5), ("pytest", 5), ("jest", 5)] {
        assert!(with.get(runner).is_some_and(|count| *count >= least), "{runner}: {with:?}");
    }
}

fn names_of(output: &str, command: &str) -> Vec<String> {
    let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let input = Input { output: output.as_bytes(), exit_code: 0, command: &command, truncated: false };
    let list = named(&input, &crate::check::summary::recognise(&input));
    list.map(|list| list.names().map(str::to_owned).collect()).unwrap_or_default()
}

const CARGO: &str = "
     Running unittests src/lib.rs (target/debug/deps/calc-0123456789abcdef)

running 2 tests
test parser::reads ... ok
test parser::slow ... ignored, too slow

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests calc

running 1 test
test src/lib.rs - add (line 12) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

#[test]
fn libtest_names_binary_and_test_and_no_line_numbers() {
    let wanted =
        ["calc documentation > src/lib.rs - add", "calc src/lib.rs > parser::reads", "calc src/lib.rs > parser::slow"];
    assert_eq!(names_of(CARGO, "cargo test"), wanted);
    // A torn line, and a line that a test printed: no list.
    let torn = CARGO.replace("test parser::reads ... ok", "test parser::reads ... noise\nok");
    assert!(names_of(&torn, "cargo test").is_empty());
    let more = CARGO.replace("test parser::reads ... ok", "test other ... ok\ntest parser::reads ... ok");
    assert!(names_of(&more, "cargo test").is_empty());
}

#[test]
fn go_names_package_and_test() {
    let output = "=== RUN   TestA\n=== RUN   TestA/x\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\nPASS\n\
                  ok  \tdemo/a\t0.002s\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \tdemo/b\t0.002s\n";
    assert_eq!(names_of(output, "go test -v ./..."), ["demo/a > TestA", "demo/a > TestA/x", "demo/b > TestB"]);
}

#[test]
fn nextest_names_binary_and_test_once_however_often_they_are_tried() {
    let output = "    Starting 2 tests across 1 binary\n  TRY 1 FAIL [   0.008s] (---) calc tests::flaky\n\
                  \u{20}  TRY 2 PASS [   0.008s] (1/2) calc tests::flaky\n        PASS [   0.410s] (2/2) calc::it whole\n\
                  ────────────\n     Summary [   1.331s] 2 tests run: 2 passed (1 flaky), 0 skipped\n\
                  \u{20}  FLAKY 2/2 [   0.008s] (1/2) calc tests::flaky\n";
    assert_eq!(names_of(output, "cargo nextest run"), ["calc > tests::flaky", "calc::it > whole"]);
}

#[test]
fn jest_names_file_group_and_test() {
    let output = "PASS ./a.test.js\n  ✓ adds (30 ms)\n  g\n    ✓ b (21 ms)\n    deeper\n      ○ skipped c\n    ✓ d\n\n\
                  PASS ./b.test.js (5.1 s)\n  ✓ x (27 ms)\n\nTest Suites: 2 passed, 2 total\n\
                  Tests:       1 skipped, 4 passed, 5 total\nSnapshots:   0 total\nTime:        3.161 s\n\
                  Ran all test suites.\n";
    let wanted = ["./a.test.js > adds", "./a.test.js > g > b", "./a.test.js > g > d", "./a.test.js > g > deeper > c"];
    assert_eq!(names_of(output, "npx jest --verbose"), [&wanted[..], &["./b.test.js > x"]].concat());
    assert!(names_of(&output.replace("✓ adds (30 ms)", "printed by a test"), "npx jest").is_empty());
}

#[test]
fn quiet_runners_have_no_list() {
    let quiet = "\nrunning 2 tests\n..\n\
                 test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    assert!(names_of(quiet, "cargo test -q").is_empty());
}
