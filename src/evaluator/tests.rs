//! Tests of the evaluator: the tables of cells (`cells` for gates, `subjects` for the rest), scenarios of whole runs (`runs`),
//! ruleset 4's own (`fourth`, `before_after`), laws that hold for any evidence (`laws`), stored reports (`stored`).

mod before_after;
mod cells;
mod fourth;
mod laws;
mod runs;
mod stored;
mod subjects;

use super::*;

#[test]
fn the_rulesets_have_the_digests_that_are_documented() {
    let digests: Vec<String> = [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4]
        .into_iter()
        .map(|ruleset| ruleset_digest(ruleset).to_string())
        .collect();
    let pinned = [
        "97c9b10f461ffa246e5eedc360e31ffeeb7f834f4e48e7cb61fbf502d9bc5259",
        "7d5ed8fc61f015c6e0dc98f19d2e1f413d0eab85a693a4f097a7eca5cd4090c0",
        "c2e0e5d427b25ae1d771afbdef6b9f38d625aa2193a7bfe285f23270a8605445",
        "a7029b750ca34106e0a94ae56b5d5bcf9cbb71e2d1eb337dcff2dfd396a7484e",
    ];
    assert_eq!(digests, pinned, "a changed text is a changed ruleset: give it the next number instead");
}

#[test]
fn each_ruleset_has_each_rule_once() {
    for ruleset in [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4] {
        let value = ruleset_value(ruleset);
        let ids: Vec<&str> = value
            .get("rules")
            .unwrap()
            .as_list()
            .unwrap()
            .iter()
            .map(|r| r.get("id").unwrap().as_text().unwrap())
            .collect();
        assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    }
}
