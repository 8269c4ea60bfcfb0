//! The ledger's history as it is drawn: every entry with those it follows, none before one that follows it. Only ids are held;
//! what an entry says is read when it is shown (`history`).

use super::Ledger;
use crate::diagnostics::Result;
use crate::git::Oid;
use std::collections::{BTreeSet, HashMap, HashSet};

/// An entry and those that it is drawn above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The entry.
    pub id: Oid,
    /// What it follows.
    pub parents: Vec<Oid>,
}

impl Ledger<'_> {
    /// All entries, newest first, the sides of a merge one after the other. None lies behind one of `cut`.
    pub fn links(&self, cut: &BTreeSet<Oid>) -> Result<Vec<Link>> {
        let tip = self.standing_tips()?.ledger;
        let mut parents: HashMap<Oid, Vec<Oid>> = HashMap::new();
        let mut followers: HashMap<Oid, usize> = HashMap::new();
        let mut waiting: Vec<Oid> = tip.into_iter().collect();
        while let Some(id) = waiting.pop() {
            if parents.contains_key(&id) {
                continue;
            }
            let own = if cut.contains(&id) { Vec::new() } else { self.repository().parents_of(id)? };
            for parent in &own {
                *followers.entry(*parent).or_default() += 1;
                waiting.push(*parent);
            }
            parents.insert(id, own);
        }
        let mut links = Vec::with_capacity(parents.len());
        let mut ready: Vec<Oid> = tip.into_iter().collect();
        while let Some(id) = ready.pop() {
            let parents = parents.remove(&id).unwrap_or_default();
            for parent in &parents {
                if let Some(left) = followers.get_mut(parent) {
                    *left = left.saturating_sub(1);
                    ready.extend((*left == 0).then_some(*parent));
                }
            }
            links.push(Link { id, parents });
        }
        Ok(links)
    }
}

/// The history of some of its entries: each is drawn above the nearest of them that lie behind it.
pub fn only(links: &[Link], kept: &HashSet<Oid>) -> Vec<Link> {
    // The kept ones that stand for an entry, oldest entry first.
    let mut stand: HashMap<Oid, Vec<Oid>> = HashMap::new();
    let mut drawn = Drawn::default();
    for (place, link) in links.iter().enumerate().rev() {
        let mut behind: Vec<Oid> = Vec::new();
        for id in link.parents.iter().filter_map(|parent| stand.get(parent)).flatten() {
            if !behind.contains(id) {
                behind.push(*id);
            }
        }
        drawn.leave_nearest(&mut behind);
        if kept.contains(&link.id) {
            drawn.behind.insert(link.id, (place, behind));
            behind = vec![link.id];
        }
        stand.insert(link.id, behind);
    }
    let link = |link: &Link| drawn.behind.get(&link.id).map(|(_, parents)| (link.id, parents.clone()));
    links.iter().filter_map(link).map(|(id, parents)| Link { id, parents }).collect()
}

/// What is drawn so far: for each entry its place among all, and what it is drawn above.
#[derive(Default)]
struct Drawn {
    behind: HashMap<Oid, (usize, Vec<Oid>)>,
}

impl Drawn {
    /// Leaves out of several entries those that lie behind another of them: a line to them would be drawn twice.
    fn leave_nearest(&self, ids: &mut Vec<Oid>) {
        if ids.len() < 2 {
            return;
        }
        let last = ids.iter().filter_map(|id| self.behind.get(id)).map(|(place, _)| *place).max().unwrap_or(0);
        let below = |id: &Oid| self.behind.get(id).map(|(_, parents)| parents.as_slice()).unwrap_or_default();
        let mut seen: HashSet<Oid> = HashSet::new();
        let mut waiting: Vec<Oid> = ids.iter().flat_map(below).copied().collect();
        while let Some(id) = waiting.pop() {
            // Behind the last of them lies none of them.
            if self.behind.get(&id).is_some_and(|(place, _)| *place <= last) && seen.insert(id) {
                waiting.extend(below(&id));
            }
        }
        ids.retain(|id| !seen.contains(id));
    }
}

#[cfg(test)]
mod tests {
    use super::{Link, only};
    use crate::git::Oid;
    use std::collections::HashSet;

    fn id(letter: char) -> Oid {
        Oid::from_hex(&format!("{:02x}", letter as u32).repeat(20)).unwrap()
    }

    fn drawn(history: &[(char, &str)], kept: &str) -> Vec<(char, String)> {
        let links: Vec<Link> = history
            .iter()
            .map(|(own, parents)| Link { id: id(*own), parents: parents.chars().map(id).collect() })
            .collect();
        let kept: HashSet<Oid> = kept.chars().map(id).collect();
        let letter = |of: &Oid| history.iter().map(|(own, _)| *own).find(|own| id(*own) == *of).unwrap();
        only(&links, &kept).iter().map(|link| (letter(&link.id), link.parents.iter().map(letter).collect())).collect()
    }

    #[test]
    fn what_is_left_out_leaves_no_gap_and_no_line_twice() {
        // g follows a merge of two sides of b: d above c, and e.
        let history = [('g', "f"), ('f', "de"), ('e', "b"), ('d', "c"), ('c', "b"), ('b', "a"), ('a', "")];
        let rows = |kept: &str| {
            let rows: Vec<String> =
                drawn(&history, kept).into_iter().map(|(own, parents)| format!("{own}>{parents}")).collect();
            rows.join(" ")
        };
        assert_eq!(rows("abcdefg"), "g>f f>de e>b d>c c>b b>a a>");
        assert_eq!(rows("gdeb"), "g>de e>b d>b b>");
        assert_eq!(rows("gcb"), "g>c c>b b>", "the side that has nothing of its own is no line");
        assert_eq!(rows("gea"), "g>e e>a a>");
        assert_eq!(rows("ga"), "g>a a>");
        assert_eq!(rows(""), "");
    }
}
