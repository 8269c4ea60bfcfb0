//! Playbooks: the spec template and the texts of one mode. Data, read strictly; a repository may bring its own.
//!
//! What a text is said for, the rules decide. The built-in ones are `templates/modes/*.json`.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    json::{self, Fields, Value},
    mode::Mode,
    next_action::ActionKind,
    spec::SpecDraft,
    text::plain_text,
};
use std::collections::BTreeMap;

/// The playbook of one mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playbook {
    /// Which.
    pub mode: Mode,
    /// A spec file to start from: valid as it is, every member to be replaced.
    pub spec_template: Value,
    instructions: BTreeMap<ActionKind, String>,
}

impl Playbook {
    /// Reads a playbook; whatever is malformed, missing or unknown is RAPID109.
    pub fn parse(bytes: &[u8]) -> Result<Playbook> {
        let code = Code::Rapid109;
        let value = json::parse(bytes).map_err(|fault| code.because(format!("the playbook is no JSON: {fault}")))?;
        let mut fields = Fields::of(value, code, "the playbook")?;
        fields.version()?;
        let mode = Mode::parse(&fields.text("mode")?, code)?;
        let spec_template = fields.required("spec_template")?;
        SpecDraft::from_authoring(spec_template.clone(), Some(mode)).map_err(|fault| Diagnostic {
            code,
            message: format!("the playbook's spec_template is no spec file: {}", fault.message),
            ..fault
        })?;
        let mut texts = Fields::of(fields.required("instructions")?, code, "the playbook's instructions")?;
        let mut instructions = BTreeMap::new();
        for &kind in ActionKind::ALL {
            let text = plain_text(texts.text(kind.as_str())?.trim(), code, "an instruction")?;
            if text.is_empty() {
                return Err(texts.fault(format_args!("'{kind}' says nothing")));
            }
            instructions.insert(kind, text);
        }
        texts.end()?;
        fields.end()?;
        Ok(Playbook { mode, spec_template, instructions })
    }

    /// What to say with an action of this kind.
    pub fn instructions(&self, kind: ActionKind) -> &str {
        self.instructions.get(&kind).map_or(kind.as_str(), String::as_str)
    }

    /// A playbook that says nothing, for a mode whose own cannot be read.
    fn silent(mode: Mode) -> Playbook {
        Playbook { mode, spec_template: Value::Null, instructions: BTreeMap::new() }
    }
}

/// A playbook for each mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playbooks {
    feature: Playbook,
    bugfix: Playbook,
    refactor: Playbook,
    hardening: Playbook,
    research: Playbook,
}

impl Playbooks {
    /// The bytes of the built-in playbook of a mode.
    pub fn built_in_bytes(mode: Mode) -> &'static [u8] {
        match mode {
            Mode::Feature => include_bytes!("../../templates/modes/feature.json"),
            Mode::Bugfix => include_bytes!("../../templates/modes/bugfix.json"),
            Mode::Refactor => include_bytes!("../../templates/modes/refactor.json"),
            Mode::Hardening => include_bytes!("../../templates/modes/hardening.json"),
            Mode::Research => include_bytes!("../../templates/modes/research.json"),
        }
    }

    /// The built-in ones.
    pub fn built_in() -> Playbooks {
        // That each of them can be read is tested; a broken one would only be silent.
        let of = |mode| Playbook::parse(Playbooks::built_in_bytes(mode)).unwrap_or_else(|_| Playbook::silent(mode));
        Playbooks {
            feature: of(Mode::Feature),
            bugfix: of(Mode::Bugfix),
            refactor: of(Mode::Refactor),
            hardening: of(Mode::Hardening),
            research: of(Mode::Research),
        }
    }

    /// These with another one in the place of its mode's.
    pub fn with(mut self, playbook: Playbook) -> Playbooks {
        let place = match playbook.mode {
            Mode::Feature => &mut self.feature,
            Mode::Bugfix => &mut self.bugfix,
            Mode::Refactor => &mut self.refactor,
            Mode::Hardening => &mut self.hardening,
            Mode::Research => &mut self.research,
        };
        *place = playbook;
        self
    }

    /// The one of a mode.
    pub fn of(&self, mode: Mode) -> &Playbook {
        match mode {
            Mode::Feature => &self.feature,
            Mode::Bugfix => &self.bugfix,
            Mode::Refactor => &self.refactor,
            Mode::Hardening => &self.hardening,
            Mode::Research => &self.research,
        }
    }
}
