//! Ten clones that push at once: all arrive, within the retries that a push has.

use super::clones;
use crate::harness::{Loop, Output, run_of};
use std::process::Stdio;

#[test]
fn ten_clones_that_push_at_once_all_arrive() {
    let (world, remote, [first]) = clones(["first"]);
    let mut all = vec![first];
    all.extend((1..10).map(|number| world.clone_of(&remote, &format!("clone-{number}"))));
    let titles: Vec<String> = (0..10).map(|number| format!("Thing {number}")).collect();
    for (clone, title) in all.iter().zip(&titles) {
        Loop::start(clone, title);
    }
    let mut pushing = Vec::new();
    for (clone, verb) in all.iter().zip(["push", "sync"].into_iter().cycle()) {
        let mut command = clone.tool();
        command.arg(verb).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        pushing.push(command.spawn().unwrap());
    }
    for child in pushing {
        let _ = Output::from_std(&child.wait_with_output().unwrap(), "a push among ten".to_owned()).ok();
    }
    let reader = world.clone_of(&remote, "reader");
    let _ = reader.rapid(&["sync"]).ok();
    let _ = reader.rapid(&["verify", "--full"]).ok().says("proven");
    let contracts = reader.records().into_iter().filter(|path| path.ends_with("/contract.json")).collect::<Vec<_>>();
    for title in &titles {
        let run = run_of(title, 1);
        assert!(contracts.iter().any(|path| path.contains(&format!("/{run}/"))), "{run} has arrived");
    }
    assert_eq!(remote.git(&["fsck", "--strict", "--no-dangling", "--no-progress"]), "");
}
