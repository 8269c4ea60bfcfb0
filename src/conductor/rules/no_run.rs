//! No run is active here: write a spec and start one.

use crate::conductor::{Advice, RuleTrace, View};
use crate::domain::{
    mode::Mode,
    next_action::{Action, ActionKind, NextAction},
};

pub(in crate::conductor) const NAME: &str = "no_run";

pub(in crate::conductor) fn advice(view: &View<'_>) -> Advice {
    let mode = view.mode.unwrap_or(Mode::Feature);
    let playbook = view.playbooks.of(mode);
    let mut instructions = playbook.instructions(ActionKind::AuthorSpec).to_owned();
    if view.mode.is_none() {
        let modes: Vec<&str> = Mode::ALL.iter().map(|mode| mode.as_str()).collect();
        instructions.push_str(&format!(" Choose the mode that fits: {}.", modes.join(", ")));
    }
    let mut action = Action::new(ActionKind::AuthorSpec, instructions).after([
        "git",
        "rapid",
        "start",
        mode.as_str(),
        "--spec-file",
        "-",
    ]);
    action.spec_template = Some(playbook.spec_template.clone());
    Advice {
        missing: Vec::new(),
        action: NextAction {
            run_id: None,
            mode: view.mode,
            action,
            awaiting_human: Vec::new(),
            missing: Vec::new(),
            tasks_done: 0,
            tasks_total: 0,
            outcome: None,
        },
        because: vec![RuleTrace { rule: NAME, applies: true, saw: "no run is active here".to_owned() }],
    }
}
