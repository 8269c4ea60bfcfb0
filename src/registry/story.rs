//! Stories as the ledger holds them: the records of each one in their order, chained by digest, and what is kept beside them.

use super::{Kept, MaterialCount, Place, Records, layout, material::places};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::digest::Digest;
use crate::git::Mode;
use crate::ledger::View;
use crate::story::{KeptFile, StoryId, StoryRecord};

/// The largest file of a turn that is read, in bytes.
const CAP: u64 = 64 << 20;

impl Records<'_> {
    /// The ids of all stories that were worked, sorted.
    pub fn story_ids(&self) -> Result<Vec<StoryId>> {
        Ok(self.names_below("stories")?.into_iter().map(StoryId::of).collect())
    }

    /// How many records a story has.
    pub fn story_count(&self, id: &StoryId) -> Result<u32> {
        self.count(&layout::story_dir(id), ".json", Code::Rapid1721)
    }

    /// The records of a story, each of its type and bound to the one before.
    pub fn story(&self, id: &StoryId) -> Result<Vec<StoryRecord>> {
        let mut all: Vec<StoryRecord> = Vec::new();
        for ordinal in 1..=self.story_count(id)? {
            let place = Place::Story(id.clone(), ordinal);
            let Some(value) = self.value(&place)? else { continue };
            let record = StoryRecord::from_value(value).map_err(|error| error.at(place.path()))?;
            let wrong = |why: &str| Code::Rapid1721.because(format!("{id}: {why}")).at(place.path());
            if record.story != *id || record.ordinal != ordinal {
                return Err(wrong("the record belongs elsewhere"));
            }
            if record.predecessor != all.last().map(StoryRecord::digest) {
                return Err(wrong("the record does not follow the one before it"));
            }
            if all.last().is_some_and(|before| before.backlog == record.backlog && before.sequence >= record.sequence) {
                return Err(wrong("the record is older than the one before it"));
            }
            all.push(record);
        }
        Ok(all)
    }

    /// Every record of a backlog, in the order in which they were written.
    pub fn backlog(&self, backlog: &str) -> Result<Vec<StoryRecord>> {
        let mut all = Vec::new();
        for id in self.story_ids()? {
            all.extend(self.story(&id)?.into_iter().filter(|record| record.backlog == backlog));
        }
        all.sort_by(|one, other| (one.sequence, &one.story).cmp(&(other.sequence, &other.story)));
        Ok(all)
    }
}

impl super::Draft {
    /// Adds a record of a story with its files; the trees of a turn that are here are kept.
    pub fn story(&mut self, record: &StoryRecord, files: &[(String, Vec<u8>)], trees: Trees) -> Result<()> {
        let directory = layout::story_material_dir(&record.story, record.ordinal);
        for (name, bytes) in files {
            self.attach(&format!("{directory}/{name}"), crate::ledger::Material::Bytes(bytes.clone()))?;
        }
        if let Some(tree) = trees.before {
            self.attach(&format!("{directory}/tree"), crate::ledger::Material::Tree(tree))?;
        }
        if let Some(tree) = trees.after.filter(|after| trees.before != Some(*after)) {
            self.attach(&format!("{directory}-after/tree"), crate::ledger::Material::Tree(tree))?;
        }
        let value = record.to_value();
        // What cannot be read back would be a fault of ours in everybody's ledger: find it before it is written.
        StoryRecord::from_value(value.clone())?;
        self.put(&Place::Story(record.story.clone(), record.ordinal), value.record_bytes())
    }
}

/// The working copy before and after a turn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trees {
    /// Before.
    pub before: Option<crate::git::Oid>,
    /// After.
    pub after: Option<crate::git::Oid>,
}

/// Looks at everything of a story.
pub(super) fn audit(records: &Records<'_>, attachments: &View<'_>, id: &StoryId) -> (Vec<Diagnostic>, MaterialCount) {
    let (mut findings, mut count) = (Vec::new(), MaterialCount::default());
    let all = match records.story(id) {
        Ok(all) => all,
        Err(diagnostic) => return (vec![diagnostic.at(layout::story_dir(id))], count),
    };
    for record in &all {
        for kept in record.turn.iter().flat_map(|turn| &turn.artifacts) {
            match read(attachments, record, kept) {
                Ok(Kept::Here(_)) => count.present += 1,
                Ok(Kept::Missing | Kept::Expunged(_)) => count.missing += 1,
                Err(diagnostic) => findings.push(diagnostic),
            }
        }
        findings.extend(tree(attachments, record).err());
    }
    (findings, count)
}

fn read(attachments: &View<'_>, record: &StoryRecord, kept: &KeptFile) -> Result<Kept> {
    let path = format!("{}/{}", layout::story_material_dir(&record.story, record.ordinal), kept.name);
    let mut found = Ok(Kept::Missing);
    for path in places(attachments, &path)? {
        match attachments.read_capped(&path, CAP) {
            Ok(None) => {}
            Ok(Some(bytes)) if bytes.len() as u64 == kept.size_bytes && Digest::of(&bytes) == kept.sha256 => {
                return Ok(Kept::Here(bytes));
            }
            Ok(Some(_)) => {
                let path = path.as_str();
                found = Err(Code::Rapid1205.because("the file is not what the story's record says").at(path));
            }
            Err(error) if error.code == Code::Rapid1505 => {}
            Err(error) => found = Err(error.at(path)),
        }
    }
    found
}

/// A tree that is here is the one that the record names.
fn tree(attachments: &View<'_>, record: &StoryRecord) -> Result<()> {
    let Some(turn) = &record.turn else { return Ok(()) };
    let directory = layout::story_material_dir(&record.story, record.ordinal);
    for (directory, named) in [(directory.clone(), &turn.before), (format!("{directory}-after"), &turn.after)] {
        let mut found = Vec::new();
        for path in places(attachments, &format!("{directory}/tree"))? {
            found.extend(
                attachments.locate(&path)?.filter(|(mode, _)| *mode == Mode::Tree).map(|(_, id)| id.to_git_id()),
            );
        }
        if !found.is_empty() && !found.iter().any(|id| Some(id) == named.as_ref()) {
            return Err(Code::Rapid1205.because("the tree is not the one that the story's record names").at(directory));
        }
    }
    Ok(())
}
