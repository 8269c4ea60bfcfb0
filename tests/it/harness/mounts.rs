//! Places that do not let themselves be written to: a mount namespace of the script's own, where it may mount.

use super::{Output, Repo, step_aside};

/// Runs a script where it may mount what it likes without anybody else seeing it; `None`, said aloud, where that is not
/// permitted. The tool is on the script's path.
pub fn in_a_private_mount_namespace(repo: &Repo, script: &str) -> Option<Output> {
    let world = repo.world();
    let unshare =
        |script: &str| Output::of_any(world.command("unshare", repo.path()).args(["--mount", "sh", "-c", script]));
    let probe = unshare("mkdir -p ../probe && mount -t tmpfs -o size=64k none ../probe");
    match probe {
        Some(output) if output.code == 0 => unshare(script),
        Some(output) => {
            step_aside(&format!("nothing can be mounted here: {}", output.stderr.trim()));
            None
        }
        None => {
            step_aside("there is no 'unshare' here");
            None
        }
    }
}
