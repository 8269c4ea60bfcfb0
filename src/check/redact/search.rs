//! Going through the ways to find a secret, and the ways to read a text.
//!
//! Not here: the ways themselves. In the joined reading every line runs into the next, so a find there counts only when
//! it goes over the end of a line, and only as far as what follows looks like its continuation: a token that is whole at
//! the end of its line doesn't eat the first word of the next.

use std::collections::BTreeSet;
use std::ops::Range;

use regex::bytes::Regex;

use super::Redactor;
use super::spans::Span;
use super::view::View;
use super::{assigned, blocks, plain, shapes, strength};

/// All secrets, in no order, overlapping ones included.
pub(super) fn all(redactor: &Redactor, bytes: &[u8]) -> Vec<Span> {
    let clean = View::clean(bytes);
    let shapes = if plain::is_plain(bytes) { &[] } else { shapes::compiled() };
    let mut found = Found { redactor, shapes, spans: Vec::new(), starts: BTreeSet::new() };
    if clean.text.len() != bytes.len() {
        // What is invisible can hold a secret too: the address of a link, the title of a window.
        found.in_view(&View::raw(bytes));
    }
    found.in_view(&clean);
    let joined = View::joined(bytes);
    if !joined.joins.is_empty() {
        found.starts = found.spans.iter().map(|span| span.range.start).collect();
        found.in_view(&joined);
    }
    found.spans
}

/// The lines that a secret without a form of its own for that goes over at most.
const MOST_LINES: usize = 64;
/// How a replacement begins.
const REPLACED: &[u8] = b"[redacted:";

struct Found<'a> {
    redactor: &'a Redactor,
    shapes: &'static [shapes::Compiled],
    spans: Vec<Span>,
    /// Where the secrets begin that stand on one line, once they are known.
    starts: BTreeSet<usize>,
}

impl Found<'_> {
    fn in_view(&mut self, view: &View) {
        for literal in &self.redactor.literals {
            for found in literal.find_iter(&view.text) {
                // A value is known to its last byte, so it needs no trimming.
                let crosses = view.joins.is_empty() || !view.joins_in(&found.range()).is_empty();
                if crosses {
                    self.add(view, found.range(), found.range(), "value");
                }
            }
        }
        for shape in self.shapes {
            let pattern = if view.joins.is_empty() { &shape.pattern } else { &shape.unbounded };
            self.by_pattern(view, pattern, shape.at_word, shape.name);
        }
        for pattern in &self.redactor.extra {
            self.by_pattern(view, pattern, false, "custom");
        }
        for found in assigned::find(&view.text) {
            // Any value can be a whole one.
            if let Some(range) = self.trimmed(view, found, &|_| true) {
                self.add(view, range.clone(), range, "assigned");
            }
        }
        if view.joins.is_empty() {
            for found in blocks::find(&view.text) {
                self.add(view, found.clone(), found, "private-key");
            }
        }
    }

    fn by_pattern(&mut self, view: &View, pattern: &Regex, at_word: bool, shape: &'static str) {
        let has_group = pattern.captures_len() > 1;
        let complete = |prefix: &[u8]| pattern.find(prefix).is_some_and(|found| found.start() == 0);
        let mut take = |whole: Range<usize>, secret: Range<usize>| {
            if at_word && !view.begins_word(whole.start) {
                return;
            }
            // Trimmed as a whole, since only a whole match can be complete.
            let Some(trimmed) = self.trimmed(view, whole.clone(), &complete) else { return };
            let secret = secret.start..secret.end.min(trimmed.end);
            let text = view.get(&secret);
            // What was replaced before is not replaced again, also when it stands in the middle of something.
            let replaced = text.windows(REPLACED.len()).any(|window| window == REPLACED);
            if !secret.is_empty() && !replaced && !strength::is_placeholder(text) {
                self.add(view, whole, secret, shape);
            }
        };
        if has_group {
            for found in pattern.captures_iter(&view.text) {
                if let (Some(whole), Some(secret)) = (found.get(0), found.get(1)) {
                    take(whole.range(), secret.range());
                }
            }
        } else {
            pattern.find_iter(&view.text).for_each(|found| take(found.range(), found.range()));
        }
    }

    fn add(&mut self, view: &View, whole: Range<usize>, secret: Range<usize>, shape: &'static str) {
        let text = view.get(&secret);
        if !self.redactor.is_allowed(text) && !self.redactor.is_allowed(view.get(&whole)) {
            self.spans.push(Span { range: view.original(&secret), shape });
        }
    }

    /// A find as it is in an ordinary view; in a joined one, only if it goes over the end of a line, and then cut at the
    /// first end of a line where it is already complete and what follows is another secret or doesn't look like more of
    /// this one.
    fn trimmed(&self, view: &View, range: Range<usize>, complete: &dyn Fn(&[u8]) -> bool) -> Option<Range<usize>> {
        if view.joins.is_empty() {
            return Some(range);
        }
        let joins = view.joins_in(&range);
        // Nobody's secret has more lines, and each costs a look at all before it.
        let range = range.start..joins.get(MOST_LINES).copied().unwrap_or(range.end);
        let joins = view.joins_in(&range);
        let ends = joins.iter().skip(1).copied().chain([range.end]);
        let stop = joins.iter().zip(ends).find(|(join, end)| {
            let more = **join..*end;
            let another = self.starts.contains(&view.original(&more).start);
            let before = view.get(&(range.start..**join));
            let alone = view.ends_line(more.end);
            (another || !strength::goes_on(before, view.get(&more), alone)) && complete(before)
        });
        let cut = range.start..stop.map_or(range.end, |(join, _)| *join);
        (!view.joins_in(&cut).is_empty()).then_some(cut)
    }
}
