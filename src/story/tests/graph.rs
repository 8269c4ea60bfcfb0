//! The graph: names, circles with their exact paths, depth without recursion.

use super::world::id;
use crate::story::{Graph, StoryId};
use proptest::prelude::*;

fn graph(deps: &[&[u32]]) -> Graph {
    let ids: Vec<StoryId> = (1..=deps.len() as u32).map(id).collect();
    let names: Vec<Vec<String>> =
        deps.iter().map(|deps| deps.iter().map(|dep| id(*dep).to_string()).collect()).collect();
    Graph::of(ids.iter().zip(names.iter().map(Vec::as_slice)))
}

#[test]
fn names_are_found_exactly_then_by_case_then_without_their_tail() {
    let ids = [
        StoryId::of("STORY-001"),
        StoryId::of("story-002"),
        StoryId::of("STORY-V10-003"),
        StoryId::of("STORY-004-login"),
    ];
    let names: [&[String]; 4] = [&[], &[], &[], &[]];
    let graph = Graph::of(ids.iter().zip(names));
    for (name, expected) in [
        ("STORY-001", Some(0)),
        ("STORY-002", Some(1)),
        ("STORY-V10-003", Some(2)),
        ("STORY-004-LOGIN", Some(3)),
        ("STORY-001-DONE", Some(0)),
        ("STORY-1", None),
        ("STORY-004", None),
        ("STORY-0010", None),
    ] {
        assert_eq!(graph.find(name), expected, "{name}");
    }
}

#[test]
fn circles_have_exact_paths_that_never_change() {
    // 1 → 2 → 3 → 1; 4 leads into it; 5 waits for itself; 6 ↔ 7; 8 is missing.
    let graph = graph(&[&[2], &[3], &[1], &[1], &[5], &[7], &[6, 8]]);
    let expected = vec![vec![0, 1, 2], vec![4], vec![5, 6]];
    for _ in 0..5 {
        assert_eq!(graph.cycles(|_| true), expected);
    }
    assert_eq!(graph.cycles(|node| node != 1), vec![vec![4], vec![5, 6]]);
    assert_eq!(graph.missing(6), ["STORY-008".to_owned()]);
    assert_eq!(graph.dependants(0), [2, 3]);
}

#[test]
fn other_dependencies_are_taken_over_in_place() {
    let mut graph = graph(&[&[2], &[1], &[9]]);
    graph.set::<&str>(0, &[]);
    assert!(graph.cycles(|_| true).is_empty());
    assert!(graph.dependants(1).is_empty());
    graph.set(2, &["STORY-001", "STORY-001"]);
    assert_eq!((graph.deps(2), graph.missing(2).len()), (&[0][..], 0));
}

#[test]
fn a_chain_and_a_circle_of_a_hundred_thousand_take_no_stack() {
    let count: usize = 100_000;
    let ids: Vec<StoryId> = (1..=count).map(|number| StoryId::of(format!("STORY-{number:06}"))).collect();
    let chain: Vec<Vec<&str>> =
        (0..count).map(|node| node.checked_sub(1).map(|dep| ids[dep].as_str()).into_iter().collect()).collect();
    let mut graph = Graph::of(ids.iter().zip(chain.iter().map(Vec::as_slice)));
    assert!(graph.cycles(|_| true).is_empty());
    graph.set(0, &[ids[count - 1].as_str()]);
    let cycles = graph.cycles(|_| true);
    assert_eq!((cycles.len(), cycles[0].len()), (1, count));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Against the definition: a story is in a group exactly when it reaches itself.
    #[test]
    fn circles_are_exactly_where_a_story_reaches_itself(edges in proptest::collection::vec((0_usize..9, 0_usize..9), 0..16)) {
        let mut deps: Vec<Vec<u32>> = vec![Vec::new(); 9];
        for (from, to) in &edges {
            deps[*from].push(*to as u32 + 1);
        }
        let slices: Vec<&[u32]> = deps.iter().map(Vec::as_slice).collect();
        let graph = graph(&slices);
        let mut reach = [[false; 9]; 9];
        for (from, to) in edges {
            reach[from][to] = true;
        }
        for middle in 0..9 {
            for from in 0..9 {
                for to in 0..9 {
                    reach[from][to] |= reach[from][middle] && reach[middle][to];
                }
            }
        }
        let cycles = graph.cycles(|_| true);
        let first: Vec<usize> = (0..9)
            .filter(|node| reach[*node][*node] && (0..*node).all(|other| !(reach[*node][other] && reach[other][*node])))
            .collect();
        prop_assert_eq!(cycles.iter().map(|cycle| cycle[0]).collect::<Vec<_>>(), first);
        for cycle in cycles {
            for (at, node) in cycle.iter().enumerate() {
                let next = cycle[(at + 1) % cycle.len()];
                prop_assert!(graph.deps(*node).contains(&next));
            }
        }
    }
}
