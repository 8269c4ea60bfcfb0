//! Modes, links, odd names, and things that are not files.

use super::oracle::Place;
use std::os::unix::ffi::OsStrExt;

#[test]
fn executable_bits() {
    let place = Place::new();
    place.settle();
    place.mode("run.sh", 0o644);
    place.mode("a.txt", 0o755);
    place.write("new.sh", "#!/bin/sh\n");
    place.mode("new.sh", 0o755);
    place.write("others.sh", "#!/bin/sh\n");
    place.mode("others.sh", 0o611);
    place.agrees();
}

#[test]
fn executable_bits_that_mean_nothing() {
    let place = Place::new();
    place.config("core.fileMode", "false");
    place.mode("run.sh", 0o644);
    place.mode("a.txt", 0o755);
    place.append("run.sh", "q\n");
    place.write("nx", "n\n");
    place.mode("nx", 0o755);
    place.agrees();
    place.settle();
    place.agrees();
}

#[test]
fn links_that_are_files() {
    let place = Place::new();
    place.config("core.symlinks", "false");
    place.remove("ln");
    place.write("ln", "d/x.txt");
    place.agrees();
}

#[test]
fn links_dangling_looping_and_leading_out() {
    let place = Place::new();
    place.link("nowhere", "dangling");
    place.link("loop", "loop");
    place.link("/etc/passwd", "outside");
    place.link("d", "to-a-directory");
    place.remove("ln");
    place.link("d", "ln");
    place.agrees();
}

#[test]
fn pipes_and_sockets_are_not_seen() {
    let place = Place::new();
    assert!(std::process::Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(place.path("socket")).unwrap();
    place.write("n", "n\n");
    place.agrees();
}

#[test]
fn a_tracked_file_that_became_a_pipe_is_gone() {
    let place = Place::new();
    place.remove("a.txt");
    let without = place.answer_in(&place.top);
    assert!(std::process::Command::new("mkfifo").arg(place.path("a.txt")).status().unwrap().success());
    assert_eq!(place.snapshot().tree.to_string(), without);
}

#[test]
fn names_of_every_byte() {
    let place = Place::new();
    for byte in (1..=255_u8).filter(|byte| *byte != b'/') {
        place.write(std::ffi::OsStr::from_bytes(&[b'n', byte, b'm']), [byte]);
        place.write(std::path::Path::new(std::ffi::OsStr::from_bytes(&[b'd', byte])).join("f"), [byte]);
    }
    place.agrees();
    place.commit("names");
    place.settle();
    place.agrees();
}

#[test]
fn long_names_and_deep_directories() {
    let place = Place::new();
    place.write("x".repeat(255), "long");
    place.write(vec!["deep"; 300].join("/"), "deep");
    place.agrees();
}

#[test]
fn names_that_no_tree_may_hold_are_named() {
    let place = Place::new();
    place.write(".GIT/config", "c");
    place.write("d/git~1", "g");
    let expected = place.git(&["rev-parse", "HEAD^{tree}"]);
    let snapshot = place.snapshot();
    assert_eq!(snapshot.tree.to_string(), expected);
    assert_eq!(snapshot.notes.withheld, [".GIT", "d/git~1"]);
}
