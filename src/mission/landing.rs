//! How a person takes in what a mission made: the merge of its branch, inside a governed run of their own. The runs of a mission
//! are closed by it and decided by nobody, so they cover no commit.
//!
//! Not here: whether it is done (`state`), and anything that a merge does.

use super::state::Mission;
use crate::domain::harmless::harmless;
use crate::domain::typed::typed;

/// How much of an objective becomes a title, in characters.
const TITLE: usize = 80;

/// The commands, in their order.
pub fn landing(mission: &Mission) -> Vec<String> {
    let objective = mission.objective().lines().next().unwrap_or_default();
    let objective: String = harmless(objective).chars().filter(|c| !c.is_control()).take(TITLE).collect();
    let title = format!("Land {}", objective.trim());
    vec![
        format!("git rapid start feature --title {} --task 'Merge it'", typed(&[&title])),
        "git rapid task start T001".to_owned(),
        format!("git merge --no-ff --no-commit rapid/mission/{}", mission.id()),
        "git rapid task done T001".to_owned(),
        "git rapid approve gate.final-verification".to_owned(),
        "git rapid finish".to_owned(),
        "git commit --no-edit".to_owned(),
        "git rapid verify --commit HEAD --require-pass".to_owned(),
    ]
}
