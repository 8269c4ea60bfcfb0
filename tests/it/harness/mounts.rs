//! Places that do not let themselves be written to: a mount namespace of the script's own, where it may mount.

use super::{Output, Repo, step_aside};

/// Runs a script where it may mount what it likes without anybody else seeing it; `None`, said aloud, where that is not
/// permitted. The tool is on the script's path.
pub fn in_a_private_mount_namespace(repo: &Repo, script: &str) -> Option<Output> {
    let world = repo.world();
    let unshare = |spaces: &[&str], script: &str| {
        Output::of_any(world.command("unshare", repo.path()).args(spaces).args(["sh", "-c", script]))
    };
    let mut why = "there is no 'unshare' here".to_owned();
    // Whoever is not root may be, in a namespace of their own.
    for spaces in [&["--mount"][..], &["--map-root-user", "--mount"]] {
        match unshare(spaces, "mkdir -p ../probe && mount -t tmpfs -o size=64k none ../probe") {
            Some(output) if output.code == 0 => return unshare(spaces, script),
            Some(output) => why = format!("nothing can be mounted here: {}", output.stderr.trim()),
            None => {}
        }
    }
    step_aside(&why);
    None
}
