//! Which story is worked next: the nearest to Done, then the one that unblocks most, then the lowest number; but whoever
//! has fresh strikes waits for those that have fewer.

use super::graph::Node;
use super::status::Status;
use super::workflow::rank;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// A story's place in the queue; the smallest is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    strikes: u32,
    rank: Reverse<u8>,
    unblocks: Reverse<usize>,
    /// Stories are in the order of their numbers.
    node: Node,
}

/// The stories that could be worked now.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    order: BTreeSet<Place>,
    places: Vec<Option<Place>>,
}

impl Queue {
    /// Room for so many stories.
    pub fn of(stories: usize) -> Queue {
        Queue { order: BTreeSet::new(), places: vec![None; stories] }
    }

    /// Puts a story where it belongs, wherever it was before.
    pub fn put(&mut self, node: Node, status: Status, strikes: u32, unblocks: usize) {
        self.take_out(node);
        let place = Place { strikes, rank: Reverse(rank(status)), unblocks: Reverse(unblocks), node };
        self.order.insert(place);
        if let Some(slot) = self.places.get_mut(node) {
            *slot = Some(place);
        }
    }

    /// Takes a story out.
    pub fn take_out(&mut self, node: Node) {
        if let Some(place) = self.places.get_mut(node).and_then(Option::take) {
            self.order.remove(&place);
        }
    }

    /// Takes the next one.
    pub fn next(&mut self) -> Option<Node> {
        let place = self.order.pop_first()?;
        if let Some(slot) = self.places.get_mut(place.node) {
            *slot = None;
        }
        Some(place.node)
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}
