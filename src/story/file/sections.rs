//! One pass over the lines of a story.

use super::heading::{self, Section, folded};
use super::lines::{Line, Lines};
use super::{Dependency, Log, StatusWord, StoryFile};
use crate::story::finding::{Finding, Kind};
use crate::story::id::{self, StoryId};
use crate::story::status::Status;
use std::collections::BTreeSet;

/// Words that say of a line that it names blockers.
const BLOCKS: &[&str] = &["bloquead", "blocked by", "depends on", "depende de"];

/// What has been seen so far besides the story itself.
struct Reader {
    story: StoryFile,
    section: Section,
    status_heading: Option<u32>,
    epic_line: Option<u32>,
    description: bool,
    /// A title stands above the sections; what follows is prose.
    titled: bool,
    /// The last line said that it names blockers and named none: those of the list below it count.
    list_of_blockers: bool,
    seen: BTreeSet<String>,
}

pub(super) fn read(id: &StoryId, text: &str) -> StoryFile {
    let mut reader = Reader {
        story: StoryFile::default(),
        section: Section::Other,
        status_heading: None,
        epic_line: None,
        description: false,
        titled: false,
        list_of_blockers: false,
        seen: BTreeSet::new(),
    };
    let mut lines = Lines::of(text);
    let mut first = true;
    for line in lines.by_ref() {
        let text = if std::mem::take(&mut first) { line.text.trim_start_matches('\u{feff}') } else { line.text };
        reader.line(Line { text, start: line.start + (line.text.len() - text.len()), ..line });
    }
    let open = lines.open_fence();
    reader.finish(id, open)
}

