//! Which file configures the stories of a project, and what it says.
//!
//! `[story]` of `.rapid/config.toml` goes before `.regista/config.toml`. What the latter leaves open about agents and
//! providers, `[agents]` and `[providers]` of the former say.

use crate::diagnostics::{Code, Result};
use crate::domain::config::{StoryTables, Unread, line_of};
use crate::os::files;
use crate::story::config::{Agents, StoryConfig};
use crate::verbs::rapid::parse_config;
use std::path::Path;

/// Our file.
pub const OURS: &str = crate::verbs::rapid::CONFIG_PATH;
/// The file of older projects.
pub const THEIRS: &str = ".regista/config.toml";

/// The largest configuration that is read, in bytes.
const CAP: u64 = 1 << 20;

/// The configuration and where it came from.
#[derive(Debug)]
pub struct Configured {
    /// What it says.
    pub config: StoryConfig,
    /// The file, as it is called.
    pub file: String,
    /// There is none; the defaults hold.
    pub is_missing: bool,
    /// Keys that nothing reads, and their lines.
    pub unread: Vec<(Unread, Option<u32>)>,
}

/// Reads the configuration of a project; `named` is another file, by its path or relative to the working directory
/// (RAPID1600, RAPID1601).
pub fn read(root: &Path, named: Option<&Path>) -> Result<Configured> {
    if let Some(path) = named {
        let file = path.strip_prefix(root).unwrap_or(path).display().to_string();
        let bytes = files::read(path, CAP)?;
        // A file with `[story]` is ours; one that only looks like ours by name would be read with the wrong rules.
        let ours = parse_config(&bytes).ok().filter(|config| config.stories.story.is_some());
        return match ours {
            Some(config) => of_tables(&config.stories, file),
            None if path.ends_with(OURS) => {
                of_tables(&parse_config(&bytes).map_err(|error| error.at(&file))?.stories, file)
            }
            None => of_regista(&bytes, file, &StoryTables::default()),
        };
    }
    let ours = match files::read_if_there(&root.join(OURS), CAP)? {
        Some(bytes) => parse_config(&bytes).map_err(|error| error.at(OURS))?.stories,
        None => StoryTables::default(),
    };
    if ours.story.is_none()
        && let Some(bytes) = files::read_if_there(&root.join(THEIRS), CAP)?
    {
        return of_regista(&bytes, THEIRS.to_owned(), &ours);
    }
    let is_missing = ours == StoryTables::default();
    Ok(Configured { is_missing, ..of_tables(&ours, OURS.to_owned())? })
}

fn of_tables(tables: &StoryTables, file: String) -> Result<Configured> {
    let config = StoryConfig::of_tables(tables).map_err(|error| error.at(&file))?;
    Ok(Configured { config, file, is_missing: false, unread: Vec::new() })
}

fn of_regista(bytes: &[u8], file: String, ours: &StoryTables) -> Result<Configured> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| Code::Rapid1600.because("the configuration is not UTF-8").at(&file))?;
    let (mut config, unread) = StoryConfig::of_regista(text).map_err(|error| error.at(&file))?;
    let beside = StoryConfig::of_tables(ours).map_err(|error| error.at(OURS))?;
    if config.agents == Agents::default() {
        config.agents = beside.agents;
    }
    for (name, provider) in beside.providers {
        config.providers.entry(name).or_insert(provider);
    }
    let unread = unread.into_iter().map(|one| (one.clone(), line_of(text, &one.key))).collect();
    Ok(Configured { config, file, is_missing: false, unread })
}
