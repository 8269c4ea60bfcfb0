//! `git rapid mission` through the command line, on a small real project, with stand-ins for the agents.
//!
//! [`SHOWN`] has every line of the design's own list of tests, and which tests show it.

mod documents;
mod gates;
mod kept;
mod killed;
mod landed;
mod lost;
mod outside;
mod plans;
mod signed;
mod stage;
mod whole;

/// What has to be shown, and the tests that show it: here through the command line, or in `src/mission/tests/` and `src/safety/`.
const SHOWN: &[(&str, &[&str])] = &[
    (
        "plan validation",
        &[
            "a_plan_with_faults_lists_all_of_them_and_records_nothing",
            "a_plan_in_toml_is_the_same_and_a_second_of_its_name_is_refused",
            "each_fault_has_its_name_and_its_place",
        ],
    ),
    (
        "dependency validation",
        &[
            "dependencies_and_order_are_judged_before_anything_is_recorded",
            "all_faults_are_said_at_once_and_a_circle_is_shown_as_a_path",
        ],
    ),
    (
        "runnable selection",
        &[
            "what_is_next_is_the_order_of_the_plan_and_what_its_dependencies_allow",
            "selection_takes_what_is_ready_in_the_order_of_the_plan",
            "two_packages_with_one_scope_are_not_worked_at_once",
        ],
    ),
    (
        "consistency gate",
        &["what_is_forged_late_or_of_another_role_is_not_counted", "the_gate_refuses_what_does_not_follow"],
    ),
    (
        "maker contract",
        &["a_contract_has_the_keys_of_its_role_and_no_other", "a_contract_can_be_read_without_starting_anybody"],
    ),
    (
        "checker contract",
        &[
            "a_checker_contract_is_the_same_bytes_whatever_the_maker_said",
            "a_contract_has_the_keys_of_its_role_and_no_other",
            "a_maker_puts_no_words_into_the_checks_that_a_checker_reads",
        ],
    ),
    ("checker pass", &["a_mission_without_anything_critical_completes_by_itself_in_single_steps"]),
    ("checker fail", &["a_checker_that_says_no_is_a_failure_and_a_fresh_one_judges_the_next_work"]),
    (
        "retry allowed",
        &[
            "other_failures_are_retried_three_times_then_judged_once_more_then_blocked",
            "a_maker_that_changes_nothing_ends_by_itself",
        ],
    ),
    (
        "retry denied",
        &[
            "other_failures_are_retried_three_times_then_judged_once_more_then_blocked",
            "work_outside_of_its_scope_opens_the_circuit_and_only_a_person_closes_it",
        ],
    ),
    (
        "a fourth retry is impossible",
        &[
            "other_failures_are_retried_three_times_then_judged_once_more_then_blocked",
            "a_fourth_retry_is_refused_whoever_says_it",
            "other_failures_are_repaired_three_times_and_a_fourth_cannot_be",
        ],
    ),
    (
        "an open circuit blocks the maker",
        &[
            "work_outside_of_its_scope_opens_the_circuit_and_only_a_person_closes_it",
            "an_open_circuit_blocks_every_maker_until_a_person_closes_it",
        ],
    ),
    (
        "approval gate",
        &[
            "five_packages_are_taken_to_the_end_and_a_second_clone_can_prove_it",
            "tests_that_a_maker_loses_or_rewrites_wait_for_a_person_who_may_accept_them_then",
            "what_a_person_allows_is_signed_and_a_second_clone_can_prove_it",
        ],
    ),
    (
        "risk over size",
        &["size_does_not_lower_a_risk_and_evaluate_says_what_may_be_done", "risk_beats_size_and_a_person_is_asked"],
    ),
    ("a stop where nothing is runnable", &["three_children_at_most_are_at_work"]),
    (
        "completion gate",
        &[
            "five_packages_are_taken_to_the_end_and_a_second_clone_can_prove_it",
            "a_package_that_is_done_is_worked_again_when_the_whole_is_red",
            "the_end_needs_a_green_test_and_a_review_of_the_whole",
        ],
    ),
    ("final review gate", &["a_final_review_that_says_no_escalates_and_a_person_lets_it_go_on"]),
    (
        "an idempotent work package",
        &["an_outside_agent_takes_a_mission_to_its_end", "a_child_counts_once_and_a_done_package_is_never_made_again"],
    ),
    (
        "restart and resume",
        &[
            "killed_after_every_event_the_whole_mission_comes_to_the_same_end",
            "killed_beside_the_ledger_a_mission_comes_to_the_same_end",
            "a_child_that_outlives_its_killed_orchestrator_is_ended_and_recorded",
        ],
    ),
    (
        "child failure",
        &[
            "an_answer_without_its_line_or_from_a_program_that_fails_is_a_failed_child",
            "a_program_that_is_not_there_is_charged_to_nobody",
        ],
    ),
    ("reason codes", &["every_step_says_a_decision_and_its_reason"]),
    ("secret-safe logs", &["a_secret_in_what_a_maker_writes_or_says_is_nowhere_afterwards"]),
    (
        "`run` ends for every plan and every sequence of answers",
        &["run_ends_within_the_bound_and_the_events_give_the_same_state_again"],
    ),
    (
        "nothing is done without a green check on the final tree",
        &[
            "no_events_reach_done_without_a_green_check_and_a_pass_on_the_final_tree",
            "shuffled_and_repeated_events_never_make_a_state_that_was_not_earned",
        ],
    ),
    (
        "a replay of the events gives the same state",
        &["run_ends_within_the_bound_and_the_events_give_the_same_state_again"],
    ),
];

#[test]
fn everything_that_has_to_be_shown_is_shown_by_a_test_that_there_is() {
    let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for directory in ["tests/it/missions", "src/mission/tests"] {
        for file in std::fs::read_dir(top.join(directory)).unwrap().flatten() {
            sources.push_str(&std::fs::read_to_string(file.path()).unwrap());
        }
    }
    for (what, tests) in SHOWN {
        assert!(!tests.is_empty(), "{what}");
        for test in *tests {
            assert!(
                sources.contains(&format!("#[test]\n    fn {test}("))
                    || sources.contains(&format!("#[test]\nfn {test}(")),
                "{what}: there is no test '{test}'"
            );
        }
    }
}
