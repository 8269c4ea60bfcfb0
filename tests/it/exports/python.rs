//! Existing libraries of Python, asked what they think of an export.

use crate::harness::{Output, World, step_aside};
use std::sync::Arc;

/// Whether Python has these packages; said aloud when not.
pub fn has(world: &Arc<World>, packages: &[&str]) -> bool {
    let imports = format!("import {}", packages.join(", "));
    let there = Output::of_any(world.command("python3", world.top()).args(["-c", &imports]));
    let there = there.is_some_and(|output| output.code == 0);
    if !there {
        step_aside(&format!("python3 has no {}", packages.join(", ")));
    }
    there
}

/// Runs a script with arguments in the world's directory.
pub fn run(world: &Arc<World>, script: &str, arguments: &[&str]) -> Output {
    let mut command = world.command("python3", world.top());
    command.env("PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION", "python");
    Output::of(command.args(["-c", script]).args(arguments))
}
