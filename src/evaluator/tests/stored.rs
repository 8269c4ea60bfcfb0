//! Reports that were stored: true ones replay, forged ones do not, old ones are stale.

use crate::diagnostics::Code;
use crate::domain::{
    contract::Ruleset,
    digest::Digest,
    evidence::Evidence,
    json,
    report::{Report, Status},
};
use crate::evaluator::{
    evaluate,
    fixture::{Run, tested},
    replay, staleness,
};

fn replayed(run: &Run, report: &Report) -> Result<(), Code> {
    replay(report, &run.contract, &run.states, &run.evidence, &run.signed).map_err(|fault| fault.code)
}

#[test]
fn every_report_on_the_way_replays_and_also_after_its_record_was_written_and_read() {
    for ruleset in [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        let mut run = Run::worked(ruleset);
        run.finish('b');
        for state in &run.states {
            for known in 0..=run.evidence.len() {
                let evidence = &run.evidence[..known];
                if evidence.iter().any(|item| item.state_revision > state.revision) {
                    continue;
                }
                let input = crate::evaluator::Input::new(&run.contract, state, evidence);
                let report = evaluate(&input).unwrap();
                assert_eq!(replayed(&run, &report), Ok(()));
                let bytes = report.to_value().record_bytes();
                let read = Report::from_value(json::parse(&bytes).unwrap()).unwrap();
                assert_eq!(read, report);
            }
        }
    }
}

#[test]
fn a_report_by_another_ruleset_replays_by_that_one() {
    let mut run = Run::worked(Ruleset::V4);
    run.finish('b');
    let extra = [crate::domain::capability::Capability::ShellExecute];
    let report = evaluate(&run.input().by(Ruleset::V2).requiring(&extra)).unwrap();
    assert_eq!(replayed(&run, &report), Ok(()));
}

#[test]
fn forged_reports_are_found() {
    let mut run = Run::worked(Ruleset::V4);
    run.check(tested('b', 3, 1), "tests");
    run.finish('b');
    let truth = run.report();
    assert_eq!(replayed(&run, &truth), Ok(()));
    let forge = |change: &dyn Fn(&mut Report)| {
        let mut forged = truth.clone();
        change(&mut forged);
        replayed(&run, &forged)
    };
    let untrue = Err(Code::Rapid1223);
    assert_eq!(forge(&|r| r.assertions.truncate(1)), untrue);
    assert_eq!(forge(&|r| r.assertions.iter_mut().for_each(|a| a.status = Status::Pass)), untrue);
    assert_eq!(forge(&|r| r.assertions[1].reason.push('!')), untrue);
    assert_eq!(forge(&|r| r.assertions[1].required = false), untrue);
    assert_eq!(forge(&|r| r.tree = None), untrue);
    assert_eq!(forge(&|r| r.ruleset = Ruleset::V2), untrue);
    assert_eq!(forge(&|r| r.ruleset_digest = Digest::of(b"x")), untrue);
    assert_eq!(forge(&|r| r.state_revision = 1), untrue);
    assert_eq!(forge(&|r| r.state_revision = 99), untrue);
    assert_eq!(forge(&|r| r.state_digest = Digest::of(b"x")), untrue);
    assert_eq!(forge(&|r| r.contract_digest = Digest::of(b"x")), untrue);
    assert_eq!(forge(&|r| r.evidence_set_digest = Digest::of(b"x")), untrue);
    assert_eq!(forge(&|r| r.extra_capability_ids.push(crate::domain::capability::Capability::GitInspect)), untrue);
    // Leaving out the red item in the middle leaves no beginning of the list.
    let chosen: Vec<Evidence> = run.evidence.iter().filter(|item| !item.payload.fails()).cloned().collect();
    let digest = Evidence::set_digest(&run.contract.run_id, &chosen);
    assert_eq!(forge(&|r| r.evidence_set_digest = digest), untrue);
}

#[test]
fn a_report_is_stale_when_state_evidence_or_rules_went_on() {
    let mut run = Run::worked(Ruleset::V3);
    let report = run.report();
    let stale =
        |run: &Run, report: &Report| staleness(report, &run.contract, run.state(), &run.evidence).map(|d| d.code);
    assert_eq!(stale(&run, &report), None);
    let by_another = evaluate(&run.input().by(Ruleset::V2)).unwrap();
    assert_eq!(stale(&run, &by_another), Some(Code::Rapid1227));
    run.check(tested('b', 5, 0), "");
    assert_eq!(stale(&run, &report), Some(Code::Rapid1227));
    let report = run.report();
    run.acknowledge("tests");
    assert_eq!(stale(&run, &report), Some(Code::Rapid1227));
    assert_eq!(replayed(&run, &report), Ok(()), "stale is not false");
}

#[test]
fn the_set_digest_is_that_of_the_known_vectors() {
    let run = Run::worked(Ruleset::V3);
    let digest = Evidence::set_digest(&run.contract.run_id, &[]);
    assert_eq!(digest.to_string(), "9bc325015c8a22b881ec30a5e9cb65d2560aba3402bf3c98b376aff4b1759027");
    for known in 0..=run.evidence.len() {
        let wanted = Evidence::set_digest(&run.contract.run_id, &run.evidence[..known]);
        let found = Evidence::prefix_with_digest(&run.contract.run_id, &run.evidence, wanted).unwrap();
        assert_eq!(found.len(), known);
    }
    assert_eq!(Evidence::prefix_with_digest(&run.contract.run_id, &run.evidence, Digest::of(b"x")), None);
}
