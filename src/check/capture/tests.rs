//! Tests of what is kept of an output, and that nothing else is needed.

use super::*;

fn captured(cap: usize, pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Captured {
    let mut capture = Capture::new(cap);
    pieces.into_iter().for_each(|piece| capture.push(piece.as_ref()));
    capture.finish()
}

fn text(captured: &Captured) -> String {
    String::from_utf8(captured.text()).expect("text stays text")
}

/// The number in the line that stands in the gap.
fn told(text: &str) -> u64 {
    let line = text.lines().find(|line| line.ends_with(" bytes left out …")).expect("a line tells the gap");
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
}

#[test]
fn nothing_is_nothing() {
    let nothing = captured(4096, [""]);
    assert_eq!((nothing.size, nothing.truncated(), nothing.text()), (0, false, vec![]));
    assert_eq!(nothing.sha256, Digest::of(b""));
}

#[test]
fn what_fits_is_kept_to_the_byte_however_it_came() {
    let bytes: Vec<u8> = (0..4096u32).map(|n| u8::try_from(n * 7 % 256).expect("a byte")).collect();
    for size in [1, 13, 1024, 4096] {
        let captured = captured(4096, bytes.chunks(size));
        assert_eq!((captured.text(), captured.truncated(), captured.size), (bytes.clone(), false, 4096));
        assert_eq!(captured.sha256, Digest::of(&bytes));
    }
}

#[test]
fn one_byte_more_makes_a_gap_and_the_digest_is_of_everything() {
    let bytes: Vec<u8> = (0..4097).map(|n| if n % 50 == 49 { b'\n' } else { b'x' }).collect();
    let captured = captured(4096, bytes.chunks(100));
    assert!(captured.truncated());
    assert_eq!((captured.size, captured.sha256), (4097, Digest::of(&bytes)));
}

#[test]
fn beginning_and_end_are_kept_in_whole_lines_within_the_cap() {
    let lines: Vec<String> = (0..100_000).map(|nth| format!("line {nth}\n")).collect();
    for cap in [1024, 4096, 100_000] {
        let captured = captured(cap, &lines);
        let text = text(&captured);
        assert!(text.len() <= cap && text.len() > cap * 9 / 10 - 100, "{cap}: {}", text.len());
        assert!(text.starts_with("line 0\nline 1\n") && text.ends_with("line 99998\nline 99999\n"));
        let kept: Vec<&str> = text.lines().filter(|line| !line.ends_with("left out …")).collect();
        assert_eq!(kept.len() + 1, text.lines().count());
        assert!(kept.iter().all(|line| lines.contains(&format!("{line}\n"))), "whole lines");
        let kept: usize = kept.iter().map(|line| line.len() + 1).sum();
        assert_eq!((captured.left_out, told(&text)), (captured.size - kept as u64, captured.left_out));
    }
}

#[test]
fn every_size_around_the_bounds_adds_up() {
    let whole: Vec<u8> =
        (0..80_000u32).map(|n| if n % 97 == 0 { b'\n' } else { b'a' + u8::try_from(n % 26).expect("small") }).collect();
    let cap = 2048;
    for size in (1000..5000).step_by(37).chain(17_000..17_100).chain((30_000..80_000).step_by(7001)) {
        let bytes = &whole[..size];
        let captured = captured(cap, bytes.chunks(333));
        let kept = captured.text();
        if size <= cap {
            assert_eq!(kept, bytes);
            continue;
        }
        let gap = kept.windows(3).position(|three| three == "…".as_bytes()).expect("a gap");
        // A line that was cut got an end of its own.
        let head = if bytes.starts_with(&kept[..gap]) { &kept[..gap] } else { &kept[..gap - 1] };
        let tail = &kept[kept.len() - (size - head.len() - usize::try_from(captured.left_out).expect("small"))..];
        assert!(bytes.starts_with(head) && bytes.ends_with(tail), "{size}");
        assert!(kept.len() <= cap, "{size}: {}", kept.len());
    }
}

#[test]
fn a_line_without_end_is_cut_between_characters() {
    for shift in 0..4 {
        let long = format!("{}{}", "x".repeat(shift), "ä€😀".repeat(20_000));
        let captured = captured(10_000, long.as_bytes().chunks(4093));
        let text = text(&captured);
        assert!(text.len() <= 10_000 && text.len() > 9_900, "{}", text.len());
        let (head, rest) = text.split_once("\n… ").expect("a gap");
        let (_, tail) = rest.split_once(" …\n").expect("a gap");
        assert!(long.starts_with(head) && long.ends_with(tail));
        assert_eq!(told(&text), u64::try_from(long.len() - head.len() - tail.len()).expect("small"));
    }
}

#[test]
fn bytes_that_are_no_text_are_cut_somewhere() {
    let captured = captured(4096, [[0x80u8; 1000]; 100]);
    assert_eq!(captured.size, 100_000);
    let kept = captured.text();
    assert!(kept.len() <= 4096 && kept.iter().filter(|byte| **byte == 0x80).count() > 4000 - 64);
}

#[test]
fn memory_does_not_grow_with_the_output() {
    let mut capture = Capture::new(4096);
    let piece = vec![b'z'; 64 * 1024];
    for _ in 0..100 {
        capture.push(&piece);
        let held = capture.head.capacity() + capture.tail.capacity();
        assert!(held < 8 * (4096 + MARGIN) + piece.len(), "{held}");
    }
    assert_eq!(capture.finish().size, 100 * 64 * 1024);
}

#[test]
fn what_is_stored_has_no_secret_and_the_same_gap() {
    let redactor = Redactor::new(vec!["tiger-lily-4711".into()], &[], &[]).expect("compiled");
    let lines: Vec<String> = (0..5000).map(|nth| format!("{nth} is tiger-lily-4711 here\n")).collect();
    let captured = captured(4096, &lines);
    let stored = captured.redacted(&redactor);
    let shown = String::from_utf8(stored.bytes).expect("text");
    assert!(!shown.contains("tiger") && shown.starts_with("0 is [redacted:value] here\n"));
    assert_eq!(stored.count, shown.matches("[redacted:value]").count());
    assert_eq!(told(&shown), captured.left_out);
    assert!(String::from_utf8_lossy(&captured.text()).contains("tiger"), "the text for reading is as it came");
}
