//! Joining is commutative, associative and idempotent, with decisions and without: trees of clones that went on by themselves,
//! joined in every order.

use crate::git::{Addition, Git, Kind, Mode, Oid, Repository};
use crate::ledger::decision::DIVERGED;
use crate::ledger::join::{Divergence, Joined, Side, join};
use crate::ledger::material;
use crate::os::environment::Environment;
use proptest::prelude::*;
use std::collections::BTreeMap;
use tempfile::TempDir;

const CLONES: usize = 3;

/// What a clone may do.
#[derive(Clone, Debug)]
enum Step {
    /// Clone, subject: the next record of that subject there.
    Append(usize, u8),
    /// Clone, other clone: join it; what diverged is decided for this side or for that one.
    Join(usize, usize, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (0..CLONES, 0u8..3).prop_map(|(clone, subject)| Step::Append(clone, subject)),
        2 => (0..CLONES, 0..CLONES, any::<bool>()).prop_map(|(one, two, ours)| Step::Join(one, two, ours)),
    ];
    prop::collection::vec(step, 1..14)
}

struct Bench {
    _directory: TempDir,
    repository: Repository,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        let environment = Environment::from_pairs(directory.path(), [("PATH", path)]);
        Git::new(&environment).arguments(["init", "--quiet", "--bare", "."]).run().unwrap();
        let repository = Repository::open(directory.path(), &environment).unwrap();
        Bench { _directory: directory, repository }
    }

    fn with(&self, tree: Oid, path: &str, text: &str) -> Oid {
        let writer = self.repository.writer();
        let id = writer.write(Kind::Blob, text.as_bytes()).unwrap();
        let files = BTreeMap::from([(path.to_owned(), Addition { mode: Mode::File, id })]);
        writer.add_to_tree(&self.repository, Some(tree), &files).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    fn join(&self, ours: Oid, theirs: Oid, chosen: &BTreeMap<String, Side>) -> Joined {
        join(&self.repository, &self.repository.writer(), ours, theirs, chosen).unwrap()
    }

    /// The join of two trees; `None` when a person is asked.
    fn joined(&self, ours: Oid, theirs: Oid) -> Option<Oid> {
        match self.join(ours, theirs, &BTreeMap::new()) {
            Joined::Tree(tree) => Some(tree),
            Joined::Diverged(_) => None,
        }
    }

    fn decided(&self, ours: Oid, theirs: Oid, divergence: &Divergence, side: Side) -> Oid {
        let chosen = divergence.keys().map(|subject| (subject.clone(), side)).collect();
        match self.join(ours, theirs, &chosen) {
            Joined::Tree(tree) => tree,
            Joined::Diverged(left) => panic!("a decision leaves nothing undecided: {left:?}"),
        }
    }

    /// The trees of all clones after the steps, and every path and object that was ever there.
    fn play(&self, steps: &[Step]) -> Vec<Oid> {
        let empty = Oid::empty_tree(self.repository.format());
        let mut trees = vec![self.with(empty, "format", "git-rapid ledger 1\n"); CLONES];
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Append(clone, subject) => {
                    let directory = format!("runs/{subject:02x}/run-{subject}");
                    let records = self.below(trees[*clone], &directory).len() + 1;
                    let path = format!("{directory}/states/{records:04}.json");
                    trees[*clone] = self.with(trees[*clone], &path, &format!("{clone} at {at}\n"));
                }
                Step::Join(one, two, ours) => {
                    let side = if *ours { Side::Ours } else { Side::Theirs };
                    trees[*one] = match self.join(trees[*one], trees[*two], &BTreeMap::new()) {
                        Joined::Tree(tree) => tree,
                        Joined::Diverged(divergence) => self.decided(trees[*one], trees[*two], &divergence, side),
                    };
                }
            }
        }
        trees
    }

    /// The files below a path, with their objects.
    fn below(&self, tree: Oid, path: &str) -> BTreeMap<String, Oid> {
        let empty = Oid::empty_tree(self.repository.format());
        let all = self.repository.tree_changes(empty, tree).unwrap().into_iter();
        all.filter(|file| file.path.starts_with(path)).map(|file| (file.path, file.new.unwrap().1)).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn joining_is_commutative_associative_and_idempotent(steps in steps()) {
        let bench = Bench::new();
        let trees = bench.play(&steps);
        let [a, b, c] = [trees[0], trees[1], trees[2]];
        for (one, two) in [(a, b), (b, c), (a, c)] {
            let joined = bench.joined(one, two);
            prop_assert_eq!(joined, bench.joined(two, one), "commutative");
            prop_assert_eq!(bench.joined(one, one), Some(one), "idempotent");
            if let Some(joined) = joined {
                prop_assert_eq!(bench.joined(joined, two), Some(joined), "what is in it adds nothing");
                prop_assert_eq!(bench.joined(one, joined), Some(joined), "what is in it adds nothing");
            }
        }
        let orders = [[a, b, c], [b, c, a], [c, a, b]];
        let results: Vec<Oid> =
            orders.iter().filter_map(|[x, y, z]| bench.joined(bench.joined(*x, *y)?, *z)).collect();
        prop_assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "associative: {:?}", results);
    }

    #[test]
    fn a_decision_loses_no_record_and_every_clone_that_joins_it_ends_at_its_tree(steps in steps(), ours in any::<bool>()) {
        let bench = Bench::new();
        let trees = bench.play(&steps);
        let side = if ours { Side::Ours } else { Side::Theirs };
        let mut all = trees[0];
        for tree in &trees[1..] {
            all = match bench.join(all, *tree, &BTreeMap::new()) {
                Joined::Tree(tree) => tree,
                Joined::Diverged(divergence) => {
                    let decided = bench.decided(all, *tree, &divergence, side);
                    let mirrored = if ours { Side::Theirs } else { Side::Ours };
                    prop_assert_eq!(bench.decided(*tree, all, &divergence, mirrored), decided, "the same from either side");
                    decided
                }
            };
        }
        let kept = bench.below(all, "");
        for tree in &trees {
            prop_assert_eq!(bench.joined(*tree, all), Some(all), "a clone that joins it ends there");
            for (path, id) in bench.below(*tree, "runs/") {
                let inside = path.splitn(4, '/').nth(3).unwrap().to_owned();
                let there = kept.get(&path) == Some(&id)
                    || kept.iter().any(|(other, its)| {
                        other.starts_with(DIVERGED) && other.ends_with(&format!("/aside/{inside}")) && *its == id
                    });
                prop_assert!(there, "'{}' is there, or set aside where everybody can read it", path);
            }
        }
    }

    #[test]
    fn joining_attachments_keeps_every_piece_in_every_order(steps in prop::collection::vec((0..CLONES, 0u8..2, 0u8..3, 0u8..3), 1..10)) {
        let bench = Bench::new();
        let empty = Oid::empty_tree(bench.repository.format());
        let mut trees = [bench.with(empty, "format", "git-rapid attachments 1\n"); CLONES];
        for (clone, item, part, text) in steps {
            let name = ["log", "artifacts/x", "tree/file"][usize::from(part)];
            let path = format!("aa/run/E{item:03}/{name}");
            if !bench.below(trees[clone], "").contains_key(&path) {
                trees[clone] = bench.with(trees[clone], &path, &format!("{text}\n"));
            }
        }
        let join = |a, b| material::join(&bench.repository, &bench.repository.writer(), a, b).unwrap();
        let [a, b, c] = [trees[0], trees[1], trees[2]];
        prop_assert_eq!(join(a, b), join(b, a));
        prop_assert_eq!(join(join(a, b), c), join(a, join(b, c)));
        prop_assert_eq!(join(a, a), a);
        prop_assert_eq!(join(join(a, b), b), join(a, b));
        let ids: Vec<Oid> = bench.below(join(join(a, b), c), "").into_values().collect();
        prop_assert!(trees.iter().flat_map(|tree| bench.below(*tree, "").into_values()).all(|id| ids.contains(&id)));
    }
}

/// A few in the ordinary suite; as many as `RAPID_SEEDS` says where one asks for more.
fn cases() -> u32 {
    std::env::var("RAPID_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}
