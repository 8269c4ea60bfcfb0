//! Tests of the evaluator: the table of cells (`cells`), scenarios of whole runs (`runs`), ruleset 4's own (`fourth`), laws
//! that hold for any evidence (`laws`), stored reports (`stored`).

mod cells;
mod fourth;
mod laws;
mod runs;
mod stored;

use super::*;

#[test]
fn the_rulesets_have_the_digests_that_are_documented() {
    let digests: Vec<String> = [Ruleset::V1, Ruleset::V2, Ruleset::V3, Ruleset::V4]
        .into_iter()
        .map(|ruleset| ruleset_digest(ruleset).to_string())
        .collect();
    assert_eq!(digests, ["", "", "", ""]);
}
