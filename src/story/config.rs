//! What stories are worked with: directories, roles and their providers, limits, hooks, git.
//!
//! Two files can say it: `[story]` of `.rapid/config.toml`, where an unknown key is refused, and `.regista/config.toml` as it
//! is, where an unknown key is a finding. The tables inside are the same. Reading the files is the caller's.

mod agents;
mod limits;

pub use agents::{AgentRole, Agents, ProviderConfig};

use super::prompt::Language;
use super::settings::{Settings, Unblock};
use super::workflow::Hook;
use crate::diagnostics::{Code, Result};
use crate::domain::config::{StoryTables, Table, Unread};
use crate::domain::text::RelativePath;
use crate::domain::word::words;
use std::collections::BTreeMap;

words! {
    /// Whether a finished story's changes are committed.
    Commit, "a setting of git.commit" {
        /// Never; what the agents did lies in the working copy.
        Never = "never",
        /// Each finished story's own changes, on a branch of their own.
        PerStory = "per-story",
    }
}

/// Where things lie, relative to the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directories {
    /// The stories.
    pub stories: String,
    /// Which files there are stories.
    pub pattern: String,
    /// The epics, for groom.
    pub epics: String,
    /// Decisions and the agents' outputs.
    pub decisions: String,
    /// Logs.
    pub logs: String,
}

/// Everything that is configured about stories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryConfig {
    /// Where things lie.
    pub directories: Directories,
    /// Who plays the roles.
    pub agents: Agents,
    /// What is said about providers, by name.
    pub providers: BTreeMap<String, ProviderConfig>,
    /// The limits and rules of a run; its hooks are those of `hooks`.
    pub settings: Settings,
    /// How often the product owner may repair what it made of a specification.
    pub groom_max_iterations: u32,
    /// Seconds that a hook may take.
    pub hook_timeout_seconds: u64,
    /// The command of each hook, a line for `sh`.
    pub hooks: BTreeMap<Hook, String>,
    /// The language of the prompts.
    pub language: Language,
    /// Commands of the project that agents are told: what they are for, and how they are called.
    pub commands: Vec<(String, String)>,
    /// Whether turns that fail are undone.
    pub git_enabled: bool,
    /// Whether finished stories are committed.
    pub git_commit: Commit,
}

impl Default for StoryConfig {
    fn default() -> StoryConfig {
        let settings = Settings::default();
        StoryConfig {
            directories: Directories {
                stories: ".regista/stories".to_owned(),
                pattern: "STORY-*.md".to_owned(),
                epics: ".regista/epics".to_owned(),
                decisions: ".regista/decisions".to_owned(),
                logs: ".regista/logs".to_owned(),
            },
            agents: Agents::default(),
            providers: BTreeMap::new(),
            groom_max_iterations: 5,
            hook_timeout_seconds: settings.agent_timeout_seconds,
            settings,
            hooks: BTreeMap::new(),
            language: Language::English,
            commands: Vec::new(),
            git_enabled: true,
            git_commit: Commit::Never,
        }
    }
}

impl StoryConfig {
    /// Reads the tables of `.rapid/config.toml` (RAPID1600; RAPID1601 for an unknown key). `[agents]` and `[providers]` may
    /// stand at the top or in `[story]`, not at both.
    pub fn of_tables(tables: &StoryTables) -> Result<StoryConfig> {
        let mut config = StoryConfig::default();
        let story = tables.story.clone().unwrap_or_else(|| crate::domain::json::Value::object([]));
        let mut reader = Reader { strict: true, unread: Vec::new() };
        let mut table = Table::of("story", story)?;
        for (name, outside) in [("agents", &tables.agents), ("providers", &tables.providers)] {
            let Some(outside) = outside else { continue };
            if table.keys().iter().any(|key| key == name) {
                return Err(Code::Rapid1600
                    .because(format!("[{name}] and [story.{name}] say the same thing"))
                    .hint("keep one of the two"));
            }
            let outside = Table::of(name, outside.clone())?;
            match name {
                "agents" => config.agents = agents::agents(outside, &mut reader)?,
                _ => config.providers = agents::providers(outside, &mut reader)?,
            }
        }
        config.read(&mut table, &mut reader)?;
        reader.end(table)?;
        Ok(config)
    }

