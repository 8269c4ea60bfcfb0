//! The reader of JUnit XML: reports of many runners, damaged.

use crate::budget::Budget;
use crate::corpus::seeds;
use crate::mutator::Mutator;
use git_rapid::check::junit::{self, JunitReport};

/// Reports with what the corpus has too little of.
const WRITTEN: &[&str] = &[
    "<testsuite name='s' tests='2' failures='1'><testcase name='a'/><testcase name='b'><failure/></testcase></testsuite>",
    "<?xml version='1.0' encoding='UTF-8'?>\n<testsuites><testsuite name='s'><testcase classname='c' name='a' time='0.1'>\
     <system-out><![CDATA[3 passed ]]></system-out></testcase><testcase name='b'><skipped message='&lt;&#10;&gt;'/></testcase>\
     </testsuite><testsuite name='t' errors='0' skipped='0'><properties><property name='p' value='v'/></properties>\
     <testcase name='a'><rerunFailure message='m'/></testcase></testsuite></testsuites>",
    "<testsuites tests='1' failures='0' disabled='0' errors='0' timestamp='2026-01-01T00:00:00'><testsuite name='s' tests='1'>\
     <!-- x --><testcase name='&quot;a&quot;' status='run' result='completed'/></testsuite></testsuites>\n",
];

fn reports() -> Vec<Vec<u8>> {
    let all = seeds();
    let real = all.iter().filter(|seed| seed.format.as_deref() == Some("junit-xml"));
    // What is printed around a report is not part of it.
    let real = real.filter_map(|seed| {
        let at = seed.output.windows(2).position(|two| two == b"<?")?;
        Some(seed.output[at..].to_vec())
    });
    let read: Vec<Vec<u8>> = real.filter(|report| junit::read(report).is_ok()).collect();
    assert!(read.len() > 3, "{} real reports are read", read.len());
    read.into_iter().chain(WRITTEN.iter().map(|report| report.as_bytes().to_vec())).collect()
}

/// Each test case without anything in it, `<testcase …/>`: where it starts, and where its `>` is.
fn empty_cases(report: &[u8]) -> Vec<(usize, usize)> {
    let starts = (0..report.len()).filter(|at| report[*at..].starts_with(b"<testcase "));
    let end = |start: usize| {
        let length = report[start..].iter().position(|byte| *byte == b'>')?;
        Some((start, start + length))
    };
    starts.filter_map(end).filter(|(_, end)| report[end - 1] == b'/').collect()
}

fn holds(report: &[u8]) -> Result<(), String> {
    let Ok(read) = junit::read(report) else { return Ok(()) };
    let counts = read.counts();
    if junit::read(report).ok().as_ref() != Some(&read) {
        return Err("two answers".to_owned());
    }
    let mut twice: JunitReport = read.clone();
    twice.extend(read.clone());
    if twice.counts().passed != counts.passed * 2 || twice.counts().failed != counts.failed * 2 {
        return Err("two reports are not twice one".to_owned());
    }
    // A failure that is written into a case is seen, whatever else the report says.
    for (start, end) in empty_cases(report).into_iter().take(3) {
        // One that stands in a comment or in text is none: without it the tests are the same.
        let without = [&report[..start], &report[end + 1..]].concat();
        if junit::read(&without).is_ok_and(|other| other.tests == read.tests) {
            continue;
        }
        let failing = [&report[..end - 1], b"><failure/></testcase>", &report[end + 1..]].concat();
        if let Ok(failing) = junit::read(&failing)
            && failing.counts().failed == 0
        {
            return Err(format!("a failure is not seen: {:?}", failing.counts()));
        }
    }
    Ok(())
}

#[test]
fn damaged_reports() {
    let reports = reports();
    let mut budget = Budget::of("junit", 1, 3000);
    let mut mutator = Mutator::new(budget.seed());
    while budget.another() {
        let (seed, other) = (mutator.one_of(&reports).clone(), mutator.one_of(&reports).clone());
        let damaged = mutator.damage(&seed, &other);
        if let Err(why) = holds(&damaged) {
            panic!("{why}\n{}", damaged.escape_ascii());
        }
    }
}

/// A report that is cut off is no report.
#[test]
fn cut_reports() {
    for report in reports() {
        let whole = report.trim_ascii_end();
        holds(whole).unwrap();
        let step = (whole.len() / 400).max(1);
        for end in (0..whole.len()).step_by(step) {
            assert!(junit::read(&whole[..end]).is_err(), "cut at {end}: {}", whole[..end].escape_ascii());
        }
    }
}
