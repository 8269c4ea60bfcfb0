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
    println!("{with:?}");
    for runner in ["cargo-test", "go-test", "pytest"] {
        assert!(with.get(runner).is_some_and(|count| *count > 4), "{runner}: {with:?}");
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
fn quiet_runners_have_no_list() {
    let quiet = "\nrunning 2 tests\n..\n\
                 test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    assert!(names_of(quiet, "cargo test -q").is_empty());
}
