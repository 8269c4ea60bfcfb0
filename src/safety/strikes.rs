//! Strikes: how often something failed to get on, counted under a key of the caller's.

use std::collections::BTreeMap;

/// The longest wait before another try, in seconds.
const LONGEST_WAIT: u64 = 600;

/// Counts per key; a key without strikes takes no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strikes<K: Ord> {
    counts: BTreeMap<K, u32>,
}

impl<K: Ord> Default for Strikes<K> {
    fn default() -> Self {
        Strikes { counts: BTreeMap::new() }
    }
}

impl<K: Ord> Strikes<K> {
    /// One more; how many there are now.
    pub fn strike(&mut self, key: K) -> u32 {
        let count = self.counts.entry(key).or_insert(0);
        *count = count.saturating_add(1);
        *count
    }

    /// How many there are.
    pub fn count(&self, key: &K) -> u32 {
        self.counts.get(key).copied().unwrap_or(0)
    }

    /// One less: it was another's fault.
    pub fn forgive(&mut self, key: &K) {
        if let Some(count) = self.counts.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(key);
            }
        }
    }

    /// None any more: it got on.
    pub fn clear(&mut self, key: &K) {
        self.counts.remove(key);
    }

    /// Only those whose key is wanted stay.
    pub fn retain(&mut self, wanted: impl Fn(&K) -> bool) {
        self.counts.retain(|key, _| wanted(key));
    }

    /// Puts back what was written down.
    pub fn restore(&mut self, key: K, count: u32) {
        if count > 0 {
            self.counts.insert(key, count);
        }
    }

    /// All of them, in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, u32)> {
        self.counts.iter().map(|(key, count)| (key, *count))
    }
}

/// The wait before the next try after this many strikes: doubles from the base, with an end.
pub fn backoff(base: u64, strikes: u32) -> u64 {
    let doublings = strikes.saturating_sub(1).min(32);
    base.saturating_mul(1_u64 << doublings).min(LONGEST_WAIT.max(base))
}
