//! The circuit: open when the same failure hits one work after the other, so that it cannot be the work's.

use super::signature::Signature;
use std::collections::BTreeSet;

/// Whether anything may be started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Circuit {
    /// It may.
    #[default]
    Closed,
    /// It may not, for this reason; only a person closes it.
    Open(String),
}

/// Failures of the same signature in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streak<K> {
    signature: Option<Signature>,
    victims: Vec<K>,
}

impl<K> Default for Streak<K> {
    fn default() -> Self {
        Streak { signature: None, victims: Vec::new() }
    }
}

/// So many in a row, of at least two victims, open the circuit.
const IN_A_ROW: usize = 3;

impl<K: Ord + Clone> Streak<K> {
    /// Another failure; gives the victims when it opens the circuit.
    pub fn failed(&mut self, signature: &Signature, victim: K) -> Option<&[K]> {
        if self.signature.as_ref() != Some(signature) {
            self.signature = Some(signature.clone());
            self.victims.clear();
        }
        self.victims.push(victim);
        let different = self.victims.iter().collect::<BTreeSet<_>>().len();
        (self.victims.len() >= IN_A_ROW && different >= 2).then_some(self.victims.as_slice())
    }

    /// Something else happened: the provider works.
    pub fn broken(&mut self) {
        self.signature = None;
        self.victims.clear();
    }
}
