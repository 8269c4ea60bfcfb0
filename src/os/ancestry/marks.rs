//! The marks that agents leave in the environment of what they start.
//!
//! Not here: who is above us (`ancestry`) and what follows. A variable that a person sets to configure an agent
//! (`CODEX_HOME`, `GEMINI_API_KEY`, `GOOSE_MODEL`) is no mark, nor one that a person's own shell in the same place has
//! as well (`REPL_ID`).

use crate::os::environment::Environment;

/// A mark of an agent in the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The agent's short name; `agent` when the mark is one that several leave.
    pub agent: &'static str,
    /// The variable.
    pub variable: &'static str,
}

/// Each agent's variables: those of its shell tool, then those of its hooks.
const MARKS: &[(&str, &[&str])] = &[
    (
        "claude",
        &[
            "CLAUDE_CODE_CHILD_SESSION",
            "CLAUDECODE",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_PID",
            "CLAUDE_PROJECT_DIR",
            "CLAUDE_ENV_FILE",
        ],
    ),
    (
        "codex",
        &[
            "CODEX_THREAD_ID",
            "CODEX_SESSION_ID",
            "CODEX_TOOL_CALL_ID",
            "CODEX_CI",
            "CODEX_SANDBOX",
            "CODEX_SANDBOX_NETWORK_DISABLED",
            "CODEX_MANAGED_BY_NPM",
            "CODEX_MANAGED_BY_BUN",
        ],
    ),
    ("opencode", &["OPENCODE", "OPENCODE_PID"]),
    ("pi", &["PI_CODING_AGENT", "PI_SESSION_ID", "PI_SESSION_FILE"]),
    ("gemini", &["GEMINI_CLI", "GEMINI_PROJECT_DIR", "GEMINI_SESSION_ID", "GEMINI_CWD"]),
    ("copilot", &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID", "COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR"]),
    ("cursor", &["CURSOR_AGENT", "CURSOR_TRACE_ID"]),
    ("antigravity", &["ANTIGRAVITY_AGENT"]),
    ("cline", &["CLINE_ACTIVE"]),
    ("goose", &["GOOSE_TERMINAL"]),
    ("augment", &["AUGMENT_AGENT"]),
    // What git-rapid itself starts for a story or a mission (`agent::turn::MARK`).
    ("git-rapid", &["RAPID_STORY_TURN"]),
    ("agent", &["AI_AGENT", "AGENT"]),
];

/// The marks of agents in an environment, in the order of the table. A variable that is empty, `0` or `false` is none.
pub fn agent_markers(environment: &Environment) -> Vec<Mark> {
    let all = MARKS.iter().flat_map(|(agent, variables)| variables.iter().map(|variable| Mark { agent, variable }));
    all.filter(|mark| is_on(environment, mark.variable)).collect()
}

fn is_on(environment: &Environment, variable: &str) -> bool {
    let off = |value: &std::ffi::OsStr| ["", "0", "false"].iter().any(|off| value.eq_ignore_ascii_case(off));
    environment.get(variable).is_some_and(|value| !off(value))
}
