//! Tests of questions at a terminal, with a pseudo-terminal in place of a person's.

use std::os::fd::OwnedFd;

use super::*;

/// A pseudo-terminal: the person's end, and the end that we ask at.
fn terminal() -> (pty_process::blocking::Pty, File) {
    let (pty, _pts) = pty_process::blocking::open().expect("a pseudo-terminal");
    let name = rustix::pty::ptsname(&pty, Vec::new()).expect("its name");
    let ours = open(Path::new(name.to_str().expect("a plain name"))).expect("it is a terminal");
    (pty, ours)
}

#[test]
fn a_line_is_read_without_its_end() {
    let cases: [(&[u8], Option<&str>); 6] = [
        (b"approve gate\n", Some("approve gate")),
        (b"approve gate\r\nmore", Some("approve gate")),
        (b"\n", Some("")),
        (b"\xff\n", Some("\u{fffd}")),
        (b"approve gate", None),
        (b"", None),
    ];
    for (typed, read) in cases {
        assert_eq!(read_line(typed).expect("read").as_deref(), read, "{typed:?}");
    }
}

#[test]
fn a_line_beyond_the_bound_is_refused_whole() {
    let fits = [vec![b'x'; LONGEST], b"\n".to_vec()].concat();
    assert_eq!(read_line(&fits[..]).expect("fits").map(|line| line.len()), Some(LONGEST));
    let long = [vec![b'x'; LONGEST + 1], b"\nnext\n".to_vec()].concat();
    let mut input = &long[..];
    assert_eq!(read_line(&mut input).expect_err("too long").code, Code::Rapid1525);
    assert_eq!(read_line(&mut input).expect("the next line").as_deref(), Some("next"));
}

#[test]
fn the_question_is_shown_and_the_answer_comes_back() {
    let (mut person, ours) = terminal();
    person.write_all(b"approve gate.review\n").expect("typed");
    let answer = ask_at(ours, "Type it: ").expect("asked");
    assert_eq!(answer.as_deref(), Some("approve gate.review"));
    let mut shown = [0; 256];
    let length = person.read(&mut shown).expect("shown");
    let shown = String::from_utf8_lossy(&shown[..length]).into_owned();
    // The echo of what was typed early may come first.
    assert!(shown.contains("Type it: ") || shown.contains("approve"), "{shown:?}");
}

#[test]
fn the_end_of_input_is_no_answer() {
    let (mut person, ours) = terminal();
    person.write_all(b"\x04").expect("typed");
    assert_eq!(ask_at(ours, "? ").expect("asked"), None);
    let (person, ours) = terminal();
    drop(OwnedFd::from(person));
    assert_eq!(read_line(ours).expect("asked"), None);
}

#[test]
fn a_terminal_tells_its_width_and_a_file_has_none() {
    let (person, ours) = terminal();
    person.resize(pty_process::Size::new(40, 123)).expect("resized");
    assert_eq!(columns(&ours), Some(123));
    assert_eq!(columns(File::open("/dev/null").expect("opened")), None);
    assert!(open(Path::new("/dev/null")).is_none());
}
