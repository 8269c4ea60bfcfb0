//! What many runs show together: how many pass, what was waived, what is still open, and checks that say different things about
//! the same code.

use super::dossier::{Dossier, RunFile, check_outcome};
use crate::domain::{lifecycle::RunStatus, report::Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers over the runs of a dossier.
#[derive(Debug, Default)]
pub(super) struct Trends {
    /// Runs that were closed, by verdict; given up ones are not among them.
    pub closed: BTreeMap<&'static str, usize>,
    /// Runs that were given up.
    pub given_up: usize,
    /// Runs that are not over.
    pub open: usize,
    /// Gates that somebody let go: run, gate, why.
    pub waivers: Vec<(String, String, String)>,
    /// Checks that are not the same each time.
    pub flaky: Vec<Flaky>,
}

/// One command that was green and red on one tree.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaky {
    /// The command.
    pub command: Vec<String>,
    /// The code.
    pub tree: String,
    /// How often it was green, and how often red.
    pub counts: (usize, usize),
    /// The runs in which it was seen.
    pub runs: BTreeSet<String>,
}

impl Trends {
    pub(super) fn of(dossier: &Dossier) -> Trends {
        let mut out = Trends::default();
        for verdict in Verdict::ALL {
            out.closed.insert(verdict.as_str(), 0);
        }
        for run in &dossier.runs {
            match run.state.status {
                RunStatus::Finished => *out.closed.entry(run.report.verdict().as_str()).or_default() += 1,
                RunStatus::Failed | RunStatus::Cancelled => out.given_up += 1,
                RunStatus::Prepared | RunStatus::Active | RunStatus::Blocked => out.open += 1,
            }
            let id = run.contract.run_id.to_string();
            out.waivers.extend(run.waived().into_iter().map(|(gate, reason)| (id.clone(), gate, reason)));
        }
        out.flaky = flaky(&dossier.runs);
        out
    }

    /// How many runs were closed, and how many of them pass.
    pub(super) fn passed(&self) -> (usize, usize) {
        let passing = |(verdict, count): (&&str, &usize)| {
            let is_pass = Verdict::ALL.iter().any(|known| known.as_str() == *verdict && known.is_pass());
            if is_pass { *count } else { 0 }
        };
        (self.closed.values().sum(), self.closed.iter().map(passing).sum())
    }
}

/// Green and red on the same tree, by the same command. What proves nothing is neither.
fn flaky(runs: &[RunFile]) -> Vec<Flaky> {
    let mut seen: BTreeMap<(Vec<String>, String), Flaky> = BTreeMap::new();
    for run in runs {
        for item in run.checks() {
            let facts = item.evidence.payload.check_facts();
            let Some((command, tree)) = facts.and_then(|facts| Some((facts.command.clone()?, facts.tree.as_ref()?)))
            else {
                continue;
            };
            let outcome = check_outcome(&item.evidence);
            let counts = (usize::from(outcome == "pass"), usize::from(outcome == "fail"));
            let tree = tree.to_string();
            let known = seen.entry((command.clone(), tree.clone())).or_insert_with(|| Flaky {
                command,
                tree,
                counts: (0, 0),
                runs: BTreeSet::new(),
            });
            known.counts = (known.counts.0 + counts.0, known.counts.1 + counts.1);
            known.runs.insert(run.contract.run_id.to_string());
        }
    }
    seen.into_values().filter(|check| check.counts.0 > 0 && check.counts.1 > 0).collect()
}
