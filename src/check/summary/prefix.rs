//! Outputs in which a tool has put a prefix before every line of a script: pnpm's `pkg test: `, lerna's `pkg: `,
//! turbo's `pkg:test: `.
//!
//! A prefix counts only once its tool has shown the start of the script behind it; the lines of each script are then read
//! as an output of their own. A session that other lines stand in is not believed. Not here: prefixes nobody announced.

use std::collections::HashMap;

use super::finding::{Findings, Session, Total};
use super::pattern::{patterns, text};
use super::runner::{Lines, scan_all};

patterns! {
    // `packages/a test$ mocha t.js`
    PNPM_START = r"^(\S+ [^\s:]+)\$ \S";
    // `a: > a@1.0.0 test`
    NPM_START = r"^(\S+:) > \S+@\S* \S+$";
}

/// The lines of one script, and where they stand.
#[derive(Default)]
struct Script<'t> {
    lines: Vec<&'t str>,
    at: Vec<usize>,
}

/// Reads every script with an announced prefix.
pub(super) fn scan_scripts<'t>(lines: &Lines<'t>, findings: &mut Findings) {
    let mut scripts: HashMap<String, Script<'t>> = HashMap::new();
    for line in lines {
        if line.contains("$ ")
            && let Some(found) = PNPM_START.captures(line)
        {
            scripts.entry(format!("{}:", text(&found, 1))).or_default();
        } else if line.contains(": > ")
            && let Some(found) = NPM_START.captures(line)
        {
            scripts.entry(text(&found, 1).to_owned()).or_default();
        }
    }
    if scripts.is_empty() {
        return;
    }
    for (at, line) in lines.iter().enumerate() {
        if let Some((prefix, rest)) = split(line, &scripts)
            && let Some(script) = scripts.get_mut(prefix)
        {
            script.lines.push(rest);
            script.at.push(at);
        }
    }
    let filled = filled_before(lines);
    for script in scripts.into_values() {
        script.scan(&filled, findings);
    }
}

/// The prefix of a line, of one word or two, and what follows it.
fn split<'l>(line: &'l str, known: &HashMap<String, Script<'_>>) -> Option<(&'l str, &'l str)> {
    let mut ends = line.match_indices(':').map(|(at, _)| at + 1).take(4);
    ends.find_map(|end| {
        let (prefix, rest) = line.split_at_checked(end)?;
        let whole = rest.is_empty() || rest.starts_with(' ');
        (whole && known.contains_key(prefix)).then(|| (prefix, rest.strip_prefix(' ').unwrap_or(rest)))
    })
}

/// How many lines before each line are not blank.
fn filled_before(lines: &Lines<'_>) -> Vec<usize> {
    let mut filled = 0;
    let mut sums = vec![0];
    for line in lines {
        filled += usize::from(!line.is_empty());
        sums.push(filled);
    }
    sums
}

impl Script<'_> {
    fn scan(&self, filled: &[usize], findings: &mut Findings) {
        let mut own = Findings::default();
        scan_all(&self.lines, &mut own);
        for session in own.sessions {
            if let Some(session) = self.placed(session, filled) {
                findings.session(session);
            }
        }
        findings.alarms.extend(own.alarms);
        findings.notices.extend(own.notices);
        findings.replayed = findings.replayed.or(own.replayed);
        for red in own.reds {
            findings.red(self.at.get(red.line).copied().unwrap_or(usize::MAX), red.what);
        }
        let place = |total: Total| Total { line: self.at.get(total.line).copied().unwrap_or(usize::MAX), ..total };
        findings.total = findings.total.take().or(own.total.map(place));
        findings.shown = findings.shown.plus(own.shown);
    }

    /// The session on the lines of the whole output, doubted when lines without the prefix stand in it.
    fn placed(&self, mut session: Session, filled: &[usize]) -> Option<Session> {
        let own = session.last.saturating_sub(session.first) + 1;
        let last = session.last.min(self.at.len().checked_sub(1)?);
        session.first = *self.at.get(session.first)?;
        session.last = *self.at.get(last)?;
        let all = filled.get(session.last + 1)?.saturating_sub(*filled.get(session.first)?);
        Some(session.unless(all <= own, "lines of another program stand in a session"))
    }
}
