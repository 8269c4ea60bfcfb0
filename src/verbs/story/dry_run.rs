//! `story run --dry-run`: the engine on the real backlog with agents that are not there. It writes nothing.

use super::load::Backlog;
use super::{Outcome, Request, require_providers};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::near::or_near;
use crate::os::clock::Stopwatch;
use crate::story::dry_run::{DryRun, Style, simulate};
use crate::story::estimate::Estimate;
use crate::story::{Filter, NothingToDo};

/// Simulates a run to its end.
pub fn dry_run(request: &Request, style: Style) -> Result<(Outcome, Estimate)> {
    let clock = Stopwatch::start();
    require_providers(&request.config)?;
    let inputs = Backlog::read(&request.root, &request.config.directories)?.inputs()?;
    let DryRun { machine, transitions, estimate } =
        simulate(inputs, &request.filter, request.config.settings.clone(), None, style)
            .map_err(|nothing| refusal(nothing, request))?;
    Ok((Outcome { machine, transitions, elapsed_seconds: clock.elapsed().as_secs() }, estimate))
}

/// Why a run cannot begin (RAPID1700).
pub fn refusal(nothing: NothingToDo, request: &Request) -> Diagnostic {
    let places = &request.config.directories;
    match (nothing, &request.filter) {
        (NothingToDo::NoStories, _) => Code::Rapid1700
            .because(format!("no file {} lies in {}", places.pattern, places.stories))
            .hint("'git rapid story init' makes the folder and a template"),
        (NothingToDo::NoneSelected, Filter::Story(id)) => {
            let stories = Backlog::read(&request.root, places).map(|backlog| backlog.stories).unwrap_or_default();
            let known: Vec<&str> = stories.iter().map(|read| read.id.as_str()).collect();
            let missing = Code::Rapid1700.because(format!("there is no story '{}'", id.escape_debug()));
            let otherwise = format!("the id is the name of its file in {}, without the ending", places.stories);
            or_near(missing, id, &known, otherwise)
        }
        (NothingToDo::NoneSelected, _) => {
            Code::Rapid1700.because("the selection takes no story").hint("a story names its epic below '## Epic'")
        }
    }
}
