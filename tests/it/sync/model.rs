//! Three clones and a remote that may lie, at random, against a model of a few lines: what was acknowledged is never lost, every
//! clone that syncs ends at the same tree, and every lie is reported by a clone that had seen more.

use super::crashes::{Dice, without_stale_locks};
use super::{clones, tree};
use crate::harness::{Loop, Output, Repo, World};
use std::collections::BTreeSet;
use std::sync::Arc;

const CLONES: usize = 3;
const STEPS: usize = 16;
const POINTS: &[&str] = &[
    "objects-written",
    "refs-locked",
    "refs-moved",
    "merge-written",
    "fetched",
    "theirs-verified",
    "pushing",
    "pushed",
];

/// The remote's lies.
#[derive(Clone, Copy, Debug)]
enum Lie {
    /// There is no ledger.
    Drop,
    /// An older one.
    Rewind,
    /// One that went another way.
    Fork,
    /// The tip, but not what it names.
    Withhold,
}

/// The model: who has recorded what, and what each clone has seen of the remote.
struct Model {
    recorded: Vec<BTreeSet<String>>,
    seen: Vec<Option<String>>,
}

struct Stage {
    _world: Arc<World>,
    remote: Repo,
    clones: [Repo; CLONES],
    runs: Vec<String>,
    dice: Dice,
    model: Model,
    labels: usize,
}

impl Stage {
    fn new(seed: u64) -> Stage {
        let (world, remote, [one, two, three, host]) = clones(["one", "two", "three", "host"]);
        let clones = [one, two, three];
        let mut runs = vec![Loop::start(&host, "Shared thing").run];
        let _ = host.rapid(&["sync"]).ok();
        for (clone, title) in clones.iter().zip(["Thing one", "Thing two", "Thing three"]) {
            let _ = clone.rapid(&["sync"]).ok();
            runs.push(Loop::start(clone, title).run);
        }
        let model = Model { recorded: vec![BTreeSet::new(); CLONES], seen: vec![None; CLONES] };
        let mut stage = Stage { _world: world, remote, clones, runs, dice: Dice(seed), model, labels: 0 };
        (0..CLONES).for_each(|clone| stage.look(clone));
        stage
    }

    /// Every label that a ledger holds, standing or set aside.
    fn labels(&self, clone: usize) -> BTreeSet<String> {
        let grep = ["grep", "-h", "-o", "\"summary\":\"label-[0-9]*\"", "refs/rapid/ledger"];
        let found = self.clones[clone].try_git(&grep).stdout;
        found.lines().filter_map(|line| line.split('"').nth(3)).map(str::to_owned).collect()
    }

    /// What a clone has, held against what it must have; it may have learned more.
    fn settle(&mut self, clone: usize) {
        let found = self.labels(clone);
        let lost: Vec<_> = self.model.recorded[clone].difference(&found).collect();
        assert!(lost.is_empty(), "clone {clone} has lost {lost:?}");
        self.model.recorded[clone] = found;
    }

    /// What a clone has seen of the remote now.
    fn look(&mut self, clone: usize) {
        let shown = self.remote.try_git(&["rev-parse", "--verify", "--quiet", "refs/rapid/ledger"]).line();
        self.model.seen[clone] = Some(shown).filter(|tip| !tip.is_empty());
    }

    fn run(&mut self, clone: usize, arguments: &[&str]) -> Output {
        let mut command = self.clones[clone].tool();
        command.args(arguments);
        if self.dice.below(5) == 0 {
            command.env("RAPID_FAULT_POINT", POINTS[self.dice.below(POINTS.len())]);
        }
        let output = Output::of(&mut command);
        assert!(!output.stderr.contains("panicked"), "{output}");
        if output.code == 137 {
            without_stale_locks(&self.clones[clone]);
            let _ = self.remote.sh("find refs reftable -name '*.lock' -delete 2>/dev/null; true");
            let _ = self.clones[clone].rapid(&["verify"]).ok();
        }
        output
    }

    fn append(&mut self, clone: usize) {
        let shared = self.dice.below(4) == 0;
        let run = if shared { self.runs[0].clone() } else { self.runs[clone + 1].clone() };
        self.labels += 1;
        let label = format!("label-{}", self.labels);
        let done = self.run(clone, &["attach", "greeting.sh", "--run", &run, "--task", "T001", "--label", &label]);
        match done.code {
            0 => {
                self.model.recorded[clone].insert(label);
            }
            137 => {}
            _ => panic!("{done}"),
        }
        self.settle(clone);
    }

    /// Syncs; decides where something diverged. Whether it came through.
    fn sync(&mut self, clone: usize) -> bool {
        for _ in 0..3 {
            let done = self.run(clone, &["sync"]);
            let done = match done.code {
                1 if done.stderr.contains("[RAPID1534]") => {
                    let side = if self.dice.below(2) == 0 { "ours" } else { "theirs" };
                    let options = done.stderr.split("--take ours ").nth(1).unwrap().lines().next().unwrap().to_owned();
                    let mut arguments = vec!["sync", "--take", side];
                    arguments.extend(options.split(' '));
                    self.run(clone, &arguments)
                }
                _ => done,
            };
            self.settle(clone);
            match done.code {
                0 => {
                    self.look(clone);
                    return true;
                }
                137 => {
                    // It may have seen the remote before it died, and pushed; it knows no less than before.
                    let remembered = self.clones[clone].path().join(".git/rapid/seen/origin");
                    let text = std::fs::read_to_string(remembered).unwrap_or_default();
                    self.model.seen[clone] = Some(text.trim().to_owned()).filter(|tip| !tip.is_empty());
                }
                _ => panic!("an honest remote is synced with: {done}"),
            }
        }
        false
    }

