//! Which tests ran and how each ended, by name, and what one list shows less of than another.
//!
//! A name may be there several times (parameters that the runner does not print), so lists are compared by how often a
//! name was executed. Not here: where names come from (`check`), and what a loss means (`evaluator`).

use super::digest::Digest;
use super::json::{self, Fields, Value};
use crate::diagnostics::{Code, Result};
use std::collections::BTreeMap;

/// The longest name that is kept as it is, in bytes; a longer one is cut and told apart by its digest.
pub const MAX_NAME: usize = 300;

/// The most tests a list holds; beyond it there is no list.
pub const MAX_TESTS: u64 = 200_000;

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestOutcome {
    /// It ran and passed.
    Passed,
    /// It ran and failed.
    Failed,
    /// It did not run, or proves nothing.
    Skipped,
}

/// How often a name ended in each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    fn executed(self) -> u64 {
        self.passed.saturating_add(self.failed)
    }

    fn of(&mut self, outcome: TestOutcome) -> &mut u64 {
        match outcome {
            TestOutcome::Passed => &mut self.passed,
            TestOutcome::Failed => &mut self.failed,
            TestOutcome::Skipped => &mut self.skipped,
        }
    }
}

/// The tests of one run of a runner, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestList {
    tests: BTreeMap<String, Tally>,
}

impl TestList {
    /// Adds a test that ended so.
    pub fn add(&mut self, name: &str, outcome: TestOutcome) {
        let count = self.tests.entry(short_name(name)).or_default().of(outcome);
        *count = count.saturating_add(1);
    }

    /// Adds all tests of another list.
    pub fn extend(&mut self, other: TestList) {
        for (name, tally) in other.tests {
            let mine = self.tests.entry(name).or_default();
            mine.passed = mine.passed.saturating_add(tally.passed);
            mine.failed = mine.failed.saturating_add(tally.failed);
            mine.skipped = mine.skipped.saturating_add(tally.skipped);
        }
    }

    /// How many ended so.
    pub fn count(&self, outcome: TestOutcome) -> u64 {
        self.tests.values().fold(0, |sum, tally| sum.saturating_add(*tally.clone().of(outcome)))
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        let all = [TestOutcome::Passed, TestOutcome::Failed, TestOutcome::Skipped];
        all.into_iter().fold(0, |sum, outcome| sum.saturating_add(self.count(outcome)))
    }

    /// The list, when it is not empty and not too large to be kept.
    pub fn kept(self) -> Option<TestList> {
        (1..=MAX_TESTS).contains(&self.total()).then_some(self)
    }

    /// The names, each once, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests.keys().map(String::as_str)
    }

    /// The same list with other names.
    pub fn renamed(self, rename: impl Fn(&str) -> String) -> TestList {
        let mut list = TestList::default();
        for (name, tally) in self.tests {
            list.extend(TestList { tests: BTreeMap::from([(short_name(&rename(&name)), tally)]) });
        }
        list
    }

    /// Its JSON.
    pub fn to_value(&self) -> Value {
        let named = |pick: fn(&Tally) -> u64| {
            let all = self.tests.iter().flat_map(|(name, tally)| {
                std::iter::repeat_n(name, usize::try_from(pick(tally)).unwrap_or(usize::MAX))
            });
            Value::list(all)
        };
        Value::object([
            ("schema_version", 1.into()),
            ("passed", named(|tally| tally.passed)),
            ("failed", named(|tally| tally.failed)),
            ("skipped", named(|tally| tally.skipped)),
        ])
    }

    /// Reads what [`TestList::to_value`] writes (RAPID1205).
    pub fn parse(bytes: &[u8]) -> Result<TestList> {
        let code = Code::Rapid1205;
        let value = json::parse(bytes).map_err(|_| code.because("the list of tests is not JSON of a record"))?;
        let mut fields = Fields::of(value, code, "the list of tests")?;
        fields.version()?;
        let mut list = TestList::default();
        for (key, outcome) in
            [("passed", TestOutcome::Passed), ("failed", TestOutcome::Failed), ("skipped", TestOutcome::Skipped)]
        {
            for name in fields.texts(key)? {
                list.add(&name, outcome);
            }
        }
        fields.end()?;
        match list.total() <= MAX_TESTS && list.to_value().record_bytes() == bytes {
            true => Ok(list),
            false => Err(code.because("the list of tests is not in its canonical form")),
        }
    }

    /// What this list shows less of than the one before it.
    pub fn against(&self, before: &TestList) -> Less {
        let mut less = Less::default();
        for (name, was) in &before.tests {
            let is = self.tests.get(name).copied().unwrap_or_default();
            let missing = was.executed().saturating_sub(is.executed());
            let skipped = is.skipped.saturating_sub(was.skipped);
            if missing > skipped {
                less.lost.push(name);
            }
            if missing > 0 && skipped > 0 {
                less.newly_skipped.push(name);
            }
        }
        less
    }
}