impl Reader {
    fn line(&mut self, line: Line<'_>) {
        if !line.fenced
            && let Some(section) = heading::section(line.text)
        {
            self.open(section, line);
            return;
        }
        let blank = line.text.trim().is_empty();
        match self.section {
            Section::Log => {
                if let Some(log) = &mut self.story.log {
                    log.range.end = line.end;
                    if !blank {
                        log.end = line.end;
                        log.entries += u32::from(line.text.starts_with("- ") || line.text.starts_with("* "));
                    }
                }
            }
            _ if blank => {}
            Section::Status if self.story.status.is_none() && !line.fenced => self.status(line),
            Section::Epic if self.story.epic.is_none() => {
                self.story.epic = id::epic_in(line.text);
                self.epic_line.get_or_insert(line.number);
            }
            Section::Description => self.description = true,
            Section::Criteria => self.criterion(line.text.trim_start()),
            Section::Dependencies if !line.fenced => self.dependency(line),
            Section::Blockers if !line.fenced => drop(self.block(line)),
            Section::Other if !line.fenced && !self.titled => {
                if let Some(title) = heading::title(line.text) {
                    self.title(title);
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, section: Section, line: Line<'_>) {
        self.list_of_blockers = false;
        self.section = match section {
            Section::Status => match self.status_heading {
                None => {
                    self.status_heading = Some(line.number);
                    section
                }
                Some(first) => {
                    let message = format!("there is a state in line {first} already; this one is not read");
                    self.note(Finding::new(Kind::StatusTwice, message).line(line.number));
                    Section::Other
                }
            },
            Section::Log if self.story.log.is_some() => Section::Other,
            Section::Log => {
                self.story.log = Some(Log { range: line.end..line.end, end: line.end, entries: 0 });
                section
            }
            _ => section,
        };
        self.titled = true;
    }

    fn note(&mut self, finding: Finding) {
        self.story.findings.push(finding);
    }

    fn title(&mut self, title: &str) {
        self.titled = true;
        let (head, rest) = title.split_once(':').unwrap_or((title, ""));
        self.story.title_id = id::named_in(head).next();
        let words = if self.story.title_id.is_some() { rest } else { title };
        self.story.title = words.trim().to_owned();
        if self.story.title.is_empty() {
            self.story.title = title.to_owned();
        }
    }

    fn status(&mut self, line: Line<'_>) {
        let body = line.text.trim_start();
        let word = body.trim_start_matches(['*', '_', '`']);
        let start = line.start + (line.text.len() - word.len());
        let length = word.find(|c: char| !(c.is_alphabetic() || c == ' ' || c == '\t')).unwrap_or(word.len());
        let (word, rest) = word.split_at_checked(length).unwrap_or((word, ""));
        let word = word.trim_end();
        let goes_on = rest.chars().next().is_some_and(char::is_alphanumeric);
        match Status::read(word).filter(|_| !goes_on && !word.is_empty()) {
            Some(status) => {
                let range = start..start + word.len();
                self.story.status = Some(StatusWord { status, range, line: line.number });
            }
            None => {
                let shown: String = body.trim_end().chars().take(60).collect();
                let near = Status::nearest(word).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
                let message = format!("'{shown}' is none of the nine states{near}");
                self.note(Finding::new(Kind::StatusUnknown, message).line(line.number));
            }
        }
        // Only the first line that is not blank is the state.
        self.section = Section::Other;
    }

    fn criterion(&mut self, text: &str) {
        let Some(item) = text.strip_prefix("- ").or_else(|| text.strip_prefix("* ")) else { return };
        self.story.criteria.total += 1;
        let met = item.trim_start().starts_with("[x]") || item.trim_start().starts_with("[X]");
        self.story.criteria.met += u32::from(met);
    }

    fn dependency(&mut self, line: Line<'_>) {
        let text = folded(line.text);
        let blocks = BLOCKS.iter().any(|word| text.contains(word));
        if blocks {
            self.list_of_blockers = !self.block(line);
            return;
        }
        let item = line.text.trim_start().starts_with(['-', '*']);
        if self.list_of_blockers && item {
            self.block(line);
            return;
        }
        self.list_of_blockers = false;
        let named: Vec<String> = id::named_in(line.text).collect();
        if !named.is_empty() {
            let message = format!(
                "this line names {} but does not say 'Blocked by' or 'Bloqueado por', so it blocks nothing",
                named.join(", ")
            );
            self.note(Finding::new(Kind::DependencyIgnored, message).line(line.number));
        }
    }

    /// Takes every id of a line; whether there was one.
    fn block(&mut self, line: Line<'_>) -> bool {
        let mut any = false;
        for id in id::named_in(line.text) {
            any = true;
            if self.seen.insert(id.clone()) {
                self.story.dependencies.push(Dependency { id, line: line.number });
            } else {
                self.note(Finding::new(Kind::DependencyTwice, format!("{id} is named twice")).line(line.number));
            }
        }
        any
    }

    fn finish(mut self, id: &StoryId, open_fence: Option<u32>) -> StoryFile {
        let mut found = Vec::new();
        let unknown = self.story.findings.iter().any(|finding| finding.kind == Kind::StatusUnknown);
        if self.story.status.is_none() && !unknown {
            let (message, line) = match self.status_heading {
                Some(line) => ("there is no state under this heading", line),
                None => ("there is no '## Status' heading", 1),
            };
            found.push(Finding::new(Kind::StatusMissing, message).line(line));
        }
        match &self.story.title_id {
            None => found.push(Finding::new(Kind::TitleMissing, format!("there is no title '# {id}: …'")).line(1)),
            Some(named) if !named.eq_ignore_ascii_case(id.as_str()) => {
                let message = format!("the title names {named}, the file is {id}; the file's name counts");
                found.push(Finding::new(Kind::TitleMismatch, message).line(1));
            }
            Some(_) => {}
        }
        if let (None, Some(line)) = (&self.story.epic, self.epic_line) {
            found.push(Finding::new(Kind::EpicUnread, "this section names no epic like EPIC-001").line(line));
        }
        if !self.description {
            found.push(Finding::new(Kind::DescriptionMissing, "there is no description"));
        }
        if self.story.criteria.total == 0 {
            found.push(Finding::new(Kind::CriteriaMissing, "there are no acceptance criteria ('- [ ] …')"));
        }
        if self.story.log.is_none() {
            found.push(Finding::new(Kind::LogMissing, "there is no '## Activity Log'; the first entry makes one"));
        }
        if let Some(line) = open_fence {
            found.push(Finding::new(Kind::FenceOpen, "this code fence is never closed").line(line));
        }
        self.story.findings.extend(found);
        self.story
    }
}
