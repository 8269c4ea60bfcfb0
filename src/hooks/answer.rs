//! What a hook has to say to whoever started git: remarks, warnings, refusals. One refusal is enough to stop git.

use crate::diagnostics::{Class, Diagnostic};

/// What a hook says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Everything, in the order it was found.
    pub said: Vec<Diagnostic>,
    /// Remarks that are no fault.
    pub notes: Vec<String>,
}

impl Answer {
    /// Nothing to say.
    pub fn quiet() -> Answer {
        Answer::default()
    }

    /// One remark.
    pub fn note(text: impl Into<String>) -> Answer {
        Answer { said: Vec::new(), notes: vec![text.into()] }
    }

    /// Says one thing more.
    pub fn say(&mut self, diagnostic: Diagnostic) {
        self.said.push(diagnostic);
    }

    /// Whether git must stop.
    pub fn refuses(&self) -> bool {
        self.said.iter().any(|diagnostic| diagnostic.code.class() > Class::Warning)
    }
}
