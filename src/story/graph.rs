//! Who waits for whom: an index over the backlog, built once and changed in place.
//!
//! Nodes are places in the list of stories. No recursion: a chain may be as long as memory allows. A dependency is found by
//! its exact id, then without regard to letter case, then without the words that hang behind its number.

mod cycles;

use super::id::StoryId;
use std::collections::{BTreeMap, HashMap};

/// A story's place in the list.
pub type Node = usize;

/// The dependencies of a backlog.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    names: HashMap<String, Node>,
    deps: Vec<Vec<Node>>,
    dependants: Vec<Vec<Node>>,
    /// Names that no story has, by the story that names them; only those that have any.
    missing: BTreeMap<Node, Vec<String>>,
}

impl Graph {
    /// Indexes a backlog: each story's id and the names of its dependencies.
    pub fn of<'a, D: AsRef<str> + 'a>(stories: impl Iterator<Item = (&'a StoryId, &'a [D])> + Clone) -> Graph {
        let mut graph = Graph::default();
        let mut count = 0;
        for (node, (id, _)) in stories.clone().enumerate() {
            graph.names.entry(id.as_str().to_ascii_uppercase()).or_insert(node);
            count = node + 1;
        }
        // An exact name wins over one that differs in letter case.
        for (node, (id, _)) in stories.clone().enumerate() {
            graph.names.entry(id.as_str().to_owned()).or_insert(node);
        }
        graph.deps = vec![Vec::new(); count];
        graph.dependants = vec![Vec::new(); count];
        for (node, (_, names)) in stories.enumerate() {
            graph.set(node, names);
        }
        graph
    }

    /// How many stories there are.
    pub fn len(&self) -> usize {
        self.deps.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.deps.is_empty()
    }

    /// The story of this name.
    pub fn find(&self, name: &str) -> Option<Node> {
        if let Some(node) = self.names.get(name) {
            return Some(*node);
        }
        let upper = name.to_ascii_uppercase();
        let mut rest = upper.as_str();
        loop {
            if let Some(node) = self.names.get(rest) {
                return Some(*node);
            }
            rest = rest.rsplit_once(['-', '_'])?.0;
        }
    }

    /// The stories that block this one.
    pub fn deps(&self, node: Node) -> &[Node] {
        self.deps.get(node).map_or(&[], Vec::as_slice)
    }

    /// The stories that this one blocks.
    pub fn dependants(&self, node: Node) -> &[Node] {
        self.dependants.get(node).map_or(&[], Vec::as_slice)
    }

    /// The names that this story waits for and that no story has.
    pub fn missing(&self, node: Node) -> &[String] {
        self.missing.get(&node).map_or(&[], Vec::as_slice)
    }

    /// Gives a story other dependencies.
    pub fn set<D: AsRef<str>>(&mut self, node: Node, names: &[D]) {
        for old in self.deps.get_mut(node).map(std::mem::take).unwrap_or_default() {
            if let Some(list) = self.dependants.get_mut(old) {
                list.retain(|dependant| *dependant != node);
            }
        }
        self.missing.remove(&node);
        let mut found: Vec<Node> = Vec::with_capacity(names.len());
        for name in names.iter().map(AsRef::as_ref) {
            match self.find(name) {
                Some(dep) if found.contains(&dep) => {}
                Some(dep) => found.push(dep),
                None => self.missing.entry(node).or_default().push(name.to_owned()),
            }
        }
        for dep in &found {
            if let Some(list) = self.dependants.get_mut(*dep) {
                list.push(node);
            }
        }
        if let Some(deps) = self.deps.get_mut(node) {
            *deps = found;
        }
    }
}
