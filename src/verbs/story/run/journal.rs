//! What is written on the ledger, and what it gives back: the facts of a backlog in their order.

use crate::diagnostics::Result;
use crate::git::Oid;
use crate::registry::{Draft, Registry, Trees};
use crate::story::{Fact, StoryId, StoryRecord, TurnRecord};

/// The most facts in one record: a thousand stories that move at once are more than one record may hold.
const MOST_FACTS: usize = 4_000;

/// The records of one backlog.
pub struct Journal<'r> {
    registry: Registry<'r>,
    backlog: String,
    sequence: u32,
}

/// What is kept with a record.
#[derive(Default)]
pub struct Material {
    /// Files by name, without secrets.
    pub files: Vec<(String, Vec<u8>)>,
    /// The working copy before and after.
    pub trees: Trees,
}

impl<'r> Journal<'r> {
    /// Opens it and gives every fact that it holds.
    pub fn open(registry: Registry<'r>, backlog: &str) -> Result<(Journal<'r>, Vec<Fact>)> {
        let records = registry.records()?.backlog(backlog)?;
        let sequence = records.last().map_or(0, |record| record.sequence);
        let facts = records.into_iter().flat_map(|record| record.facts).collect();
        Ok((Journal { registry, backlog: backlog.to_owned(), sequence }, facts))
    }

    /// The directory of the backlog, relative to the top of the working copy.
    pub fn backlog(&self) -> &str {
        &self.backlog
    }

    /// Appends one entry. Facts that speak of no story are worth none by themselves and are not written.
    pub fn append(&mut self, facts: Vec<Fact>, turn: Option<&TurnRecord>, material: &Material) -> Result<Option<Oid>> {
        let Some(story) = turn_story(&facts).or_else(|| facts.iter().find_map(story_of)).cloned() else {
            return Ok(None);
        };
        let (entry, written) = self.registry.append(|records| {
            let all = records.story(&story)?;
            let mut predecessor = all.last().map(StoryRecord::digest);
            let mut written = 0;
            let mut draft = Draft::new("story", &story, subject(&story, turn, &facts));
            for part in facts.chunks(MOST_FACTS) {
                written += 1;
                let turn = turn.filter(|_| turn_story(part).is_some());
                let record = StoryRecord {
                    story: story.clone(),
                    ordinal: u32::try_from(all.len()).unwrap_or(u32::MAX).saturating_add(written),
                    sequence: self.sequence.saturating_add(written),
                    backlog: self.backlog.clone(),
                    predecessor,
                    facts: part.to_vec(),
                    turn: turn.cloned(),
                };
                // What is kept belongs to the turn; without one, to the first record.
                let has_material = record.turn.is_some() || turn_story(&facts).is_none() && written == 1;
                match has_material {
                    true => draft.story(&record, &material.files, material.trees)?,
                    false => draft.story(&record, &[], Trees::default())?,
                }
                predecessor = Some(record.digest());
            }
            Ok((draft, written))
        })?;
        self.sequence = self.sequence.saturating_add(written);
        Ok(Some(entry))
    }
}

fn subject(story: &StoryId, turn: Option<&TurnRecord>, facts: &[Fact]) -> String {
    match turn {
        Some(turn) => {
            let to = turn.to.map_or("unreadable", |to| to.as_str());
            format!("story {story}: {} ({} → {to})", turn.task.as_str(), turn.task.status())
        }
        None => format!("story {story}: {} facts", facts.len()),
    }
}

/// The story whose turn ended.
fn turn_story(facts: &[Fact]) -> Option<&StoryId> {
    facts.iter().find_map(|fact| match fact {
        Fact::TurnEnded { story, .. } => Some(story),
        _ => None,
    })
}

fn story_of(fact: &Fact) -> Option<&StoryId> {
    match fact {
        Fact::Taken { story, .. }
        | Fact::Moved { story, .. }
        | Fact::TurnBegun { story, .. }
        | Fact::TurnEnded { story, .. }
        | Fact::Lost { story, .. } => Some(story),
        Fact::Forgiven { strikes } => strikes.first().map(|(story, _)| story),
        Fact::Begun { .. } | Fact::Ended { .. } => None,
    }
}
