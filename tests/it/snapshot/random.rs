//! Random working copies: whatever somebody does to one, in any order, the answer is git's.
//!
//! `RAPID_SEEDS=1000 cargo test snapshot::random` tries more of them, from `RAPID_FIRST_SEED` on.

use super::oracle::Place;

/// A small generator of numbers; the same seed gives the same working copy.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.roll(things.len())]
    }

    fn path(&mut self) -> String {
        let names = ["a", "a-b", "a.b", "a0", "b", "c.log", "keep", "é", "sp ace", "t.txt", "x.sh"];
        let directories = ["", "", "d/", "d/a/", "a/", "a-b/", "ignored/", "z/y/x/", "a.b/c/"];
        format!("{}{}", self.one_of(&directories), self.one_of(&names))
    }

    fn bytes(&mut self) -> String {
        let texts = ["", "a\n", "b\n", "a\r\nb\r\n", "x\0y\r\n", "$Id$\n", "longer text\nwith lines\n"];
        self.one_of(&texts).repeat(1 + self.roll(3))
    }
}

impl Place {
    /// Takes away whatever stands at a path or in its way.
    fn clear(&self, path: &str) {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for prefix in ends.map(|end| path.get(..end).unwrap()) {
            let Ok(data) = std::fs::symlink_metadata(self.path(prefix)) else { return };
            if !data.is_dir() || prefix == path {
                self.remove(prefix);
            }
        }
    }

    fn put(&self, path: &str, bytes: &str) {
        self.clear(path);
        self.write(path, bytes);
    }

    fn exists(&self, path: &str) -> bool {
        std::fs::symlink_metadata(self.path(path)).is_ok()
    }

    fn step(&self, dice: &mut Dice) {
        let path = dice.path();
        let bytes = dice.bytes();
        match dice.roll(18) {
            0..=4 => self.put(&path, &bytes),
            5 => self.clear(&path),
            6 => {
                self.clear(&path);
                std::fs::create_dir_all(self.path(&path).parent().unwrap()).unwrap();
                self.link(dice.one_of(&["a", "nowhere", "d", "../out"]), &path);
            }
            7 if self.path(&path).is_file() => self.mode(&path, dice.one_of(&[0o755, 0o644, 0o600])),
            8 if self.exists(&path) => drop(self.try_git(&["add", "-f", &path])),
            9 if self.exists(&path) => drop(self.try_git(&["add", "-f", "-N", &path])),
            10 => drop(self.try_git(&["rm", "-rq", "--cached", &path])),
            11 => drop(self.try_git(&["update-index", "--assume-unchanged", &path])),
            12 => drop(self.try_git(&["update-index", "--skip-worktree", &path])),
            13 => {
                let rules = ["*.log\n", "ignored/\n", "a*\n!a-b\n", "/d\n", "**/x\n!keep\n", "# nothing\n"];
                let directory = dice.one_of(&["", "d/", "a/"]);
                self.put(&format!("{directory}.gitignore"), dice.one_of(&rules));
            }
            14 => {
                // Any bytes are texts in these encodings.
                let rules = [
                    "*.txt text\n",
                    "*.sh eol=lf\n",
                    "b ident\n",
                    "a* -text\n",
                    "* text=auto\n",
                    "*.b binary\n",
                    "*.txt working-tree-encoding=latin-1\n",
                    "a* text=auto working-tree-encoding=KOI8-R\n",
                    "b ident eol=crlf working-tree-encoding=ISO-8859-1\n",
                    "* -text ident working-tree-encoding=ISO-8859-15\n",
                ];
                let directory = dice.one_of(&["", "", "d/", "a/"]);
                self.put(&format!("{directory}.gitattributes"), dice.one_of(&rules));
            }
            15 => self.settle(),
            16 => {
                self.git(&["add", "-A"]);
                self.git(&["commit", "-q", "--allow-empty", "-m", "step"]);
            }
            _ => self.put(&path, "same size\n"),
        }
    }
}

#[test]
fn whatever_is_done_the_answer_is_gits() {
    let seeds: u64 = std::env::var("RAPID_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(15);
    let first: u64 = std::env::var("RAPID_FIRST_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    for seed in first..first + seeds {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let place = Place::new();
        for (key, values) in SETTINGS {
            if let Some(value) = dice.one_of(values) {
                place.config(key, value);
            }
        }
        if dice.roll(4) == 0 {
            place.git(&["update-index", "--split-index"]);
        }
        for _ in 0..4 {
            for _ in 0..dice.roll(14) {
                place.step(&mut dice);
            }
            println!("seed {seed}");
            place.agrees();
        }
    }
}

const SETTINGS: &[(&str, &[Option<&str>])] = &[
    ("core.autocrlf", &[None, None, Some("true"), Some("input")]),
    ("core.fileMode", &[None, None, Some("false")]),
    ("core.trustctime", &[None, Some("false")]),
    ("core.untrackedCache", &[None, Some("true")]),
    ("index.version", &[None, Some("4")]),
];
