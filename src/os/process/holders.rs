//! Which processes have a file open.

use std::path::Path;

/// The numbers of the processes that have this file open, as far as we may see them; `None` where the system does not tell.
pub fn holders(path: &Path) -> Option<Vec<u32>> {
    let path = std::fs::canonicalize(path).ok()?;
    let mut holding = Vec::new();
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let open = std::fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        if open.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|file| file == path) {
            holding.push(pid);
        }
    }
    Some(holding)
}
