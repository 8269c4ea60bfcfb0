//! Every code is raised by a test, or is reserved for a reason: the table says which, and is held against the sources.

use git_rapid::diagnostics::Code;
use std::collections::BTreeSet;
use std::path::Path;

/// A code and the test that raises it, as a file below `tests/it` and a function in it.
const RAISED: &[(&str, &str)] = &[
    ("RAPID001", "rules/policy.rs::overrides_raise_and_never_lower"),
    ("RAPID002", "ledger/wrong_input.rs::a_run_that_cannot_be_opened_says_why"),
    ("RAPID004", "rules/session.rs::an_interrupted_check_records_nothing"),
    ("RAPID109", "rules/session.rs::a_playbook_of_the_repository_is_checked_before_it_is_used"),
    ("RAPID801", "rules/specs.rs::a_history_of_a_spec_that_cannot_have_been_is_found"),
    ("RAPID802", "rules/specs.rs::a_revision_that_is_missing_or_rewritten_is_found"),
    ("RAPID803", "rules/specs.rs::a_revision_that_is_missing_or_rewritten_is_found"),
    ("RAPID804", "rules/tampering.rs::a_contract_and_a_spec_that_were_rewritten_are_found"),
    ("RAPID805", "rules/specs.rs::only_a_spec_that_is_ready_opens_a_run"),
    ("RAPID806", "rules/specs.rs::an_id_is_taken_once_and_has_a_grammar"),
    ("RAPID807", "rules/specs.rs::an_id_is_taken_once_and_has_a_grammar"),
    ("RAPID1001", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1002", "rules/tampering.rs::a_contract_and_a_spec_that_were_rewritten_are_found"),
    ("RAPID1003", "rules/specs.rs::only_a_spec_that_is_ready_opens_a_run"),
    ("RAPID1005", "rules/policy.rs::a_policy_that_is_malformed_never_falls_back_to_the_built_in_one"),
    ("RAPID1006", "rules/policy.rs::overrides_raise_and_never_lower"),
    ("RAPID1007", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1009", "rules/refusals.rs::a_run_that_is_over_takes_no_more_checks_and_no_more_files"),
    ("RAPID1010", "rules/session.rs::what_is_attached_is_a_file_of_reasonable_size"),
    ("RAPID1011", "rules/tampering.rs::a_state_of_the_future_is_found_and_nothing_is_written_after_it"),
    ("RAPID1012", "rules/tampering.rs::an_altered_first_state_is_found"),
    ("RAPID1013", "rules/people.rs::a_waiver_needs_a_reason_and_a_gate_that_may_be_waived"),
    ("RAPID1014", "rules/policy.rs::a_configuration_tightens_the_policy"),
    ("RAPID1101", "rules/refusals.rs::capabilities_can_be_asked_for_and_only_those_there_are"),
    ("RAPID1104", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1201", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1202", "rules/tampering.rs::an_edited_summary_breaks_the_records_digest"),
    ("RAPID1203", "rules/tampering.rs::evidence_copied_to_another_run_is_found"),
    ("RAPID1204", "rules/refusals.rs::artifacts_that_are_unsafe_missing_linked_or_named_twice_are_refused"),
    ("RAPID1205", "rules/refusals.rs::artifacts_that_are_unsafe_missing_linked_or_named_twice_are_refused"),
    ("RAPID1206", "rules/refusals.rs::payloads_are_closed_and_kinds_are_nine"),
    ("RAPID1207", "rules/refusals.rs::evidence_speaks_only_of_what_the_run_has"),
    ("RAPID1208", "rules/tampering.rs::a_gap_in_the_evidence_is_found"),
    ("RAPID1210", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1211", "rules/refusals.rs::artifacts_that_are_unsafe_missing_linked_or_named_twice_are_refused"),
    ("RAPID1221", "rules/tampering.rs::a_report_whose_digest_does_not_hold_is_found"),
    ("RAPID1222", "rules/tampering.rs::a_report_whose_digest_does_not_hold_is_found"),
    ("RAPID1223", "rules/tampering.rs::a_forged_report_does_not_replay"),
    ("RAPID1225", "rules/acceptance.rs::declared_and_unproven_is_unverified"),
    ("RAPID1226", "rules/acceptance.rs::contradicted_is_fail_although_the_suite_ended_with_0"),
    ("RAPID1227", "rules/acceptance.rs::a_report_is_stale_when_its_run_went_on_and_can_still_be_read"),
    ("RAPID1228", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1300", "rules/session.rs::one_run_at_a_time_is_active_in_a_working_copy"),
    ("RAPID1301", "rules/session.rs::one_run_at_a_time_is_active_in_a_working_copy"),
    ("RAPID1302", "rules/session.rs::without_a_test_command_a_check_asks_for_one"),
    ("RAPID1303", "rules/specs.rs::a_spec_file_that_cannot_be_understood_writes_nothing"),
    ("RAPID1304", "rules/session.rs::a_session_that_cannot_be_read_is_found"),
    ("RAPID1305", "rules/session.rs::a_session_that_disagrees_with_its_run_is_found"),
    ("RAPID1306", "rules/session.rs::nothing_that_needs_a_working_copy_or_a_repository_begins_without_one"),
    ("RAPID1307", "rules/session.rs::without_a_test_command_a_check_asks_for_one"),
    ("RAPID1308", "rules/policy.rs::the_terms_are_what_is_committed_and_not_what_the_working_copy_says"),
    ("RAPID1309", "rules/session.rs::a_worktree_is_made_only_where_nothing_lies_and_from_a_commit"),
    ("RAPID1310", "rules/people.rs::another_test_command_waits_for_a_person_who_accepts_it"),
    ("RAPID1311", "rules/people.rs::a_machine_gate_is_nobodys_to_approve_and_a_gate_is_not_decided_before_its_time"),
    ("RAPID1312", "rules/session.rs::what_is_attached_is_a_file_of_reasonable_size"),
    ("RAPID1320", "labs/bugfix.rs::an_expected_failure_without_a_task_is_refused_and_records_nothing"),
    ("RAPID1321", "rules/session.rs::the_report_of_the_test_command_is_where_the_terms_say"),
    ("RAPID1420", "arch/check.rs::what_breaks_the_rules_is_named_with_its_line_wherever_it_stands"),
    ("RAPID1421", "arch/check.rs::rules_that_are_missing_or_malformed_end_with_2"),
    ("RAPID1430", "rules/refusals.rs::nobody_speaks_as_the_tool_or_as_a_person"),
    ("RAPID1431", "rules/refusals.rs::nobody_speaks_as_the_tool_or_as_a_person"),
    ("RAPID1432", "rules/refusals.rs::the_test_evidence_of_others_does_not_qualify_under_ruleset_3"),
    (
        "RAPID1433",
        "rules/people.rs::code_that_changed_after_the_approval_is_not_finished_until_it_is_checked_and_approved_again",
    ),
    ("RAPID1434", "rules/people.rs::code_that_changed_after_the_check_is_not_approved"),
    ("RAPID1435", "rules/people.rs::another_test_command_waits_for_a_person_who_accepts_it"),
    ("RAPID1440", "signed/approving.rs::a_run_that_asks_for_signatures_takes_no_unsigned_approval"),
    ("RAPID1441", "signed/forged.rs::a_signature_whose_bytes_were_changed_does_not_hold"),
    ("RAPID1442", "signed/approving.rs::keys_that_do_not_count_approve_nothing"),
    ("RAPID1443", "signed/approving.rs::keys_that_do_not_count_approve_nothing"),
    ("RAPID1444", "signed/openpgp.rs::without_gpg_nobody_can_say"),
    ("RAPID1445", "signed/approving.rs::without_a_key_or_with_a_program_that_signs_something_else_nothing_is_recorded"),
    ("RAPID1446", "signed/approving.rs::lists_that_let_nobody_in_or_are_not_understood_begin_no_run"),
    ("RAPID1447", "signed/several.rs::two_people_have_to_approve_and_neither_is_the_author"),
    ("RAPID1448", "signed/again.rs::tests_that_in_truth_fail_are_reported"),
    ("RAPID1449", "signed/again.rs::only_what_is_whole_can_be_run_again"),
    ("RAPID1500", "rules/session.rs::nothing_that_needs_a_working_copy_or_a_repository_begins_without_one"),
    ("RAPID1501", "ledger/hostile_places.rs::a_repository_of_somebody_else_is_refused_as_git_refuses_it"),
    ("RAPID1502", "ledger/formats.rs::an_unknown_extension_is_refused_and_nothing_is_written"),
    ("RAPID1503", "rules/session.rs::where_git_itself_is_missing_that_is_said"),
    ("RAPID1504", "ledger/hostile_places.rs::what_stands_in_the_way_of_the_lock_file_is_named"),
    ("RAPID1505", "ledger/odd_commits.rs::an_entry_whose_parent_is_no_commit_is_found"),
    ("RAPID1506", "ledger/wrong_input.rs::an_open_run_refuses_what_does_not_fit"),
    ("RAPID1507", "snapshot/rules.rs::a_clean_filter_that_fails"),
    ("RAPID1510", "rules/session.rs::one_run_at_a_time_is_active_in_a_working_copy"),
    ("RAPID1511", "ledger/refs.rs::a_ref_that_holds_no_id_names_its_file"),
    ("RAPID1512", "ledger/locks.rs::a_stale_lock_of_the_ledger_is_named_with_its_file_and_age_and_reading_goes_on"),
    ("RAPID1515", "ledger/odd_trees.rs::a_path_deeper_than_any_ledger_is_found"),
    ("RAPID1516", "ledger/odd_commits.rs::anything_that_the_grammar_does_not_know_is_found"),
    ("RAPID1517", "ledger/refs.rs::a_forged_commit_graph_is_not_read"),
    ("RAPID1518", "ledger/mutation.rs::a_damaged_object_file_is_found_by_name"),
    ("RAPID1519", "ledger/refs.rs::a_ledger_that_is_cut_off_is_not_proven"),
    ("RAPID1520", "plumbing/readers.rs::everything_in_a_clone_is_validated"),
    ("RAPID1521", "ledger/entries.rs::a_path_that_no_record_has_is_found"),
    ("RAPID1522", "ledger/entries.rs::a_merge_is_exactly_the_union_of_its_parents"),
    ("RAPID1523", "ledger/refs.rs::grafts_do_not_move_the_verdict_and_are_mentioned"),
    ("RAPID1524", "ledger/entries.rs::a_ledger_that_begins_elsewhere_is_found"),
    ("RAPID1525", "ledger/forgery.rs::a_record_larger_than_any_record_is_not_read"),
    ("RAPID1530", "ledger/changed_code.rs::a_commit_of_other_code_is_not_covered"),
    ("RAPID1531", "ledger/wrong_input.rs::an_open_run_refuses_what_does_not_fit"),
    ("RAPID1533", "ledger/clones.rs::a_server_that_refuses_the_ledger_is_quoted_and_branches_are_not_affected"),
    ("RAPID1534", "ledger/clones.rs::one_path_with_two_records_diverges_and_nothing_is_overwritten"),
    ("RAPID1535", "ledger/clones.rs::a_plain_git_fetch_in_between_does_not_hide_a_rewind"),
    ("RAPID1536", "ledger/entries.rs::entries_run_together_into_one_are_not_the_expected_history"),
    ("RAPID1540", "rules/refusals.rs::what_is_not_there_is_said_so"),
    ("RAPID1550", "sync/forged_decisions.rs::an_entry_that_is_no_merge_may_not_decide"),
    ("RAPID1551", "sync/decisions.rs::where_nothing_diverged_there_is_nothing_to_decide"),
    ("RAPID1552", "sync/forged_decisions.rs::the_decision_itself_is_proven"),
    ("RAPID1553", "sync/kept.rs::verify_says_that_a_remote_was_rolled_back_after_a_plain_git_fetch"),
    ("RAPID1554", "sync/places.rs::a_forge_that_takes_branches_only_is_given_one"),
    ("RAPID1555", "sync/expunge.rs::a_record_that_takes_away_what_was_never_recorded_is_a_fault"),
    ("RAPID1556", "sync/expunge.rs::what_is_not_there_or_is_gone_already_is_said_so_and_nobody_else_is_asked"),
    ("RAPID1557", "sync/expunge.rs::a_server_that_replaces_nothing_is_named"),
    ("RAPID1570", "ledger/sandbox.rs::the_loop_goes_on_in_a_sandbox_and_is_folded_in_afterwards"),
    ("RAPID1571", "ledger/sandbox.rs::what_was_changed_in_the_spool_is_refused_and_set_aside"),
    ("RAPID1572", "ledger/sandbox.rs::a_person_decides_outside"),
    ("RAPID1573", "ledger/sandbox.rs::what_was_decided_on_something_else_is_not_folded_in"),
    ("RAPID1574", "ledger/sandbox.rs::a_full_spool_says_so"),
    ("RAPID1575", "ledger/sandbox.rs::a_mark_that_was_forged_is_found"),
    ("RAPID1600", "rules/session.rs::a_configuration_with_an_unknown_key_or_a_wrong_type_opens_no_run"),
    ("RAPID1601", "rules/session.rs::a_configuration_with_an_unknown_key_or_a_wrong_type_opens_no_run"),
    ("RAPID1610", "hooks/push.rs::code_that_no_run_covers_is_refused_with_what_is_missing_and_the_way_past"),
    ("RAPID1611", "hooks/push.rs::a_warning_is_said_and_the_code_goes"),
    ("RAPID1612", "hooks/rewind.rs::a_rewind_and_a_deletion_are_refused_loose_and_packed"),
    ("RAPID1613", "hooks/server.rs::a_push_does_not_change_the_rules_that_it_is_judged_by"),
    ("RAPID1614", "hooks/push.rs::what_git_never_gives_is_an_error_of_its_own"),
    ("RAPID1615", "hooks/places.rs::hooks_that_belong_to_every_repository_are_left_alone"),
    ("RAPID1616", "hooks/push.rs::the_ledger_goes_first_where_it_is_asked_for"),
    ("RAPID1630", "harnesses/install.rs::nothing_of_somebody_else_is_replaced"),
    ("RAPID1631", "harnesses/install.rs::nothing_of_somebody_else_is_replaced"),
    ("RAPID1632", "harnesses/install.rs::nothing_of_somebody_else_is_replaced"),
    ("RAPID1633", "harnesses/guard.rs::what_cannot_be_read_is_refused_before_a_tool_and_nowhere_else"),
    ("RAPID1634", "harnesses/guard.rs::each_way_round_is_refused_or_found_or_comes_to_nothing"),
    ("RAPID1635", "harnesses/guard.rs::each_way_round_is_refused_or_found_or_comes_to_nothing"),
    ("RAPID1636", "harnesses/events.rs::an_agent_is_sent_back_while_next_says_otherwise_and_not_for_ever"),
    ("RAPID1637", "harnesses/mcp.rs::a_client_that_speaks_something_else_ends_it"),
    ("RAPID1700", "stories/refusals.rs::what_cannot_run_says_why_and_ends_with_1"),
    ("RAPID1701", "stories/refusals.rs::what_cannot_run_says_why_and_ends_with_1"),
    ("RAPID1702", "stories/refusals.rs::what_cannot_run_says_why_and_ends_with_1"),
    ("RAPID1703", "stories/refusals.rs::what_cannot_run_says_why_and_ends_with_1"),
    ("RAPID1704", "stories/refusals.rs::what_cannot_run_says_why_and_ends_with_1"),
    ("RAPID1720", "stories/crashes.rs::a_record_that_was_altered_or_moved_is_found"),
    ("RAPID1721", "stories/crashes.rs::a_record_that_was_altered_or_moved_is_found"),
    ("RAPID1722", "stories/crashes.rs::a_name_that_the_ledger_cannot_hold_and_a_damaged_note_are_refused"),
    ("RAPID1723", "stories/crashes.rs::a_second_start_is_refused_and_says_who_works"),
    ("RAPID1724", "stories/crashes.rs::what_cannot_be_put_back_stops_the_run_and_is_put_back_by_the_next_start"),
    ("RAPID1725", "stories/crashes.rs::a_name_that_the_ledger_cannot_hold_and_a_damaged_note_are_refused"),
    ("RAPID1726", "stories/background.rs::it_is_started_followed_and_ended_and_nobody_is_left"),
    ("RAPID1727", "stories/background.rs::one_that_cannot_begin_says_so"),
    ("RAPID1750", "exports/files.rs::a_ledger_that_is_disproved_is_not_exported"),
    ("RAPID1751", "exports/bundles.rs::an_altered_bundle_is_refused"),
    ("RAPID1752", "exports/attested.rs::what_failed_is_said_to_have_failed_and_what_proves_nothing_is_not_said"),
    ("RAPID1753", "exports/files.rs::a_file_that_is_no_former_export_stays"),
    ("RAPID1754", "exports/bundles.rs::a_clone_with_holes_makes_no_bundle"),
    ("RAPID1850", "stories/groom.rs::what_cannot_be_groomed_leaves_everything_as_it_was"),
    ("RAPID1851", "stories/groom.rs::what_cannot_be_groomed_leaves_everything_as_it_was"),
    ("RAPID1852", "stories/groom.rs::what_cannot_be_groomed_leaves_everything_as_it_was"),
    ("RAPID1853", "stories/published.rs::a_branch_that_is_checked_out_is_left_alone"),
    ("RAPID1900", "missions/plans.rs::a_plan_with_faults_lists_all_of_them_and_records_nothing"),
    ("RAPID1901", "missions/outside.rs::what_is_forged_late_or_of_another_role_is_not_counted"),
    ("RAPID1902", "missions/killed.rs::a_record_that_was_altered_or_moved_is_found"),
    ("RAPID1903", "missions/killed.rs::a_record_that_was_altered_or_moved_is_found"),
    ("RAPID1910", "missions/gates.rs::nobody_plays_a_role_that_nobody_was_named_for"),
    ("RAPID1911", "missions/plans.rs::a_plan_in_toml_is_the_same_and_a_second_of_its_name_is_refused"),
    ("RAPID1912", "missions/killed.rs::a_child_that_outlives_its_killed_orchestrator_is_ended_and_recorded"),
    ("RAPID1913", "missions/gates.rs::nobody_plays_a_role_that_nobody_was_named_for"),
    ("RAPID1914", "missions/gates.rs::a_branch_that_somebody_moved_stops_everything"),
    ("RAPID1920", "missions/outside.rs::what_is_forged_late_or_of_another_role_is_not_counted"),
    ("RAPID1923", "missions/outside.rs::what_is_forged_late_or_of_another_role_is_not_counted"),
    ("RAPID1930", "missions/whole.rs::five_packages_are_taken_to_the_end_and_a_second_clone_can_prove_it"),
];

/// A code that no command can be made to raise, and why.
const RESERVED: &[(&str, &str)] = &[
    ("RAPID003", "a rule of the program itself was broken: a defect, which no test can order"),
    ("RAPID1513", "sixty-four lost races in a row: no test can order them"),
    ("RAPID1514", "ids are given away inside the append, so no command asks for a path that is taken"),
    ("RAPID1526", "changed material is named by its record: RAPID1205"),
    ("RAPID1532", "a remote without a ledger is nothing to fetch, and no fault"),
];

#[test]
fn every_code_is_raised_by_a_test_or_reserved_for_a_reason() {
    let listed: Vec<&str> = RAISED.iter().chain(RESERVED).map(|(code, _)| *code).collect();
    let once: BTreeSet<&str> = listed.iter().copied().collect();
    assert_eq!(once.len(), listed.len(), "no code is listed twice");
    let all: BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    let forgotten: Vec<_> = all.difference(&once).collect();
    assert!(forgotten.is_empty(), "no test raises these, and they are not reserved: {forgotten:?}");
    let unknown: Vec<_> = once.difference(&all).collect();
    assert!(unknown.is_empty(), "these are no codes: {unknown:?}");
    assert!(RESERVED.iter().all(|(_, reason)| reason.len() > 10), "each reserved code has a reason");
}

#[test]
fn every_test_that_is_named_is_there_and_speaks_of_its_code() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut wrong = Vec::new();
    for (code, test) in RAISED {
        let (file, name) = test.split_once("::").unwrap();
        let text = std::fs::read_to_string(top.join(file)).unwrap_or_default();
        let variant = code.replace("RAPID", "Rapid");
        let is_test = text.contains(&format!("#[test]\nfn {name}() {{"));
        if !is_test || !(text.contains(*code) || text.contains(&variant)) {
            wrong.push(*test);
        }
    }
    assert!(wrong.is_empty(), "these tests are not there, or do not name their code: {wrong:?}");
}
