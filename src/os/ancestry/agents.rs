//! The table of agents: what their programs are called, and where their packages lie.
//!
//! Not here: how a process is compared with it (`matching`). Names are lower case and without `.exe`. A name that means
//! something else to many people is left out: `agent` is what Cursor's program is called in some installations, `code`
//! is where as many people sit as agents. Two are in although people sit there too, since their agents run commands in
//! the very same terminals: the editors `cursor` and `antigravity`.

/// One agent.
#[derive(Debug)]
pub(super) struct Known {
    /// Its short name.
    pub(super) name: &'static str,
    /// The names of its programs.
    pub(super) programs: &'static [&'static str],
    /// Consecutive directories in the path of a program or script that belong to nobody else.
    pub(super) homes: &'static [&'static str],
}

pub(super) const KNOWN: &[Known] = &[
    Known {
        name: "claude",
        programs: &["claude", "claude-code"],
        // The native build lies under its version number, so the file's own name says nothing.
        homes: &["@anthropic-ai/claude-code", "node_modules/claude-code", "claude/versions"],
    },
    Known {
        name: "codex",
        programs: &["codex", "codex-app-server", "codex-cli", "codex-exec", "codex-linux-sandbox", "codex-tui"],
        homes: &["@openai/codex"],
    },
    Known { name: "cursor", programs: &["cursor", "cursor-agent"], homes: &["cursor-agent/versions"] },
    Known { name: "antigravity", programs: &["agy", "antigravity"], homes: &[] },
    Known {
        name: "gemini",
        programs: &["gemini", "gemini-cli"],
        homes: &["@google/gemini-cli", "node_modules/gemini-cli"],
    },
    Known { name: "opencode", programs: &["opencode"], homes: &["node_modules/opencode-ai"] },
    Known { name: "pi", programs: &["pi"], homes: &["node_modules/pi-coding-agent", "@mariozechner/pi-coding-agent"] },
    Known { name: "copilot", programs: &["copilot"], homes: &["@github/copilot", "@github/copilot-cli"] },
    Known { name: "kiro", programs: &["kiro", "kiro-cli", "kiro-cli-chat"], homes: &[] },
    Known { name: "amp", programs: &["amp"], homes: &["@sourcegraph/amp"] },
    Known { name: "goose", programs: &["goose", "goosed"], homes: &[] },
    Known { name: "aider", programs: &["aider"], homes: &["site-packages/aider"] },
    Known { name: "droid", programs: &["droid"], homes: &[] },
    Known { name: "qwen", programs: &["qwen", "qwen-code"], homes: &["@qwen-code/qwen-code"] },
    Known { name: "kilo", programs: &["kilo", "kilocode"], homes: &["@kilocode/cli"] },
    Known { name: "cline", programs: &["cline"], homes: &[] },
];

/// Programs whose own name says nothing: what they run is in their first argument that is no option.
pub(super) const INTERPRETERS: &[&str] = &[
    "bash",
    "bun",
    "dash",
    "deno",
    "ksh",
    "mainthread",
    "node",
    "nodejs",
    "perl",
    "pypy",
    "python",
    "ruby",
    "sh",
    "ts-node",
    "tsx",
    "uv",
    "zsh",
];

/// Options of interpreters that take the next argument with them.
pub(super) const WITH_VALUE: &[&str] = &[
    "-C",
    "-I",
    "-O",
    "-W",
    "-X",
    "-o",
    "-r",
    "--conditions",
    "--config",
    "--env-file",
    "--experimental-loader",
    "--import",
    "--loader",
    "--max-old-space-size",
    "--preload",
    "--rcfile",
    "--require",
];

/// Options of interpreters after which there is text to run and no script.
pub(super) const WITH_TEXT: &[&str] = &["-c", "-e", "-p", "-pe", "--eval", "--print"];

/// Words that come before the script: `bun run x`, `deno run x`.
pub(super) const BEFORE_SCRIPT: &[&str] = &["run", "x"];
