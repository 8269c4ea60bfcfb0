//! Circles among dependencies, found in time proportional to the plan and shown as a path.

use super::super::id::PackageId;
use super::WorkPackage;
use std::collections::{BTreeMap, VecDeque};

/// A circle, its first package repeated at the end; `None` when there is none. Dependencies on what is not there are passed over.
pub(super) fn circle(packages: &[WorkPackage]) -> Option<Vec<PackageId>> {
    let place: BTreeMap<&PackageId, usize> = packages.iter().enumerate().map(|(at, one)| (&one.id, at)).collect();
    let needs: Vec<Vec<usize>> = packages
        .iter()
        .map(|package| package.depends_on.iter().filter_map(|id| place.get(id).copied()).collect())
        .collect();
    let mut wanted_by: Vec<Vec<usize>> = vec![Vec::new(); packages.len()];
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    for (at, needed) in needs.iter().enumerate() {
        for need in needed {
            wanted_by.get_mut(*need)?.push(at);
        }
    }
    let mut free: VecDeque<usize> = open.iter().enumerate().filter(|(_, open)| **open == 0).map(|(at, _)| at).collect();
    let mut left = packages.len();
    while let Some(at) = free.pop_front() {
        left -= 1;
        for behind in wanted_by.get(at)? {
            let open = open.get_mut(*behind)?;
            *open -= 1;
            if *open == 0 {
                free.push_back(*behind);
            }
        }
    }
    if left == 0 {
        return None;
    }
    // Whatever is left waits for something that is left: following that comes back to where it was.
    let is_left = |at: &usize| open.get(*at).is_some_and(|open| *open > 0);
    let mut path: Vec<usize> = vec![(0..packages.len()).find(is_left)?];
    loop {
        let next = needs.get(*path.last()?)?.iter().copied().find(is_left)?;
        if let Some(start) = path.iter().position(|at| *at == next) {
            let circle = path.get(start..)?.iter().chain([&next]);
            return circle.map(|at| packages.get(*at).map(|package| package.id.clone())).collect();
        }
        path.push(next);
    }
}
