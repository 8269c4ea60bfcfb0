//! What was read and checked already, by its id, within a bound: what nobody asked for in a while goes first.

use crate::git::Oid;
use std::collections::HashMap;
use std::rc::Rc;

/// How many bytes one generation remembers. One directory of a large ledger comes back after some hundred entries.
const GENERATION: usize = 12 << 20;

/// Two generations: what is asked for moves into the younger; when that is full, the older one goes.
pub(super) struct Remembered<T> {
    young: HashMap<Oid, (Rc<T>, usize)>,
    old: HashMap<Oid, (Rc<T>, usize)>,
    bytes: usize,
}

impl<T> Default for Remembered<T> {
    fn default() -> Remembered<T> {
        Remembered { young: HashMap::new(), old: HashMap::new(), bytes: 0 }
    }
}

impl<T> Remembered<T> {
    pub(super) fn get(&mut self, id: &Oid) -> Option<&Rc<T>> {
        if let Some((it, size)) = self.old.remove(id) {
            self.insert(*id, it, size);
        }
        self.young.get(id).map(|(it, _)| it)
    }

    pub(super) fn insert(&mut self, id: Oid, it: Rc<T>, size: usize) {
        if self.bytes > GENERATION {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size;
        self.young.insert(id, (it, size));
    }
}
