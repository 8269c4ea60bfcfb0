//! Playbooks: the built-in ones are whole, broken ones are refused, a repository may bring its own.

use crate::conductor::{Playbook, Playbooks, View, next};
use crate::diagnostics::Code;
use crate::domain::{
    json::{self, Value},
    mode::Mode,
    next_action::ActionKind,
};

fn value(mode: Mode) -> Value {
    json::parse(Playbooks::built_in_bytes(mode)).unwrap()
}

#[test]
fn every_mode_has_a_playbook_with_a_text_for_every_kind_of_action() {
    for &mode in Mode::ALL {
        let read = Playbook::parse(Playbooks::built_in_bytes(mode)).unwrap();
        assert_eq!(read.mode, mode);
        assert_eq!(Playbooks::built_in().of(mode), &read);
        for &kind in ActionKind::ALL {
            assert!(read.instructions(kind).ends_with('.'), "{mode} {kind}");
        }
    }
}

#[test]
fn what_is_malformed_missing_or_unknown_is_refused() {
    let code = |value: Value| Playbook::parse(value.canonical().as_bytes()).unwrap_err().code;
    let whole = value(Mode::Feature);
    assert_eq!(Playbook::parse(b"{").unwrap_err().code, Code::Rapid109);
    assert_eq!(Playbook::parse(b"\xff").unwrap_err().code, Code::Rapid109);
    assert_eq!(code(Value::Null), Code::Rapid109);
    for key in ["schema_version", "mode", "spec_template", "instructions"] {
        assert_eq!(code(whole.clone().without(key)), Code::Rapid109, "{key}");
    }
    assert_eq!(code(whole.clone().with("colour", "red")), Code::Rapid109);
    assert_eq!(code(whole.clone().with("schema_version", 2)), Code::Rapid109);
    assert_eq!(code(whole.clone().with("mode", "haste")), Code::Rapid109);
    let template = whole.get("spec_template").unwrap().clone();
    assert_eq!(code(whole.clone().with("spec_template", template.clone().with("colour", "red"))), Code::Rapid109);
    assert_eq!(code(whole.clone().with("spec_template", template.with("mode", "bugfix"))), Code::Rapid109);
    let texts = whole.get("instructions").unwrap().clone();
    assert_eq!(code(whole.clone().with("instructions", texts.clone().without("verify"))), Code::Rapid109);
    assert_eq!(code(whole.clone().with("instructions", texts.clone().with("verify", " "))), Code::Rapid109);
    assert_eq!(code(whole.with("instructions", texts.with("dance", "Dance."))), Code::Rapid109);
}

#[test]
fn without_a_run_a_spec_is_to_be_written() {
    let playbooks = Playbooks::built_in();
    for mode in [None, Some(Mode::Bugfix), Some(Mode::Research)] {
        let advice = next(&View { run: None, mode, playbooks: &playbooks });
        let action = advice.action.action;
        assert_eq!(action.kind, ActionKind::AuthorSpec);
        assert_eq!(action.spec_template.as_ref(), Some(&playbooks.of(mode.unwrap_or(Mode::Feature)).spec_template));
        let after = action.after.unwrap().join(" ");
        assert_eq!(after, format!("git rapid start {} --spec-file -", mode.unwrap_or(Mode::Feature)));
        assert_eq!(
            action.instructions.contains("hardening"),
            mode.is_none(),
            "all modes are named when none is asked for"
        );
        assert_eq!(advice.action.run_id, None);
    }
}

#[test]
fn a_repository_may_bring_its_own() {
    let texts = value(Mode::Refactor).get("instructions").unwrap().clone().with("author_spec", "Ask Ada first.");
    let own = Playbook::parse(value(Mode::Refactor).with("instructions", texts).canonical().as_bytes()).unwrap();
    let playbooks = Playbooks::built_in().with(own);
    let advice = next(&View { run: None, mode: Some(Mode::Refactor), playbooks: &playbooks });
    assert_eq!(advice.action.action.instructions, "Ask Ada first.");
    assert_eq!(playbooks.of(Mode::Feature), Playbooks::built_in().of(Mode::Feature));
}
