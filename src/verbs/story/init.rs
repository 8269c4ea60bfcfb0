//! `story init`: the configuration's section, the folder of the stories with a template, the instructions of the roles.
//! Repeatable; nothing that exists is changed, except that a configuration without `[story]` gets one at its end.

use super::{Place, cast, config, require_providers};
use crate::diagnostics::Result;
use crate::domain::config::StoryTables;
use crate::os::files;
use crate::story::Role;
use crate::verbs::init::fresh_config;
use crate::verbs::rapid::parse_config;

/// The name of the template, which no pattern of stories takes.
const TEMPLATE: &str = "TEMPLATE.md";

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was written.
    Wrote,
    /// A section was put at its end.
    Extended,
    /// It was there.
    Kept,
}

/// Sets stories up; what became of each file, relative to the project.
pub fn init(place: &Place, provider: Option<&str>) -> Result<Vec<(String, Change)>> {
    let root = &place.root;
    let mut read = config::read(root, None)?;
    if let Some(provider) = provider {
        read.config.agents.played_by(provider);
    }
    require_providers(&read.config)?;
    let mut done = Vec::new();
    if !root.join(config::THEIRS).is_file() {
        let section =
            include_str!("../../../templates/story/config.toml").replace("{{provider}}", &read.config.agents.provider);
        done.push((config::OURS.to_owned(), configure(place, &section)?));
    }
    let places = &read.config.directories;
    let mut write = |path: String, text: &str| -> Result<()> {
        let full = root.join(&path);
        if files::is_taken(&full) {
            done.push((path, Change::Kept));
            return Ok(());
        }
        if let Some(parent) = full.parent() {
            files::create_dir_all(parent)?;
        }
        files::write_atomically(&full, text.as_bytes())?;
        done.push((path, Change::Wrote));
        Ok(())
    };
    write(format!("{}/{TEMPLATE}", places.stories), include_str!("../../../templates/story/story.md"))?;
    if places.logs.starts_with(".regista/") {
        write(".regista/.gitignore".to_owned(), include_str!("../../../templates/story/ignore"))?;
    }
    for role in Role::ALL {
        let Some((_, path)) = cast(root, &read.config, *role) else { continue };
        let text = instructions(*role).replace("{{name}}", name_of(&path));
        write(path, &text)?;
    }
    Ok(done)
}

/// Writes the section into our configuration where it has none.
fn configure(place: &Place, section: &str) -> Result<Change> {
    let path = place.root.join(config::OURS);
    let Some(bytes) = files::read_if_there(&path, 1 << 20)? else {
        let is_top = place
            .repository
            .as_ref()
            .and_then(|repository| repository.workdir())
            .is_some_and(|top| top.canonicalize().is_ok_and(|top| top == place.root));
        // At the top of a working copy the same file configures everything else.
        let text = if is_top { format!("{}\n{section}", fresh_config(&place.root)) } else { section.to_owned() };
        files::create_dir_all(&place.root.join(".rapid"))?;
        files::write_atomically(&path, text.as_bytes())?;
        return Ok(Change::Wrote);
    };
    if parse_config(&bytes)?.stories != StoryTables::default() {
        return Ok(Change::Kept);
    }
    let mut text = bytes;
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    text.extend_from_slice(b"\n");
    text.extend_from_slice(section.as_bytes());
    files::write_atomically(&path, &text)?;
    Ok(Change::Extended)
}

fn instructions(role: Role) -> &'static str {
    match role {
        Role::ProductOwner => include_str!("../../../templates/story/roles/product_owner.md"),
        Role::QaEngineer => include_str!("../../../templates/story/roles/qa_engineer.md"),
        Role::Developer => include_str!("../../../templates/story/roles/developer.md"),
        Role::Reviewer => include_str!("../../../templates/story/roles/reviewer.md"),
    }
}

/// The name that a file of instructions goes by: its own, or its folder's where all are called the same.
fn name_of(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let stem = parts.next().unwrap_or_default().trim_end_matches(".md");
    if stem == "SKILL" { parts.next().unwrap_or(stem) } else { stem }
}
