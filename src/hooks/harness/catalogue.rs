//! The eight harnesses: their names, their events, how they are answered, and what each one gets.
//!
//! Source of the formats: the programs themselves where they could be run, else their documentation (docs/harnesses.md says
//! which). A hook is a bare program name with plain words, which every shell that harnesses use reads alike.

use super::part::{Content, Entry, Part};
use super::shortcut::{self, Form, NAMES};
use crate::diagnostics::{Code, Result};
use crate::domain::{json::Value, near::or_near};

/// How every hook command begins.
pub const HOOK: &str = "git-rapid hook harness";

/// A harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Harness {
    Claude,
    Codex,
    Cursor,
    Vscode,
    Antigravity,
    Opencode,
    Gemini,
    Pi,
}

/// A moment that a harness tells us of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Event {
    SessionStart,
    PreTool,
    PostTool,
    Stop,
}

/// How a harness wants an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speech {
    /// Exit status 2 with the reason on standard error.
    Status,
    /// A document on standard output with `permission`, and `followup_message` at the end.
    Cursor,
    /// A document on standard output with `decision` and `reason`.
    Decision,
}

impl Event {
    /// All of them.
    pub const ALL: [Event; 4] = [Event::SessionStart, Event::PreTool, Event::PostTool, Event::Stop];

    /// As the hook command names it.
    pub fn as_str(self) -> &'static str {
        match self {
            Event::SessionStart => "session-start",
            Event::PreTool => "pre-tool",
            Event::PostTool => "post-tool",
            Event::Stop => "stop",
        }
    }

    /// The event of this name.
    pub fn parse(text: &str) -> Option<Event> {
        Event::ALL.into_iter().find(|event| event.as_str() == text)
    }
}

impl Harness {
    /// All of them.
    pub const ALL: [Harness; 8] = [
        Harness::Claude,
        Harness::Codex,
        Harness::Cursor,
        Harness::Vscode,
        Harness::Antigravity,
        Harness::Opencode,
        Harness::Gemini,
        Harness::Pi,
    ];

