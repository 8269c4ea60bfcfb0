//! A story file read: what its text says, where the word of its state stands, where its log ends, what is wrong with it.
//!
//! Nothing here touches a disk. The grammar is the one that existing backlogs follow (Spanish or English headings); one pass
//! over the lines, whatever the length of the log. What is written back is written by byte range (`edit`).

mod edit;
mod heading;
mod lines;
mod sections;

pub use edit::{append_log, set_status};

use super::finding::{Finding, Kind};
use super::id::StoryId;
use super::status::Status;
use std::ops::Range;

/// What a story file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryFile {
    /// The id that the title names, if it names one.
    pub title_id: Option<String>,
    /// The title, without the id.
    pub title: String,
    /// The state; `None` when it cannot be read.
    pub status: Option<StatusWord>,
    /// The epic.
    pub epic: Option<String>,
    /// The stories that block this one, in their order, each once.
    pub dependencies: Vec<Dependency>,
    /// How many acceptance criteria there are, and how many are ticked.
    pub criteria: Criteria,
    /// The activity log.
    pub log: Option<Log>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// The state and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusWord {
    /// The state.
    pub status: Status,
    /// The bytes of the word alone, without emphasis or comment.
    pub range: Range<usize>,
    /// The line, from 1.
    pub line: u32,
}

/// A story that blocks this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The id as it is named, upper-cased.
    pub id: String,
    /// The line, from 1.
    pub line: u32,
}

/// The acceptance criteria.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// How many.
    pub total: u32,
    /// How many are ticked.
    pub met: u32,
}

/// The activity log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The bytes behind the heading's line, up to the next section.
    pub range: Range<usize>,
    /// Where the last line that is not blank ends, its line end included.
    pub end: usize,
    /// How many entries there are.
    pub entries: u32,
}

impl StoryFile {
    /// Reads a story. A text that is not UTF-8 gives a story without a state and a finding that says where.
    pub fn parse(id: &StoryId, bytes: &[u8]) -> StoryFile {
        match std::str::from_utf8(bytes) {
            Ok(text) => sections::read(id, text),
            Err(fault) => {
                let before = bytes.get(..fault.valid_up_to()).unwrap_or_default();
                let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
                let finding = Finding::new(Kind::NotUtf8, "the text is not UTF-8 from here on").line(line);
                StoryFile { findings: vec![finding], ..StoryFile::default() }
            }
        }
    }

    /// The state, where it can be read.
    pub fn state(&self) -> Option<Status> {
        self.status.as_ref().map(|word| word.status)
    }
}

/// Whether somebody wrote into the log between two readings of a story.
pub fn log_differs(before: (&StoryFile, &[u8]), after: (&StoryFile, &[u8])) -> bool {
    let text = |(file, bytes): (&StoryFile, &[u8])| {
        file.log.as_ref().and_then(|log| bytes.get(log.range.clone())).map(<[u8]>::trim_ascii).map(<[u8]>::to_vec)
    };
    text(before) != text(after)
}

#[cfg(test)]
mod tests;
