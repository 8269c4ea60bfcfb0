//! Whether a person decides: the layers between an agent and a human gate (design §7), cheapest first.
//!
//! Each layer only ever says no. What they cannot stop is said where approvals are shown: without a signature an approval
//! is a typed sentence in a terminal, and one command line fakes a terminal.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::os::{ancestry, environment::Environment, terminal};

/// Refuses (RAPID1310) unless this process was started by a person in a terminal, as far as that can be seen.
pub fn require_person(environment: &Environment) -> Result<()> {
    if !terminal::is_there() || !terminal::is_terminal(terminal::Stream::In) {
        return Err(refusal("there is no terminal to ask a person in"));
    }
    if let Some(mark) = ancestry::agent_markers(environment).first() {
        return Err(refusal(format!(
            "the variable {} says that this is an agent's session ({})",
            mark.variable, mark.agent
        )));
    }
    if let Some(agent) = ancestry::agents_among_ancestors().agents.first() {
        return Err(refusal(format!("this was started by an agent ({}, process {})", agent.name, agent.pid)));
    }
    Ok(())
}

/// Asks for `sentence`, typed exactly; anything else is a refusal (RAPID1310). `prompt` must be safe to show.
pub fn confirm(prompt: &str, sentence: &str) -> Result<()> {
    match terminal::ask(prompt)? {
        None => Err(refusal("the input ended before anything was decided")),
        Some(line) if line.trim() == sentence => Ok(()),
        Some(_) => Err(Code::Rapid1310
            .because(format!("the typed text was not '{sentence}': nothing was decided"))
            .hint("run it again, and type the sentence as it is shown, to decide")),
    }
}

fn refusal(why: impl Into<String>) -> Diagnostic {
    Code::Rapid1310.because(why).hint("ask a person to run this command in their own terminal")
}
