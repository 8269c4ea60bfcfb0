//! `log`: the ledger as a history of entries, told one after the other; which of them, and why none where there is none.

use super::{rapid::Rapid, show::Entry};
use crate::diagnostics::{Code, Result};
use crate::domain::{ids::RunId, near::or_near};
use crate::git::Oid;
use crate::ledger::{EntryInfo, Ledger, Link, only};
use crate::registry::Place;
use std::collections::{BTreeSet, HashSet};

/// The verbs that write entries, as their messages say it.
pub const VERBS: &[&str] = &[
    "abort", "approve", "attach", "begin", "check", "eval", "evidence", "expunge", "finish", "merge", "mission", "run",
    "spec", "start", "story", "sync", "task", "verify",
];

/// How many writers are named where none fits.
const MOST_WRITERS: usize = 5;

/// What is asked for.
pub struct Request {
    /// Which entries.
    pub filter: Filter,
    /// How many of them, the newest.
    pub limit: usize,
    /// Whether each comes with what it is drawn above, none before one that follows it.
    pub graph: bool,
    /// Whether the paths of their records are asked for.
    pub records: bool,
}

/// Which entries.
#[derive(Default)]
pub struct Filter {
    /// Those that added records of this run.
    pub run: Option<RunId>,
    /// Those whose writer's name or address holds this, in any case.
    pub actor: Option<String>,
    /// Those that this verb wrote, as their message says.
    pub verb: Option<String>,
    /// Those that were written at this time or later, in seconds since 1970, by their writers' clocks.
    pub since: Option<i64>,
    /// Those that were written at this time or before.
    pub until: Option<i64>,
}

impl Filter {
    /// Refuses what no entry can ever fit (RAPID001).
    pub fn refuse_impossible(&self) -> Result<()> {
        let empty = |name: &str, value: &Option<String>| match value {
            Some(value) if value.trim().is_empty() => {
                Err(Code::Rapid001.because(format!("{name} is empty")).hint(format!("leave {name} out to see all")))
            }
            _ => Ok(()),
        };
        empty("--actor", &self.actor)?;
        empty("--verb", &self.verb)?;
        match self.since.zip(self.until) {
            Some((since, until)) if since > until => Err(Code::Rapid001
                .because("--since lies after --until, so that no entry can fit")
                .hint("exchange the two")),
            _ => Ok(()),
        }
    }

    fn is_open(&self) -> bool {
        let Filter { run, actor, verb, since, until } = self;
        run.is_none() && actor.is_none() && verb.is_none() && since.is_none() && until.is_none()
    }

    /// Whether what an entry says of itself is what is asked for; its records are not looked at.
    fn keeps(&self, info: &EntryInfo) -> bool {
        let actor = self.actor.as_ref().is_none_or(|asked| info.author.to_lowercase().contains(&asked.to_lowercase()));
        let verb = self.verb.as_ref().is_none_or(|asked| info.verb == *asked);
        let time = self.since.is_none_or(|since| info.seconds >= since)
            && self.until.is_none_or(|until| info.seconds <= until);
        actor && verb && time
    }
}

/// What was found beside the entries themselves.
#[derive(Default)]
pub struct Seen {
    /// How many entries were told.
    pub told: usize,
    /// The entries among those looked at behind which this clone has nothing: it is shallow there.
    pub cut: Vec<Oid>,
    /// Who wrote entries, where none of them fitted; not all of them when there are many.
    pub writers: BTreeSet<String>,
}

/// Tells the newest entries that a filter keeps, newest first, until `tell` has heard enough (RAPID1007 when it names no run,
/// RAPID001 when no entry can fit). With a graph each comes with the entries that it is drawn above.
pub fn log(rapid: &Rapid, request: &Request, tell: &mut dyn FnMut(Entry, &[Oid]) -> bool) -> Result<Seen> {
    request.filter.refuse_impossible()?;
    let registry = rapid.registry();
    let records = registry.existing_records()?;
    let run = request.filter.run.as_ref().map(|id| records.meant(id)).transpose()?;
    let below = run.map(|id| Place::Contract(id).path().trim_end_matches("contract.json").to_owned());
    let ledger = registry.ledger();
    let cut = ledger.cut_at()?;
    let mut looking = Looking { request, ledger, below, cut: &cut, seen: Seen::default() };
    match request.graph {
        true => looking.drawn(tell)?,
        false => looking.listed(tell)?,
    }
    match &request.filter.verb {
        Some(verb) if looking.seen.told == 0 && !VERBS.contains(&verb.as_str()) => Err(or_near(
            Code::Rapid001.because(format!("no verb '{}' writes entries", verb.escape_debug())),
            verb,
            VERBS,
            format!("the verbs are {}", VERBS.join(", ")),
        )),
        _ => Ok(looking.seen),
    }
}

/// A look through the history.
struct Looking<'a, 'r> {
    request: &'a Request,
    ledger: &'a Ledger<'r>,
    /// What the paths of the asked run's records begin with.
    below: Option<String>,
    cut: &'a BTreeSet<Oid>,
    seen: Seen,
}

impl Looking<'_, '_> {
    fn listed(&mut self, tell: &mut dyn FnMut(Entry, &[Oid]) -> bool) -> Result<()> {
        for info in self.ledger.entries(self.cut)? {
            if self.seen.told >= self.request.limit {
                break;
            }
            if let Some(entry) = self.entry(info?)? {
                self.seen.told += 1;
                if !tell(entry, &[]) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn drawn(&mut self, tell: &mut dyn FnMut(Entry, &[Oid]) -> bool) -> Result<()> {
        let mut links: Vec<Link> = self.ledger.links(self.cut)?;
        if !self.request.filter.is_open() {
            let mut kept = HashSet::new();
            for link in &links {
                kept.extend(self.entry(self.ledger.entry(link.id)?)?.map(|entry| entry.info.id));
            }
            links = only(&links, &kept);
            self.seen.cut.clear();
        }
        for link in links.iter().take(self.request.limit) {
            if let Some(entry) = self.entry(self.ledger.entry(link.id)?)? {
                self.seen.told += 1;
                if !tell(entry, &link.parents) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The entry with its records, when it is among those that are asked for.
    fn entry(&mut self, info: EntryInfo) -> Result<Option<Entry>> {
        // What the last one before the cut added cannot be told from what was there.
        let is_cut = self.cut.contains(&info.id);
        self.seen.cut.extend(is_cut.then_some(info.id));
        if !self.request.filter.keeps(&info) {
            if self.seen.told == 0 && self.seen.writers.len() < MOST_WRITERS {
                self.seen.writers.insert(info.author);
            }
            return Ok(None);
        }
        let asked = (self.request.records || self.below.is_some()) && !is_cut;
        let records = if asked { self.ledger.added_by(info.id)? } else { Vec::new() };
        let fits = self.below.as_ref().is_none_or(|below| records.iter().any(|path| path.starts_with(below)));
        Ok(fits.then_some(Entry { info, records }))
    }
}