    /// The remote lies to everybody for a while, and is honest again.
    fn lie(&mut self, lie: Lie) {
        let tip = self.remote.git(&["rev-parse", "refs/rapid/ledger"]);
        let chain = self.remote.git(&["rev-list", "--first-parent", "refs/rapid/ledger"]);
        let chain: Vec<&str> = chain.lines().collect();
        let older = chain[(1 + self.dice.below(3)).min(chain.len() - 1)].to_owned();
        let object = self.remote.path().join("objects").join(&tip[..2]).join(&tip[2..]);
        let hidden = self.remote.path().join("hidden");
        let shown = match lie {
            Lie::Drop => {
                self.remote.git(&["update-ref", "-d", "refs/rapid/ledger"]);
                None
            }
            Lie::Rewind => Some(older),
            Lie::Fork => {
                self.remote.git(&["update-ref", "refs/rapid/ledger", &older]);
                Some(self.remote.append_entry(&[]))
            }
            Lie::Withhold => {
                if std::fs::rename(&object, &hidden).is_err() {
                    return; // it lies in a pack
                }
                Some(tip.clone())
            }
        };
        if let Some(shown) = shown.as_ref().filter(|shown| **shown != tip) {
            self.remote.git(&["update-ref", "refs/rapid/ledger", shown]);
        }
        for clone in 0..CLONES {
            let before = (self.clones[clone].tip(), self.model.seen[clone].clone());
            let knows_more = match (&before.1, &shown, lie) {
                (_, _, Lie::Withhold) => self.clones[clone].try_git(&["cat-file", "-e", &tip]).code != 0,
                (Some(seen), Some(shown), _) => {
                    self.remote.try_git(&["merge-base", "--is-ancestor", seen, shown]).code != 0
                }
                (seen, None, _) => seen.is_some(),
                (None, _, _) => false,
            };
            if matches!(lie, Lie::Fork) && !knows_more {
                continue; // whoever has seen nothing else cannot know, and would believe it for ever
            }
            let told = self.clones[clone].rapid(&["fetch"]);
            if knows_more {
                assert_ne!(told.code, 0, "clone {clone} reports {lie:?}: {told}");
                let code = if matches!(lie, Lie::Withhold) { "RAPID15" } else { "RAPID1535" };
                assert!(told.stderr.contains(code), "clone {clone} reports {lie:?}: {told}");
                assert_eq!(self.clones[clone].tip(), before.0, "and takes nothing from it");
            } else if told.code == 0 && !matches!(lie, Lie::Withhold) {
                self.look(clone);
            }
            self.settle(clone);
        }
        let _ = std::fs::rename(&hidden, &object);
        self.remote.git(&["update-ref", "refs/rapid/ledger", &tip]);
    }

    /// Everybody syncs until nobody has anything new.
    fn end(mut self) {
        let mut rounds = 0;
        while !(0..CLONES).all(|clone| tree(&self.clones[clone]) == tree(&self.clones[0])) || rounds < 2 {
            assert!(rounds < 12, "they come together");
            for clone in 0..CLONES {
                let _ = self.sync(clone);
            }
            rounds += 1;
        }
        let everything: BTreeSet<String> = self.model.recorded.iter().flatten().cloned().collect();
        for clone in 0..CLONES {
            assert_eq!(self.labels(clone), everything, "every clone has what anybody recorded");
            let _ = self.clones[clone].rapid(&["verify", "--full"]).ok().says("proven");
            assert_eq!(self.clones[clone].git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
        }
        assert_eq!(self.remote.git(&["rev-parse", "refs/rapid/ledger^{tree}"]), tree(&self.clones[0]));
    }
}

fn play(seed: u64) {
    eprintln!("seed {seed}");
    let mut stage = Stage::new(seed);
    for _ in 0..STEPS {
        let clone = stage.dice.below(CLONES);
        match stage.dice.below(10) {
            0..=4 => stage.append(clone),
            5..=7 => {
                let _ = stage.sync(clone);
            }
            _ => {
                let lie = [Lie::Drop, Lie::Rewind, Lie::Fork, Lie::Withhold][stage.dice.below(4)];
                stage.lie(lie);
            }
        }
    }
    stage.end();
}

/// A few seeds; with `RAPID_SEEDS=N`, N of them.
fn seeds(few: u64) -> u64 {
    std::env::var("RAPID_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(few)
}

#[test]
fn three_clones_and_a_lying_remote_agree_with_the_model() {
    (0..seeds(2).div_ceil(2)).for_each(|seed| play(2 * seed));
}

#[test]
fn three_clones_and_a_lying_remote_agree_with_the_model_for_other_seeds() {
    (0..seeds(2) / 2).for_each(|seed| play(2 * seed + 1));
}
