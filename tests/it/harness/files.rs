//! Everything below a directory as it lies there, to show that nothing moved.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file, directory or link: mode, inode, time of change in nanoseconds, and bytes.
pub type Lying = (u32, u64, i128, Vec<u8>);

/// Every file, directory and link below `top`. Directories count too: a file that came and went changes their time.
pub fn everything_below(top: &Path) -> BTreeMap<PathBuf, Lying> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![top.to_owned()];
    while let Some(path) = waiting.pop() {
        let data = std::fs::symlink_metadata(&path).unwrap();
        let time = i128::from(data.mtime()) * 1_000_000_000 + i128::from(data.mtime_nsec());
        let mut bytes = Vec::new();
        if data.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if data.is_file() {
            bytes = std::fs::read(&path).unwrap();
        }
        all.insert(path, (data.mode(), data.ino(), time, bytes));
    }
    all
}
