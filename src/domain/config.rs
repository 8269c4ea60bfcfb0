//! The versioned configuration, `.rapid/config.toml` (design §9): strict, every key known, every value of its type.
//!
//! Personal and per-clone settings are git's (`rapid.*`), not here. A run is judged under the configuration of its base
//! commit, which its terms hold.

mod push_rules;
mod span;
mod table;

use super::approvers::{Approvers, Approving};
use super::contract::{Approvals, Ruleset, argv};
use super::gate;
use super::ids::GateId;
use super::json::Value;
use super::quantity;
use super::text::RelativePath;
use super::word::words;
use crate::diagnostics::{Code, Diagnostic, Result};
use std::time::Duration;

pub use push_rules::PushRules;
pub use span::line_of;
pub use table::{Table, Unread};

words! {
    /// What a push of unverified work gets.
    PrePush, "a setting of enforce.pre_push" {
        /// Nothing.
        Off = "off",
        /// A warning.
        Warn = "warn",
        /// A refusal.
        Require = "require",
    }
}

words! {
    /// Whether files that were never part of the work may be missing from a commit.
    Extras, "a setting of enforce.extras" {
        /// They may.
        Allow = "allow",
        /// They may not.
        Refuse = "refuse",
    }
}

words! {
    /// Whether a merge of covered commits is covered.
    Merges, "a setting of enforce.merges" {
        /// When git makes it without a conflict.
        Clean = "clean",
        /// Never: it is run again.
        Rerun = "rerun",
    }
}

words! {
    /// Whether a push of code sends the ledger first.
    PushLedger, "a setting of hooks.push_ledger" {
        /// It does not.
        Off = "off",
        /// It does; where the ledger cannot be sent, that is said and the code goes.
        Try = "try",
        /// It does; where the ledger cannot be sent, the code stays too.
        Require = "require",
    }
}

words! {
    /// Which material is pushed with the ledger.
    PushAttachments, "a setting of push.attachments" {
        /// None: logs and trees stay in this clone.
        None = "none",
        /// Logs and artifacts of runs that are over; no trees.
        Final = "final",
        /// All of it.
        All = "all",
    }
}

/// The tables about agents that work a backlog; the stories' room reads them (`story::config`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryTables {
    /// `[story]`.
    pub story: Option<Value>,
    /// `[agents]`.
    pub agents: Option<Value>,
    /// `[providers]`.
    pub providers: Option<Value>,
}

/// The configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The command whose green means that the tests are green.
    pub test_command: Option<Vec<String>>,
    /// The rules that new runs are judged by.
    pub ruleset: Ruleset,
    /// How strong approvals must be.
    pub approvals: Approvals,
    /// Who has to approve; `None`: anybody who may.
    pub approvers: Option<Approvers>,
    /// Untracked files larger than this, in bytes, are withheld from snapshots.
    pub max_file_size: u64,
    /// More names that count as litter.
    pub litter: Vec<String>,
    /// What a push of unverified work gets, by ref.
    pub pre_push: PushRules,
    /// Whether a push of code sends the ledger first.
    pub push_ledger: PushLedger,
    /// Whether untracked bystanders may be missing from a covered commit.
    pub extras: Extras,
    /// Whether a clean merge of covered commits is covered.
    pub merges: Merges,
    /// Which material is pushed.
    pub push_attachments: PushAttachments,
    /// The `[policy]` table, read by `Policy::tightened`.
    pub policy: Option<Value>,
    /// How long a check may take; `None` for as long as it likes.
    pub check_timeout: Option<Duration>,
    /// How much of a check's output is kept, in bytes.
    pub log_size: u64,
    /// More shapes of secrets, as regular expressions.
    pub redact_patterns: Vec<String>,
    /// Texts that are never redacted, as regular expressions.
    pub redact_allow: Vec<String>,
    /// Where the test command writes its report, a file or a directory below the top of the working copy.
    pub junit: Option<RelativePath>,
    /// What stories are worked with.
    pub stories: StoryTables,
    /// The `[mission]` table; the missions' room reads it (`mission::MissionConfig`).
    pub mission: Option<Value>,
}

impl Default for Config {
    /// What holds without a configuration file.
    fn default() -> Config {
        Config {
            test_command: None,
            ruleset: Ruleset::V3,
            approvals: Approvals::Terminal,
            approvers: None,
            max_file_size: 10 << 20,
            litter: Vec::new(),
            pre_push: PushRules::all(PrePush::Warn),
            push_ledger: PushLedger::Off,
            extras: Extras::Allow,
            merges: Merges::Clean,
            push_attachments: PushAttachments::None,
            policy: None,
            check_timeout: None,
            log_size: 256 << 10,
            redact_patterns: Vec::new(),
            redact_allow: Vec::new(),
            junit: None,
            stories: StoryTables::default(),
            mission: None,
        }
    }
}

