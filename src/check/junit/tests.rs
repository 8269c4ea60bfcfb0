//! Reports as runners write them, reports as nobody should, and whatever bytes there are.

use super::*;
use crate::check::summary::{Input, Outcome, Summary, Uncounted, recognise};
use crate::diagnostics::Code;
use proptest::prelude::*;

mod corpus;
mod hostile;

/// Passed, failed, skipped.
fn numbers(text: &str) -> (u64, u64, u64) {
    let counts = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}")).counts();
    (counts.passed, counts.failed, counts.skipped)
}

#[test]
fn what_became_of_a_case_is_read_from_its_elements() {
    for (inside, wanted) in [
        ("<testcase name='a'/>", (1, 0, 0)),
        ("<testcase name='a'></testcase><testcase name='b'/>", (2, 0, 0)),
        ("<testcase name='a'><failure message='x &lt; y'>&#10;&amp;</failure></testcase>", (0, 1, 0)),
        ("<testcase name='a'><error/></testcase>", (0, 1, 0)),
        ("<testcase name='a'><failure/><error/></testcase>", (0, 1, 0)),
        ("<testcase name='a'><skipped/></testcase>", (0, 0, 1)),
        ("<testcase name='a'><skipped type='pytest.xfail'/></testcase>", (0, 0, 1)),
        ("<testcase name='a'><skipped/><failure/></testcase>", (0, 1, 0)),
        ("<testcase name='a'><failure/><skipped/></testcase>", (0, 1, 0)),
        ("<testcase name='a'><skipped type='todo'/><failure/></testcase>", (0, 0, 1)),
        ("<testcase name='a'><failure/><skipped type='todo'/></testcase>", (0, 0, 1)),
        ("<testcase name='a'><flakyFailure/><rerunFailure/></testcase>", (1, 0, 0)),
        ("<testcase name='a'><rerunFailure/><failure/></testcase>", (0, 1, 0)),
        ("<testcase name='a' status='run' result='completed'/>", (1, 0, 0)),
        ("<testcase name='a' status='notrun'/><testcase name='b' result='suppressed'/>", (0, 0, 2)),
        ("<testcase name='a' status='FAILED'/>", (0, 1, 0)),
        ("<testcase name='a'><warning/></testcase>", (0, 0, 1)),
        ("<testcase name='a'><system-out><![CDATA[<failure/> ]]&gt; <testcase/>]]></system-out></testcase>", (1, 0, 0)),
        ("<testcase name='a'><system-out><failure/></system-out></testcase>", (1, 0, 0)),
        ("<testcase name='a'><!-- <failure/> --><?php echo 1 ?></testcase>", (1, 0, 0)),
        (
            "<testcase name='a' time='0,123'/><testcase name='b' time='1e-05'/><testcase name='c' time='NaN'/>",
            (3, 0, 0),
        ),
        ("<error message='the fixture broke'/>", (0, 1, 0)),
        ("<properties><property name='x' value='y'/></properties><system-out/>", (0, 0, 0)),
        ("", (0, 0, 0)),
    ] {
        assert_eq!(numbers(&format!("<testsuite name='s'>{inside}</testsuite>")), wanted, "{inside}");
        let nested = format!(
            "<testsuites><testsuite name='o'><testsuite name='s'>{inside}</testsuite></testsuite></testsuites>"
        );
        assert_eq!(numbers(&nested), wanted, "{nested}");
    }
}

#[test]
fn names_are_made_of_suites_class_and_case() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="all"><testsuite name="s"><testcase classname="s" name="a &gt; b"/><testcase classname="C" name="a"/>
        <testsuite name=" inner "><testcase name="a"/><testcase name="a"><skipped/></testcase></testsuite></testsuite>
        <testcase name="é&#x41;"/></testsuites>"#;
    let report = read(text.as_bytes()).unwrap();
    let names: Vec<&str> = report.tests.names().collect();
    assert_eq!(names, ["s > C > a", "s > a > b", "s > inner > a", "éA"]);
    assert_eq!(report.tests.total(), 5, "one name is there twice");
}

#[test]
fn a_report_that_disagrees_with_itself_is_not_counted() {
    let cases = "<testcase name='a'/><testcase name='b'/><testcase name='c'><skipped/></testcase>";
    for (stated, fault) in [
        ("tests='3' failures='0' errors='0' skipped='1'", false),
        ("tests='2'", false),
        ("tests='3' skipped='0'", false),
        ("tests=''", false),
        ("", false),
        ("tests='4'", true),
        ("tests='1'", true),
        ("tests='0'", true),
        ("tests='-3'", true),
        ("tests='3.0'", true),
        ("tests='99999999999999999999999'", true),
        ("tests='3' skipped='2'", true),
        ("tests='3' disabled='2'", true),
    ] {
        let report = read(format!("<testsuite name='s' {stated}>{cases}</testsuite>").as_bytes()).unwrap();
        assert_eq!(report.fault.is_some(), fault, "{stated}");
        assert_eq!(report.counts().failed, 0, "{stated}");
        let outer = format!("<testsuites {stated}><testsuite name='s'>{cases}</testsuite></testsuites>");
        // The root may also count its suites.
        let wanted = fault && stated != "tests='1'";
        assert_eq!(read(outer.as_bytes()).unwrap().fault.is_some(), wanted, "{outer}");
    }
    for stated in ["failures='1'", "errors='2'", "tests='3' failures='1' errors='1'"] {
        let report = read(format!("<testsuite name='s' {stated}>{cases}</testsuite>").as_bytes()).unwrap();
        assert!(report.fault.is_some() && report.counts().failed == 1, "{stated}");
    }
    let hidden = "<testsuites><testsuite name='x' tests='9'><testcase name='a'/></testsuite>\
                  <testsuite name='y' failures='1'><testcase name='b'/></testsuite></testsuites>";
    assert_eq!(read(hidden.as_bytes()).unwrap().counts().failed, 1, "a fault before it hides no failure");
}

