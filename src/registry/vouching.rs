//! Whether material that somebody sent is what a record names: a file by its digest and size, a snapshot's tree by its id.
//!
//! Anybody who may push can put anything among a remote's attachments, and one wrong byte there would disprove the ledger of
//! everybody who joined it. Not here: joining.

use super::{Place, Records, layout};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    evidence::Evidence,
    ids::{EvidenceId, RunId},
    json::Value,
};
use crate::git::Kind;
use crate::ledger::{DIVERGED, OTHER, Piece, View};
use crate::story::StoryId;
use std::collections::BTreeMap;

/// The largest piece that is read, in bytes.
const CAP: u64 = 64 << 20;
/// The most that is read of what was set aside about one run, in bytes.
const ASIDE: usize = 16 << 20;

/// The records, asked about many pieces.
pub struct Vouching<'a, 'r> {
    records: &'a Records<'r>,
    /// The runs that were asked for, each with its evidence and with the text of what was set aside about it.
    runs: BTreeMap<RunId, (Vec<Evidence>, String)>,
}

impl<'a, 'r> Vouching<'a, 'r> {
    /// By these records.
    pub fn by(records: &'a Records<'r>) -> Vouching<'a, 'r> {
        Vouching { records, runs: BTreeMap::new() }
    }

    /// Whether a record names this very piece. One whose bytes are not in this clone is believed until it is read.
    pub fn names(&mut self, piece: &Piece) -> Result<bool> {
        let names: Vec<&str> = piece.path.split('/').collect();
        let own = match names.first() {
            Some(&OTHER) => names.get(1..names.len().saturating_sub(1)).unwrap_or_default(),
            _ => names.as_slice(),
        };
        let [_, run, evidence, rest @ ..] = own else { return Ok(false) };
        let (Ok(run), Ok(evidence)) = (RunId::parse(run), EvidenceId::parse(evidence)) else {
            return self.named_by_a_story(own, piece);
        };
        if own.join("/") != format!("{}/{}", layout::material_dir(&run, &evidence), rest.join("/")) {
            return Ok(false);
        }
        let named = match piece.is_tree {
            true if rest != ["tree"] => return Ok(false),
            true => piece.id.to_string(),
            false => match self.records.view().repository().read_verified(piece.id, Kind::Blob, CAP) {
                Ok(bytes) => Digest::of(&bytes).to_string(),
                Err(error) if error.code == Code::Rapid1505 => return Ok(true),
                Err(_) => return Ok(false),
            },
        };
        let (items, aside) = self.run(&run)?;
        let path = format!("{}{}", Evidence::artifact_prefix(&run, &evidence), rest.join("/"));
        let item = items.iter().find(|item| item.id == evidence);
        Ok(aside.contains(&named)
            || item.is_some_and(|item| match piece.is_tree {
                // Where a record names no tree, nothing contradicts the one that was kept with it.
                true => {
                    let record = item.to_value();
                    let tree = record.get("payload").and_then(|payload| payload.get("tree"));
                    tree.is_none_or(|tree| *tree == Value::Null)
                        || String::from_utf8_lossy(&record.record_bytes()).contains(&named)
                }
                false => item
                    .artifacts
                    .iter()
                    .any(|artifact| artifact.path.as_str() == path && artifact.sha256.to_string() == named),
            }))
    }

    /// Whether it is of a turn of a story: below `<hh>/<story>/<ordinal>`, with a digest or an id that the record has.
    fn named_by_a_story(&self, own: &[&str], piece: &Piece) -> Result<bool> {
        let [_, story, turn, ..] = own else { return Ok(false) };
        let digits = turn.strip_suffix("-after").unwrap_or(turn);
        let (id, Ok(ordinal)) = (StoryId::of(*story), digits.parse::<u32>()) else { return Ok(false) };
        if !id.is_recordable() || !own.join("/").starts_with(&layout::story_material_dir(&id, ordinal)) {
            return Ok(false);
        }
        let Some(record) = self.records.view().read(&Place::Story(id, ordinal).path())? else { return Ok(false) };
        let named = match piece.is_tree {
            true => piece.id.to_string(),
            false => match self.records.view().repository().read_verified(piece.id, Kind::Blob, CAP) {
                Ok(bytes) => Digest::of(&bytes).to_string(),
                Err(error) => return Ok(error.code == Code::Rapid1505),
            },
        };
        Ok(String::from_utf8_lossy(&record).contains(&named))
    }

    fn run(&mut self, id: &RunId) -> Result<&(Vec<Evidence>, String)> {
        if !self.runs.contains_key(id) {
            let items = match self.records.has_run(id)? {
                true => self.records.run(id)?.evidence,
                false => Vec::new(),
            };
            let mut aside = String::new();
            read_below(self.records.view(), &format!("{DIVERGED}/{}", layout::run_dir(id)), &mut aside)?;
            self.runs.insert(id.clone(), (items, aside));
        }
        self.runs.get(id).ok_or_else(|| Code::Rapid003.because("a run that was just looked up is not there"))
    }
}

/// The text of all records below a directory.
fn read_below(view: &View<'_>, directory: &str, text: &mut String) -> Result<()> {
    for name in view.list(directory)? {
        let path = format!("{directory}/{name}");
        match view.locate(&path)? {
            Some((crate::git::Mode::Tree, _)) => read_below(view, &path, text)?,
            Some(_) if text.len() < ASIDE => {
                text.push_str(&String::from_utf8_lossy(&view.read(&path)?.unwrap_or_default()));
            }
            _ => {}
        }
    }
    Ok(())
}