    /// Reads the text of `.regista/config.toml`, and names the keys that nothing reads (RAPID1600).
    pub fn of_regista(text: &str) -> Result<(StoryConfig, Vec<Unread>)> {
        let mut config = StoryConfig::default();
        let mut reader = Reader { strict: false, unread: Vec::new() };
        let mut table = Table::parse(text)?;
        config.read(&mut table, &mut reader)?;
        reader.end(table)?;
        Ok((config, reader.unread))
    }

    fn read(&mut self, top: &mut Table, reader: &mut Reader) -> Result<()> {
        self.directories(top.table("project")?, reader)?;
        if top.keys().iter().any(|key| key == "agents") {
            self.agents = agents::agents(top.table("agents")?, reader)?;
        }
        if top.keys().iter().any(|key| key == "providers") {
            self.providers = agents::providers(top.table("providers")?, reader)?;
        }
        limits::read(self, top.table("limits")?, reader)?;
        let mut hooks = top.table("hooks")?;
        for hook in [Hook::PostQa, Hook::PostDev, Hook::PostReviewer] {
            if let Some(command) = hooks.text(hook.as_str())?.filter(|command| !command.trim().is_empty()) {
                self.hooks.insert(hook, command);
            }
        }
        reader.end(hooks)?;
        self.settings.hooks = self.hooks.keys().copied().collect();
        let mut git = top.table("git")?;
        self.git_enabled = git.flag("enabled")?.unwrap_or(true);
        if let Some(word) = git.text("commit")? {
            self.git_commit = Commit::parse(&word, Code::Rapid1600)?;
        }
        reader.end(git)?;
        let mut stack = top.table("stack")?;
        for (key, what) in
            [("build_command", "build"), ("test_command", "test"), ("lint_command", "lint"), ("fmt_command", "format")]
        {
            if let Some(command) = stack.text(key)? {
                self.commands.push((what.to_owned(), command));
            }
        }
        reader.end(stack)?;
        if let Some(word) = top.text("language")? {
            self.language = Language::parse(&word, Code::Rapid1600)?;
        }
        if let Some(jobs) = top.count("jobs")? {
            self.settings.jobs = u32::try_from(jobs).unwrap_or(u32::MAX).max(1);
        }
        if let Some(word) = top.text("unblock")? {
            self.settings.unblock = match word.as_str() {
                "seed" => Unblock::Seed,
                "remembered" => Unblock::Remembered,
                _ => return Err(top.wrong("unblock", "\"remembered\" or \"seed\"")),
            };
        }
        Ok(())
    }

    fn directories(&mut self, mut project: Table, reader: &mut Reader) -> Result<()> {
        let places = &mut self.directories;
        for (key, place) in [
            ("stories_dir", &mut places.stories),
            ("epics_dir", &mut places.epics),
            ("decisions_dir", &mut places.decisions),
            ("log_dir", &mut places.logs),
        ] {
            if let Some(text) = project.text(key)? {
                let plain = text.strip_prefix("./").unwrap_or(&text).trim_end_matches('/');
                let inside = RelativePath::parse(plain, Code::Rapid1600);
                *place = inside.map_err(|_| project.wrong(key, "a path below the project"))?.as_str().to_owned();
            }
        }
        if let Some(pattern) = project.text("story_pattern")? {
            if globset::Glob::new(&pattern).is_err() {
                return Err(project.wrong("story_pattern", "a pattern of file names, like STORY-*.md"));
            }
            places.pattern = pattern;
        }
        reader.end(project)
    }
}

/// What becomes of keys that nobody asks for.
struct Reader {
    strict: bool,
    unread: Vec<Unread>,
}

impl Reader {
    /// A table is read: what is left in it is refused or kept for the findings.
    fn end(&mut self, table: Table) -> Result<()> {
        if self.strict {
            return table.end();
        }
        self.unread.extend(table.unread());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
