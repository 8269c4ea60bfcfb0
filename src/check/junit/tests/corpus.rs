//! The reports of the corpus of outputs, taken out of what was printed around them.

use crate::check::junit::read;
use crate::check::summary::tests::corpus::cases;

#[test]
fn every_report_of_the_corpus_has_the_expected_numbers() {
    let mut seen = 0;
    for case in cases().iter().filter(|case| case.format() == Some("junit-xml")) {
        let text = String::from_utf8_lossy(&case.output);
        let begin = text.find("<?xml").or_else(|| text.find("<testsuite")).expect("a report");
        let end = ["</testsuites>", "</testsuite>"].iter().find_map(|tag| text.rfind(tag).map(|at| at + tag.len()));
        let report =
            read(&text.as_bytes()[begin..end.expect("an end")]).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        assert_eq!(report.fault, None, "{}", case.name);
        let counts = report.counts();
        assert!(case.has(counts), "{}: {counts:?}", case.name);
        seen += 1;
    }
    assert_eq!(seen, 11);
}
