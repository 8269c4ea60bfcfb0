//! Housekeeping is git's: when its own rule says that there are many loose objects, it is asked once to look after them.
//!
//! Not here: when to ask. Git decides again under a lock of its own and works in the background, so asking twice costs nothing.

use super::Repository;

/// Git's own threshold where nobody set one (gc.auto).
const LOOSE: i64 = 6700;
/// One of the 256 directories of loose objects; as git does, the others are taken to be as full.
const SAMPLE: &str = "objects/17";

impl Repository {
    /// Asks git for its housekeeping when that is due by git's own rule and the repository has not forbidden it. Whether it was
    /// asked. A failure is not ours to report: git tells its user the next time.
    pub fn keep_house(&self) -> bool {
        let most = self.config_text("gc.auto").and_then(|text| text.trim().parse().ok()).unwrap_or(LOOSE);
        if most <= 0 || self.config_flag("maintenance.auto") == Some(false) {
            return false;
        }
        let loose =
            std::fs::read_dir(self.common_dir().join(SAMPLE)).map_or(0, |entries| entries.take(1 << 16).count());
        if i64::try_from(loose).unwrap_or(i64::MAX) <= most / 256 {
            return false;
        }
        let asked =
            ["-c".to_owned(), format!("gc.auto={most}"), "gc".to_owned(), "--auto".to_owned(), "--quiet".to_owned()];
        self.git().arguments(asked).try_run().is_ok()
    }
}
