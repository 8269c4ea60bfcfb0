//! Circles: one pass finds the groups of stories that wait for each other, a second one an exact path through each.

use super::{Graph, Node};
use std::collections::VecDeque;

/// What the pass knows of a story.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// When it was met, from 1; 0 is never.
    met: usize,
    /// The earliest that it leads back to.
    low: usize,
    open: bool,
}

impl Graph {
    /// One circle of each group of stories that wait for each other, among those that `within` keeps: the shortest through the
    /// group's first story, beginning there, each story waiting for the next and the last for the first. In the order
    /// of their first stories, so that the same backlog always has the same answer.
    pub fn cycles(&self, within: impl Fn(Node) -> bool) -> Vec<Vec<Node>> {
        let mut groups = self.groups(&within);
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        let mut inside = vec![0_usize; self.len()];
        let mut cycles = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            for node in group {
                if let Some(mark) = inside.get_mut(*node) {
                    *mark = number + 1;
                }
            }
            let Some(first) = group.first() else { continue };
            cycles.extend(self.path_back(*first, |node| inside.get(node) == Some(&(number + 1))));
        }
        cycles
    }

    /// The shortest way from a story along what blocks it back to itself.
    pub fn path_back(&self, start: Node, within: impl Fn(Node) -> bool) -> Option<Vec<Node>> {
        let mut from: std::collections::HashMap<Node, Node> = std::collections::HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for dep in self.deps(node) {
                if *dep == start {
                    let mut path = vec![node];
                    let mut at = node;
                    while at != start {
                        at = from.get(&at).copied()?;
                        path.push(at);
                    }
                    path.reverse();
                    return Some(path);
                }
                if within(*dep) && !from.contains_key(dep) {
                    from.insert(*dep, node);
                    queue.push_back(*dep);
                }
            }
        }
        None
    }

    /// Tarjan's strongly connected components with a stack of its own; only those that hold a circle.
    fn groups(&self, within: &impl Fn(Node) -> bool) -> Vec<Vec<Node>> {
        let mut marks = vec![Mark::default(); self.len()];
        let mut clock = 0;
        let mut path: Vec<Node> = Vec::new();
        let mut work: Vec<(Node, usize)> = Vec::new();
        let mut groups = Vec::new();
        for root in (0..self.len()).filter(|node| within(*node)) {
            if marks.get(root).is_some_and(|mark| mark.met == 0) {
                work.push((root, 0));
            }
            while let Some((node, edge)) = work.pop() {
                if edge == 0 {
                    clock += 1;
                    if let Some(mark) = marks.get_mut(node) {
                        *mark = Mark { met: clock, low: clock, open: true };
                    }
                    path.push(node);
                }
                let mut low = marks.get(node).map_or(0, |mark| mark.low);
                let mut descend = None;
                for (index, dep) in self.deps(node).iter().enumerate().skip(edge.saturating_sub(1)) {
                    if !within(*dep) {
                        continue;
                    }
                    let mark = marks.get(*dep).copied().unwrap_or_default();
                    if mark.met == 0 {
                        descend = Some((index, *dep));
                        break;
                    }
                    if mark.open {
                        low = low.min(mark.low);
                    }
                }
                if let Some(mark) = marks.get_mut(node) {
                    mark.low = low;
                }
                if let Some((index, dep)) = descend {
                    // Coming back, the same edge is looked at again and gives the low of what it led to.
                    work.push((node, index + 1));
                    work.push((dep, 0));
                    continue;
                }
                if marks.get(node).is_some_and(|mark| mark.low == mark.met) {
                    let mut group = Vec::new();
                    while let Some(member) = path.pop() {
                        if let Some(mark) = marks.get_mut(member) {
                            mark.open = false;
                        }
                        group.push(member);
                        if member == node {
                            break;
                        }
                    }
                    if group.len() > 1 || self.deps(node).contains(&node) {
                        groups.push(group);
                    }
                }
            }
        }
        groups
    }
}