    /// Its name on the command line and in contracts.
    pub fn as_str(self) -> &'static str {
        match self {
            Harness::Claude => "claude",
            Harness::Codex => "codex",
            Harness::Cursor => "cursor",
            Harness::Vscode => "vscode",
            Harness::Antigravity => "antigravity",
            Harness::Opencode => "opencode",
            Harness::Gemini => "gemini",
            Harness::Pi => "pi",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Harness::Claude => "Claude Code",
            Harness::Codex => "Codex",
            Harness::Cursor => "Cursor",
            Harness::Vscode => "VS Code",
            Harness::Antigravity => "Antigravity",
            Harness::Opencode => "OpenCode",
            Harness::Gemini => "Gemini CLI",
            Harness::Pi => "pi",
        }
    }

    /// The harness of this name (RAPID1630).
    pub fn parse(name: &str) -> Result<Harness> {
        Harness::ALL.into_iter().find(|harness| harness.as_str() == name).ok_or_else(|| {
            let names: Vec<&str> = Harness::ALL.iter().map(|harness| harness.as_str()).collect();
            let missing =
                Code::Rapid1630.because(format!("'{}' is no harness that git-rapid knows", name.escape_debug()));
            or_near(missing, name, &names, format!("one of {}", names.join(", ")))
        })
    }

    /// The events that it can tell us of.
    pub fn events(self) -> &'static [Event] {
        match self {
            Harness::Antigravity => &[Event::PreTool, Event::PostTool],
            Harness::Opencode => &[Event::PreTool, Event::PostTool, Event::Stop],
            _ => &Event::ALL,
        }
    }

    /// How it wants to be answered.
    pub fn speech(self) -> Speech {
        match self {
            Harness::Cursor => Speech::Cursor,
            Harness::Antigravity => Speech::Decision,
            _ => Speech::Status,
        }
    }

    /// What a person has to do before its hooks run, where that is more than nothing.
    pub fn afterwards(self) -> &'static str {
        match self {
            Harness::Claude => "start a new session: settings are read when it begins",
            Harness::Codex => {
                "trust the project in Codex, then its hooks with /hooks; untrusted ones are skipped without a word"
            }
            Harness::Cursor => "trust the workspace in Cursor",
            Harness::Vscode => "hooks are a preview in VS Code: see that chat.hooks is on, and trust the workspace",
            Harness::Antigravity => {
                "some builds read hooks only from ~/.gemini/config/hooks.json: 'git rapid harness status' says whether they run"
            }
            Harness::Opencode => "start a new session: plugins are loaded when it begins",
            Harness::Gemini => "trust the folder: project hooks do not run without it",
            Harness::Pi => "start pi with --approve once, or project extensions are left out",
        }
    }

    /// The hook command for an event.
    pub(super) fn command(self, event: Event) -> String {
        format!("{HOOK} {} {}", self.as_str(), event.as_str())
    }

    /// Everything that it gets; the MCP server only when asked for.
    pub(super) fn parts(self, mcp: bool) -> Vec<Part> {
        let mut parts: Vec<Part> = NAMES
            .iter()
            .map(|name| {
                Part::whole(self.shortcut_path(name), "shortcut", shortcut::text(name, self.as_str(), self.form()))
            })
            .collect();
        parts.push(self.guard());
        if mcp {
            self.add_mcp(&mut parts);
        }
        parts
    }

    /// Every file of a project that `harness install` may write.
    pub fn files(self) -> Vec<String> {
        let settings = self.settings().iter().map(ToString::to_string);
        self.parts(true).into_iter().map(|part| part.path).chain(settings).collect()
    }

    /// Every file that its settings or its guard may lie in, ours or not: what a guard protects.
    pub(super) fn settings(self) -> &'static [&'static str] {
        match self {
            Harness::Claude => &[".claude/settings.json", ".claude/settings.local.json"],
            Harness::Codex => &[".codex/hooks.json", ".codex/config.toml"],
            Harness::Cursor => &[".cursor/hooks.json"],
            Harness::Vscode => &[".github/hooks/git-rapid.json"],
            Harness::Antigravity => &[".agents/hooks.json"],
            Harness::Opencode => &[".opencode/plugins/git-rapid.js", "opencode.json", "opencode.jsonc"],
            Harness::Gemini => &[".gemini/settings.json"],
            Harness::Pi => &[".pi/extensions/git-rapid.ts", ".pi/settings.json"],
        }
    }

    fn form(self) -> Form {
        match self {
            Harness::Claude => Form::Skill { arguments: "$ARGUMENTS" },
            Harness::Codex => Form::Skill { arguments: "what the person wrote beside the name of this skill" },
            Harness::Cursor => Form::Plain,
            Harness::Vscode => Form::Prompt,
            Harness::Antigravity => Form::Command { arguments: "what the person wrote behind this command" },
            Harness::Opencode => Form::Command { arguments: "$ARGUMENTS" },
            Harness::Gemini => Form::Toml,
            Harness::Pi => Form::Command { arguments: "$@" },
        }
    }

    fn shortcut_path(self, name: &str) -> String {
        match self {
            Harness::Claude => format!(".claude/skills/{name}/SKILL.md"),
            Harness::Codex => format!(".agents/skills/{name}/SKILL.md"),
            Harness::Cursor => format!(".cursor/commands/{name}.md"),
            Harness::Vscode => format!(".github/prompts/{name}.prompt.md"),
            Harness::Antigravity => format!(".agents/workflows/{name}.md"),
            Harness::Opencode => format!(".opencode/commands/{name}.md"),
            Harness::Gemini => format!(".gemini/commands/{name}.toml"),
            Harness::Pi => format!(".pi/prompts/{name}.md"),
        }
    }

    fn guard(self) -> Part {
        let version = || Entry::Needed { key: "version", value: 1.into() };
        match self {
            Harness::Claude => {
                let also = [("PostToolUseFailure", Event::PostTool)];
                Part::json(".claude/settings.json", "guard", self.grouped(&CLAUDE_LIKE, &also, "*", 30, true))
            }
            Harness::Codex => Part::json(".codex/hooks.json", "guard", self.grouped(&CLAUDE_LIKE, &[], "*", 30, false)),
            Harness::Antigravity => {
                let only: Vec<_> =
                    CLAUDE_LIKE.iter().filter(|(_, event)| self.events().contains(event)).copied().collect();
                Part::json(".agents/hooks.json", "guard", self.grouped(&only, &[], "", 30, false))
            }
            Harness::Gemini => {
                // Gemini counts in milliseconds.
                Part::json(".gemini/settings.json", "guard", self.grouped(&GEMINI, &[], ".*", 30_000, false))
            }
            Harness::Vscode => {
                let mut entries = vec![version()];
                entries.extend(
                    CLAUDE_LIKE
                        .iter()
                        .map(|(name, event)| Entry::Element { at: vec!["hooks", name], value: self.hook(*event, 30) }),
                );
                Part::json(".github/hooks/git-rapid.json", "guard", entries)
            }
            Harness::Cursor => {
                let mut entries = vec![version()];
                entries.extend(CURSOR.iter().map(|(name, event)| {
                    let hook = self.hook(*event, 30).without("type");
                    let value = match event {
                        Event::PreTool => hook.with("failClosed", true),
                        Event::Stop => hook.with("loop_limit", super::stop::MOST),
                        _ => hook,
                    };
                    Entry::Element { at: vec!["hooks", name], value }
                }));
                Part::json(".cursor/hooks.json", "guard", entries)
            }
            Harness::Opencode => {
                let text = include_str!("../../../templates/harness/opencode.js");
                Part::whole(".opencode/plugins/git-rapid.js".to_owned(), "guard", text)
            }
            Harness::Pi => {
                let text = include_str!("../../../templates/harness/pi.ts");
                Part::whole(".pi/extensions/git-rapid.ts".to_owned(), "guard", text)
            }
        }
    }

    fn hook(self, event: Event, timeout: i64) -> Value {
        Value::object([
            ("type", "command".into()),
            ("command", self.command(event).into()),
            ("timeout", timeout.into()),
        ])
    }

    /// Hooks in the groups that Claude Code brought up: `hooks.<Event>[] {matcher, hooks[]}`.
    fn grouped(
        self,
        events: &[(&'static str, Event)],
        also: &[(&'static str, Event)],
        matcher: &str,
        timeout: i64,
        blocks_on_failure: bool,
    ) -> Vec<Entry> {
        let entry = |(name, event): &(&'static str, Event)| {
            let mut hook = self.hook(*event, timeout);
            if blocks_on_failure && *event == Event::PreTool {
                // Without it a hook that cannot be started lets the tool run.
                hook = hook.with("onFailure", "block");
            }
            let mut group = Value::object([("hooks", Value::List(vec![hook]))]);
            if matches!(event, Event::PreTool | Event::PostTool) {
                group = group.with("matcher", matcher);
            }
            Entry::Element { at: vec!["hooks", name], value: group }
        };
        events.iter().chain(also).map(entry).collect()
    }

    fn add_mcp(self, parts: &mut Vec<Part>) {
        let plain = || Value::object([("command", "git-rapid".into()), ("args", Value::list(["mcp"]))]);
        let member = |at: &'static str, value: Value| Entry::Member { at: vec![at], key: "git-rapid", value };
        let file = |path: &str, entry: Entry| Part::json(path, "mcp server", vec![entry]);
        parts.push(match self {
            Harness::Claude => file(".mcp.json", member("mcpServers", plain())),
            Harness::Cursor => file(".cursor/mcp.json", member("mcpServers", plain())),
            Harness::Vscode => file(".vscode/mcp.json", member("servers", plain().with("type", "stdio"))),
            Harness::Antigravity => file(".agents/mcp_config.json", member("mcpServers", plain())),
            Harness::Pi => file(".pi/mcp.json", member("mcpServers", plain())),
            Harness::Opencode => {
                let command = Value::list(["git-rapid", "mcp"]);
                let server = Value::object([("type", "local".into()), ("command", command), ("enabled", true.into())]);
                file("opencode.json", member("mcp", server))
            }
            Harness::Codex => Part {
                path: ".codex/config.toml".to_owned(),
                content: Content::Toml(
                    "[mcp_servers.git-rapid]\ncommand = \"git-rapid\"\nargs = [\"mcp\"]\n".to_owned(),
                ),
                purpose: "mcp server",
            },
            Harness::Gemini => {
                let guard = parts.iter_mut().find(|part| part.path == ".gemini/settings.json");
                if let Some(Part { content: Content::Json(entries), .. }) = guard {
                    entries.push(member("mcpServers", plain()));
                }
                return;
            }
        });
    }
}

const CLAUDE_LIKE: [(&str, Event); 4] = [
    ("SessionStart", Event::SessionStart),
    ("PreToolUse", Event::PreTool),
    ("PostToolUse", Event::PostTool),
    ("Stop", Event::Stop),
];

const GEMINI: [(&str, Event); 4] = [
    ("SessionStart", Event::SessionStart),
    ("BeforeTool", Event::PreTool),
    ("AfterTool", Event::PostTool),
    ("AfterAgent", Event::Stop),
];

const CURSOR: [(&str, Event); 4] = [
    ("sessionStart", Event::SessionStart),
    ("preToolUse", Event::PreTool),
    ("postToolUse", Event::PostTool),
    ("stop", Event::Stop),
];
