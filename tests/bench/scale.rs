//! How the cost grows with the size: `cargo bench -- --scale`. Processor time and memory of whole processes, as `/usr/bin/time`
//! gives them; no bound is asserted.

use super::world::World;
use std::process::Command;

/// The run that [`World`] opens.
const RUN: &str = "bench-r1-run-001";

/// Prints a table: a command, a size, what it took.
pub fn print() {
    println!("{:<34} {:>7} {:>8} {:>8} {:>9}", "", "size", "user s", "system s", "peak MiB");
    for records in [500, 1000, 2000] {
        let world = World::new(20, 0);
        world.observe(RUN, records);
        row("eval run, pieces of evidence", records, &world.tool(&["eval", "run", "--run", RUN]));
        row("next, pieces of evidence", records, &world.tool(&["next"]));
    }
    for entries in [2500, 5000, 10_000, 20_000] {
        let world = World::new(20, entries);
        row("validate, entries", entries, &world.tool(&["validate"]));
        row("verify --full, entries", entries, &world.tool(&["verify", "--full"]));
    }
}

/// The median of five runs.
fn row(what: &str, size: u32, command: &Command) {
    let mut seen: Vec<[f64; 3]> = (0..5).map(|_| once(command)).collect();
    seen.sort_by(|a, b| (a[0] + a[1]).total_cmp(&(b[0] + b[1])));
    let [user, system, peak] = seen[2];
    println!("{what:<34} {size:>7} {user:>8.2} {system:>8.2} {:>9.1}", peak / 1024.0);
}

fn once(command: &Command) -> [f64; 3] {
    let mut timed = Command::new("/usr/bin/time");
    timed.args(["-f", "%U %S %M"]).arg(command.get_program()).args(command.get_args()).env_clear();
    for (name, value) in command.get_envs() {
        timed.env(name, value.unwrap_or_default());
    }
    if let Some(directory) = command.get_current_dir() {
        timed.current_dir(directory);
    }
    let output = timed.output().expect("/usr/bin/time");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {text}");
    let last = text.trim_end().lines().last().unwrap_or_default();
    let numbers: Vec<f64> = last.split(' ').map(|word| word.parse().expect("a number")).collect();
    [numbers[0], numbers[1], numbers[2]]
}
