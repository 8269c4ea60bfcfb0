//! Paths below the repository's top as texts with `/`; the top itself is the empty path.

/// The directory of a path.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// `below` under `directory`.
pub(super) fn join(directory: &str, below: &str) -> String {
    match (directory, below) {
        ("", _) => below.to_owned(),
        (_, "") => directory.to_owned(),
        _ => format!("{directory}/{below}"),
    }
}

/// `below` as seen from `directory`, with `.` and `..` worked out; `None` when it leaves the repository.
pub(super) fn resolve(directory: &str, below: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in below.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A directory and those above it, the nearest first, the top last.
pub(super) fn upwards(directory: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(directory);
    std::iter::from_fn(move || {
        let now = next?;
        next = (!now.is_empty()).then(|| parent(now));
        Some(now)
    })
}

/// What is left of `path` below `directory`.
pub(super) fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    match directory {
        "" => Some(path),
        _ => path.strip_prefix(directory)?.strip_prefix('/'),
    }
}
