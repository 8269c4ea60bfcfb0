//! When nobody can be worked: which circles there are, at which of their stories the product owner breaks one, and what
//! every other story waits for.

use super::graph::{Graph, Node};
use super::id::StoryId;
use super::state::State;
use super::status::Status;

/// Why a story cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its blocker was given up.
    Failed(StoryId),
    /// There is no such story.
    Missing(String),
    /// Its blocker's file cannot be read.
    Unreadable(StoryId),
    /// Its blocker is not part of this run.
    FilteredOut(StoryId),
    /// Its blocker cannot go on either.
    Waits(StoryId),
    /// It waits for itself, along this path.
    Cycle(Vec<StoryId>),
    /// Its own file cannot be read.
    Broken,
}

/// A story that cannot go on, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The story.
    pub story: StoryId,
    /// Every cause.
    pub causes: Vec<Cause>,
}

impl Cause {
    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Cause::Failed(_) => "blocked_by_failed",
            Cause::Missing(_) => "blocked_by_missing",
            Cause::Unreadable(_) => "blocked_by_unreadable",
            Cause::FilteredOut(_) => "blocked_by_filtered_out",
            Cause::Waits(_) => "blocked_by_stuck",
            Cause::Cycle(_) => "cycle",
            Cause::Broken => "unreadable",
        }
    }

    /// A sentence for people.
    pub fn sentence(&self) -> String {
        match self {
            Cause::Failed(id) => format!("{id} was given up"),
            Cause::Missing(name) => format!("{name} does not exist"),
            Cause::Unreadable(id) => format!("{id} cannot be read"),
            Cause::FilteredOut(id) => format!("{id} is not Done and not part of this run"),
            Cause::Waits(id) => format!("{id} cannot go on either"),
            Cause::Cycle(path) => format!("circle: {}", arrows(path)),
            Cause::Broken => "its own file cannot be read".to_owned(),
        }
    }
}

/// A circle as people read it, closed by its first story.
pub fn arrows(path: &[StoryId]) -> String {
    let names: Vec<&str> = path.iter().chain(path.first()).map(StoryId::as_str).collect();
    names.join(" → ")
}

/// The story of a circle at which it is broken: the one with the fewest strikes that unblocks most, then the lowest number.
pub fn breaker(state: &State, graph: &Graph, cycle: &[Node]) -> Option<Node> {
    let key = |node: &Node| {
        let strikes = state.strikes(*node, Status::Blocked);
        (strikes, std::cmp::Reverse(graph.dependants(*node).len()), *node)
    };
    cycle.iter().copied().min_by_key(key)
}

/// Every story of the run that is not finished and cannot go on.
pub fn stuck(state: &State, graph: &Graph, selected: impl Fn(Node) -> bool) -> Vec<Stuck> {
    let waits = |node: Node| state.status(node) == Some(Status::Blocked) && selected(node);
    let mut circle: Vec<Option<usize>> = vec![None; graph.len()];
    let cycles = graph.cycles(waits);
    for (number, cycle) in cycles.iter().enumerate() {
        for node in cycle {
            if let Some(slot) = circle.get_mut(*node) {
                *slot = Some(number);
            }
        }
    }
    let id = |node: Node| state.story(node).map(|story| story.id.clone());
    let mut all = Vec::new();
    for (node, story) in state.stories().iter().enumerate().filter(|(node, _)| selected(*node)) {
        let causes = match story.status {
            None => vec![Cause::Broken],
            Some(Status::Blocked) => {
                let mut causes: Vec<Cause> = graph.missing(node).iter().cloned().map(Cause::Missing).collect();
                if let Some(cycle) = circle.get(node).copied().flatten().and_then(|number| cycles.get(number)) {
                    causes.push(Cause::Cycle(cycle.iter().copied().filter_map(id).collect()));
                }
                for dep in graph.deps(node) {
                    let Some(name) = id(*dep) else { continue };
                    match state.status(*dep) {
                        Some(Status::Done) => {}
                        Some(Status::Failed) => causes.push(Cause::Failed(name)),
                        None => causes.push(Cause::Unreadable(name)),
                        Some(_) if !selected(*dep) => causes.push(Cause::FilteredOut(name)),
                        Some(_) => causes.push(Cause::Waits(name)),
                    }
                }
                causes
            }
            Some(_) => continue,
        };
        all.push(Stuck { story: story.id.clone(), causes });
    }
    all
}
