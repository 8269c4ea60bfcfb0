//! The report that a command was asked to write: found where it was to be, and taken only when this run wrote it.
//!
//! A report from before must never count. So what is there is noted before the command runs, and afterwards a file counts
//! only when it was written since: its stamp changed, its time is not before the beginning, and its bytes are new where
//! they say when they were written (a tool that copies an old result back writes old bytes at a new time). Not here: what a
//! report says (`junit`).

use super::junit::{self, JunitReport, NoReport};
use super::summary::{Summary, Uncounted};
use crate::diagnostics::Result;
use crate::domain::digest::Digest;
use crate::os::files::{self, Stamp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How many entries a directory of reports may have, and how deep it may be.
const ENTRIES: usize = 20_000;
const LEVELS: usize = 16;

/// How far a file system's clock may be behind ours, and how coarse its times may be.
const SLACK: Duration = Duration::from_secs(2);

/// What was there before the command ran.
pub(super) struct Expected {
    path: PathBuf,
    before: BTreeMap<PathBuf, (Stamp, Digest)>,
    began: SystemTime,
}

impl Expected {
    /// Notes what is at `path`, a file or a directory.
    pub(super) fn at(path: &Path) -> Result<Expected> {
        let mut before = BTreeMap::new();
        for file in candidates(path)? {
            if let Some(stamp) = files::stamp(&file)? {
                let digest = match files::read_if_there(&file, junit::LARGEST) {
                    Ok(bytes) => Digest::of(&bytes.unwrap_or_default()),
                    // Too large to be a report before; what is there afterwards is looked at again.
                    Err(_) => Digest::of(b""),
                };
                before.insert(file, (stamp, digest));
            }
        }
        Ok(Expected { path: path.to_owned(), before, began: SystemTime::now() })
    }

    /// Takes whatever is there, however old.
    pub(super) fn whenever_written(path: &Path) -> Expected {
        Expected { path: path.to_owned(), before: BTreeMap::new(), began: SystemTime::UNIX_EPOCH }
    }

    /// The answer with the place that was looked at, where nothing of this run was found there.
    pub(super) fn named(&self, mut summary: Summary) -> Summary {
        if summary.uncounted == Some(Uncounted::NoReport) {
            summary.reason.push_str(&format!(" (looked at '{}')", self.path.display()));
        }
        summary
    }

    /// What the command wrote there.
    pub(super) fn found(&self) -> std::result::Result<JunitReport, NoReport> {
        let unreadable = |error: crate::diagnostics::Diagnostic| NoReport::Unreadable(error.message);
        let there = candidates(&self.path).map_err(unreadable)?;
        let single = there.as_slice() == [self.path.clone()];
        let mut room = junit::LARGEST;
        let mut report: Option<JunitReport> = None;
        let mut stale = false;
        for file in there {
            let Some(stamp) = files::stamp(&file).map_err(unreadable)? else { continue };
            if self.is_unwritten(&file, &stamp) {
                stale = true;
                continue;
            }
            let bytes = files::read(&file, room).map_err(unreadable)?;
            room = room.saturating_sub(bytes.len() as u64);
            if !single && junit::is_other_xml(&bytes) {
                continue;
            }
            let one = junit::read(&bytes).map_err(unreadable)?;
            if one.dated && self.is_copied_back(&file, &bytes) {
                stale = true;
                continue;
            }
            report.get_or_insert_with(JunitReport::default).extend(one);
        }
        report.ok_or(if stale { NoReport::Stale } else { NoReport::Missing })
    }

    fn is_unwritten(&self, file: &Path, now: &Stamp) -> bool {
        let same = self.before.get(file).is_some_and(|(before, _)| before == now);
        same || now.modified.checked_add(SLACK).is_none_or(|time| time < self.began)
    }

    /// The bytes of before at another time, although they would differ had they been written now.
    fn is_copied_back(&self, file: &Path, bytes: &[u8]) -> bool {
        self.before.get(file).is_some_and(|(before, digest)| {
            let old = before.modified.checked_add(SLACK).is_some_and(|time| time < self.began);
            old && *digest == Digest::of(bytes)
        })
    }
}

/// The file itself, or the XML files below the directory.
fn candidates(path: &Path) -> Result<Vec<PathBuf>> {
    match files::below(path, ".xml", ENTRIES, LEVELS)? {
        Some(files) => Ok(files),
        None => Ok(vec![path.to_owned()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const ONE: &str = r#"<testsuite name="s" tests="1"><testcase name="a" time="0,123"/></testsuite>"#;
    const DATED: &str =
        r#"<testsuite name="s" timestamp="2026-01-01T00:00:00" tests="1"><testcase name="a"/></testsuite>"#;

    fn age(path: &Path, seconds: u64) {
        let then = SystemTime::now() - Duration::from_secs(seconds);
        fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
    }

    #[test]
    fn only_what_this_run_wrote_counts() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("r.xml");
        let nothing = Expected::at(&path).unwrap();
        assert_eq!(nothing.found(), Err(NoReport::Missing));
        fs::write(&path, ONE).unwrap();
        assert_eq!(nothing.found().unwrap().counts().passed, 1, "there was none before");
        let there = Expected::at(&path).unwrap();
        assert_eq!(there.found(), Err(NoReport::Stale), "nobody wrote it");
        age(&path, 3600);
        assert_eq!(there.found(), Err(NoReport::Stale), "another old file with an old time");
        let old = Expected::at(&path).unwrap();
        fs::write(&path, ONE).unwrap();
        assert_eq!(old.found().unwrap().counts().passed, 1, "the same bytes, written again");
        fs::remove_file(&path).unwrap();
        assert_eq!(old.found(), Err(NoReport::Missing));
    }

    #[test]
    fn an_old_report_that_is_copied_back_does_not_count() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("r.xml");
        fs::write(&path, DATED).unwrap();
        age(&path, 3600);
        let old = Expected::at(&path).unwrap();
        fs::write(&path, DATED).unwrap();
        assert_eq!(old.found(), Err(NoReport::Stale));
        fs::write(&path, DATED.replace("2026", "2027")).unwrap();
        assert_eq!(old.found().unwrap().counts().passed, 1);
    }

    #[test]
    fn a_directory_is_summed_up_without_what_is_old_or_something_else() {
        let directory = tempfile::tempdir().unwrap();
        let top = directory.path().join("reports");
        fs::create_dir_all(top.join("module")).unwrap();
        fs::write(top.join("TEST-old.xml"), ONE).unwrap();
        let expected = Expected::at(&top).unwrap();
        assert_eq!(expected.found(), Err(NoReport::Stale));
        fs::write(top.join("TEST-a.xml"), ONE).unwrap();
        fs::write(top.join("module/TEST-b.xml"), ONE.replace("name=\"a\"", "name=\"b\"")).unwrap();
        fs::write(top.join("other.xml"), "<coverage/>").unwrap();
        fs::write(top.join("notes.txt"), "no XML").unwrap();
        assert_eq!(expected.found().unwrap().counts().passed, 2);
        fs::write(top.join("TEST-c.xml"), "").unwrap();
        assert!(matches!(expected.found(), Err(NoReport::Unreadable(_))), "one that was cut off");
    }

    #[test]
    fn what_is_no_file_is_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(Expected::at(&pipe).unwrap().found(), Err(NoReport::Missing));
    }
}