/// What a list shows less of than another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Less {
    /// Executed before, and no longer there.
    pub lost: Names,
    /// Executed before, and skipped now.
    pub newly_skipped: Names,
}

/// Names of tests, of which only the first are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// How many there are.
    pub count: u64,
    /// The first of them, in order.
    pub first: Vec<String>,
}

impl Names {
    /// How many names are kept.
    pub const KEPT: usize = 100;

    fn push(&mut self, name: &str) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < Names::KEPT {
            self.first.push(name.to_owned());
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first few of them for a sentence: `a, b and 3 more`.
    pub fn some(&self, most: usize) -> String {
        let shown: Vec<&str> = self.first.iter().take(most).map(String::as_str).collect();
        let more = self.count.saturating_sub(shown.len() as u64);
        match more {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }
}

/// A name as it is kept: one line, and not longer than [`MAX_NAME`].
fn short_name(name: &str) -> String {
    let line: String = name.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() <= MAX_NAME {
        return line;
    }
    let digest = Digest::of(line.as_bytes()).to_string();
    let mark = format!(" …{}", digest.chars().take(16).collect::<String>());
    let mut kept = String::new();
    for c in line.chars() {
        if kept.len() + c.len_utf8() + mark.len() > MAX_NAME {
            break;
        }
        kept.push(c);
    }
    kept + &mark
}

#[cfg(test)]
mod tests {
    use super::*;
    use TestOutcome::{Failed, Passed, Skipped};

    fn list(tests: &[(&str, TestOutcome)]) -> TestList {
        let mut list = TestList::default();
        tests.iter().for_each(|(name, outcome)| list.add(name, *outcome));
        list
    }

    #[test]
    fn a_list_is_read_back_as_it_was_written_and_no_other_is_read() {
        let one = list(&[("b", Passed), ("a\nb", Failed), ("c", Skipped), ("b", Passed)]);
        let bytes = one.to_value().record_bytes();
        assert_eq!(TestList::parse(&bytes).unwrap(), one);
        assert_eq!((one.total(), one.count(Passed)), (4, 2));
        for other in [
            &b"{}"[..],
            b"{\"failed\":[],\"passed\":[\"b\",\"a\"],\"schema_version\":1,\"skipped\":[]}\n",
            b"{\"failed\":[],\"more\":[],\"passed\":[],\"schema_version\":1,\"skipped\":[]}\n",
            b"{\"failed\":[],\"passed\":[],\"schema_version\":1,\"skipped\":[]}",
            b"\xff",
        ] {
            assert_eq!(TestList::parse(other).unwrap_err().code, Code::Rapid1205);
        }
    }

    #[test]
    fn what_is_lost_and_what_is_newly_skipped_is_named() {
        let before = list(&[("a", Passed), ("b", Failed), ("c", Skipped), ("d", Passed), ("d", Passed), ("e", Passed)]);
        let now = list(&[("a", Failed), ("d", Passed), ("e", Skipped), ("f", Skipped)]);
        let less = now.against(&before);
        assert_eq!(less.lost.first, ["b", "d"]);
        assert_eq!(less.newly_skipped.first, ["e"]);
        assert_eq!(before.against(&before), Less::default());
    }

    #[test]
    fn many_names_are_counted_and_the_first_are_kept() {
        let mut before = TestList::default();
        (0..250).for_each(|n| before.add(&format!("t{n:03}"), Passed));
        let lost = list(&[("t000", Passed)]).against(&before).lost;
        assert_eq!((lost.count, lost.first.len()), (249, 100));
        assert_eq!(lost.some(2), "t001, t002 and 247 more");
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let (one, two) = (format!("{}1", "é".repeat(400)), format!("{}2", "é".repeat(400)));
        let (one, two) = (short_name(&one), short_name(&two));
        assert!(one != two && one.len() <= MAX_NAME && two.len() <= MAX_NAME);
        assert_eq!(short_name(&one), one, "a name that was cut is not cut again");
    }
}