#[test]
fn the_root_tells_reports_from_other_xml() {
    for (text, report, other) in [
        ("<testsuite/>", true, false),
        ("\u{feff}<?xml version='1.0'?>\n<!-- x --><testsuites name='a'>", true, false),
        ("<coverage/>", false, true),
        ("", false, false),
        ("5 passed", false, false),
        ("\u{0}", false, false),
    ] {
        assert_eq!((looks_like(text.as_bytes()), is_other_xml(text.as_bytes())), (report, other), "{text:?}");
    }
}

fn concluded(output: &str, exit_code: i32, report: Result<&str, NoReport>) -> Summary {
    let command = ["sh".to_owned(), "t.sh".to_owned()];
    let text = recognise(&Input { output: output.as_bytes(), exit_code, command: &command, truncated: false });
    conclude(text, exit_code, &report.map(|text| read(text.as_bytes()).unwrap()))
}

type Result<T, E> = std::result::Result<T, E>;

#[test]
fn the_report_wins_over_numbers_and_never_over_failures() {
    let green = "<testsuite name='s'><testcase name='a'/><testcase name='b'/></testsuite>";
    let red = "<testsuite name='s'><testcase name='a'/><testcase name='b'><failure/></testcase></testsuite>";
    let odd = "<testsuite name='s' tests='5'><testcase name='a'/></testsuite>";
    let empty = "<testsuite name='s'><testcase name='a'><skipped/></testcase></testsuite>";
    for (output, code, report, outcome, counted, uncounted) in [
        ("", 0, Ok(green), Outcome::Pass, true, None),
        ("7 passed, 0 failed\n", 0, Ok(green), Outcome::Pass, true, None),
        ("7 passed, 1 failed\n", 0, Ok(green), Outcome::Fail, true, None),
        ("", 1, Ok(green), Outcome::Fail, true, None),
        ("7 passed, 0 failed\n", 0, Ok(red), Outcome::Fail, true, None),
        ("", 1, Ok(red), Outcome::Fail, true, None),
        ("7 passed, 0 failed\n", 0, Ok(odd), Outcome::Unverified, false, Some(Uncounted::Contradiction)),
        ("", 0, Ok(empty), Outcome::Unverified, true, Some(Uncounted::Empty)),
        ("7 passed, 0 failed\n", 0, Err(NoReport::Missing), Outcome::Unverified, false, Some(Uncounted::NoReport)),
        ("7 passed, 0 failed\n", 0, Err(NoReport::Stale), Outcome::Unverified, false, Some(Uncounted::NoReport)),
        ("7 passed, 2 failed\n", 0, Err(NoReport::Missing), Outcome::Fail, true, Some(Uncounted::NoReport)),
        ("7 passed, 0 failed\n", 3, Err(NoReport::Missing), Outcome::Fail, false, Some(Uncounted::NoReport)),
    ] {
        let summary = concluded(output, code, report.clone());
        let found = (summary.outcome, summary.counted, summary.uncounted);
        assert_eq!(found, (outcome, counted, uncounted), "{output:?} {code} {report:?}: {}", summary.reason);
    }
    assert_eq!(concluded("7 passed, 0 failed\n", 0, Ok(green)).counts.passed, 2);
    let cut = Input { output: b"", exit_code: 0, command: &[], truncated: true };
    let summary = conclude(recognise(&cut), 0, &Ok(read(green.as_bytes()).unwrap()));
    assert_eq!((summary.outcome, summary.counted), (Outcome::Unverified, false), "output is missing");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes);
        let _ = looks_like(&bytes);
    }

    #[test]
    fn no_pieces_of_reports_make_it_panic_or_pass_with_a_failure(pieces in proptest::collection::vec(0..PIECES.len(), 0..24)) {
        let text: String = pieces.iter().map(|piece| PIECES[*piece]).collect();
        if let Ok(report) = read(text.as_bytes()) {
            let again = read(text.as_bytes()).unwrap();
            prop_assert_eq!(&report, &again);
            prop_assert!(report.tests.total() <= text.matches("<testcase").count() as u64);
        }
    }
}

const PIECES: &[&str] = &[
    "<testsuites>",
    "</testsuites>",
    "<testsuite name='s' tests='1'>",
    "<testsuite failures='1' name='é'>",
    "</testsuite>",
    "<testcase name='a'>",
    "<testcase name='b'/>",
    "</testcase>",
    "<failure>",
    "</failure>",
    "<skipped type='todo'/>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "&amp;",
    "&#0;",
    "&#x110000;",
    "&x;",
    "<!DOCTYPE a>",
    "<?xml version='1.0'?>",
    "<",
    "x='",
    "\u{0}",
    "\u{feff}",
];