impl Config {
    /// Reads the file's text (RAPID1600; RAPID1601 for a key that is not known, with the nearest one that is).
    pub fn parse(text: &str) -> Result<Config> {
        let mut top = Table::parse(text)?;
        let mut config = Config::default();
        if let Some(value) = top.take("test_command") {
            config.test_command = Some(test_command(value)?);
        }
        if let Some(number) = top.number("ruleset")? {
            config.ruleset = Ruleset::parse(number, Code::Rapid1600)?;
        }
        if let Some(word) = top.text("approvals")? {
            config.approvals = Approvals::parse(&word, Code::Rapid1600)?;
        }
        if let Some(value) = top.take("approvers") {
            config.approvers = Some(approvers(value)?);
            if config.approvals != Approvals::Signed {
                return Err(Code::Rapid1600
                    .because("[approvers] asks who approves, and only a signature shows who did")
                    .hint("say approvals = \"signed\", or leave [approvers] out"));
            }
        }
        let mut snapshot = top.table("snapshot")?;
        if let Some(size) = snapshot.text("max_file_size")? {
            config.max_file_size = quantity::size(&size).map_err(as_config)?;
        }
        config.litter = snapshot.texts("litter")?;
        snapshot.end()?;
        let mut enforce = top.table("enforce")?;
        if let Some(rules) = enforce.take("pre_push") {
            config.pre_push = PushRules::from_value(rules)?;
        }
        if let Some(word) = enforce.text("extras")? {
            config.extras = Extras::parse(&word, Code::Rapid1600)?;
        }
        if let Some(word) = enforce.text("merges")? {
            config.merges = Merges::parse(&word, Code::Rapid1600)?;
        }
        enforce.end()?;
        let mut push = top.table("push")?;
        if let Some(word) = push.text("attachments")? {
            config.push_attachments = PushAttachments::parse(&word, Code::Rapid1600)?;
        }
        push.end()?;
        let mut hooks = top.table("hooks")?;
        if let Some(word) = hooks.text("push_ledger")? {
            config.push_ledger = PushLedger::parse(&word, Code::Rapid1600)?;
        }
        hooks.end()?;
        let mut limits = top.table("limits")?;
        if let Some(limit) = limits.text("check_timeout")? {
            config.check_timeout = Some(quantity::duration(&limit).map_err(as_config)?);
        }
        if let Some(size) = limits.text("log_size")? {
            config.log_size = quantity::size(&size).map_err(as_config)?.clamp(4 << 10, 32 << 20);
        }
        limits.end()?;
        let mut redact = top.table("redact")?;
        config.redact_patterns = redact.texts("patterns")?;
        config.redact_allow = redact.texts("allow")?;
        redact.end()?;
        let mut checks = top.table("checks")?;
        let junit = checks.text("junit")?;
        config.junit = junit.map(|path| RelativePath::parse(&path, Code::Rapid1600)).transpose()?;
        checks.end()?;
        config.policy = top.take("policy");
        config.stories =
            StoryTables { story: top.take("story"), agents: top.take("agents"), providers: top.take("providers") };
        config.mission = top.take("mission");
        top.end()?;
        Ok(config)
    }
}

/// A command is a list of words; a text is split at blanks as long as no shell would read it differently.
fn test_command(value: Value) -> Result<Vec<String>> {
    match value {
        Value::List(items) => argv(items, Code::Rapid1600),
        Value::Text(text)
            if !text.contains(['"', '\'', '\\', '$', '|', '&', ';', '<', '>', '(', ')', '*', '?', '`', '~', '#']) =>
        {
            argv(text.split_whitespace().map(Value::from).collect(), Code::Rapid1600)
        }
        _ => Err(Code::Rapid1600
            .because("test_command must be a list of words")
            .hint("write it like test_command = [\"cargo\", \"test\"]; for a shell line: [\"sh\", \"-c\", \"…\"]")),
    }
}

/// `[approvers]`, and `[approvers.gate.NAME]` for one gate.
fn approvers(value: Value) -> Result<Approvers> {
    let mut table = Table::of("approvers", value)?;
    let gates = table.take("gate");
    let every = approving(&mut table)?;
    table.end()?;
    let mut of = std::collections::BTreeMap::new();
    if let Some(gates) = gates {
        let Value::Object(gates) = gates else {
            return Err(Code::Rapid1600
                .because("'approvers.gate' in the configuration must be a table")
                .hint("for one gate write [approvers.gate.final-verification]"));
        };
        for (name, rule) in gates {
            let gate = GateId::parse(&format!("gate.{name}")).map_err(as_config)?;
            if !gate::of_people().any(|known| known == gate.as_str()) {
                let known: Vec<&str> = gate::of_people().filter_map(|gate| gate.strip_prefix("gate.")).collect();
                return Err(Code::Rapid1600
                    .because(format!("'approvers.{gate}' in the configuration names no gate that a person decides"))
                    .hint(format!("those are: {}", known.join(", "))));
            }
            let mut table = Table::of(&format!("approvers.{gate}"), rule)?;
            of.insert(gate, approving(&mut table)?);
            table.end()?;
        }
    }
    Ok(Approvers { every, of })
}

fn approving(table: &mut Table) -> Result<Approving> {
    let mut rule = Approving::default();
    if let Some(number) = table.number("need")? {
        rule.need = Approving::people(number, Code::Rapid1600)?;
    }
    rule.not_author = table.flag("not_author")?.unwrap_or(false);
    let from = table.take("from");
    if from == Some(Value::List(Vec::new())) {
        return Err(Code::Rapid1600
            .because("'approvers.from' in the configuration names nobody, so nobody could approve")
            .hint("leave it out where all of the allowed signers may"));
    }
    rule.from = table.texts_of("from", from)?;
    Ok(rule)
}

fn as_config(error: Diagnostic) -> Diagnostic {
    Diagnostic { code: Code::Rapid1600, ..error }
}

#[cfg(test)]
mod tests;
