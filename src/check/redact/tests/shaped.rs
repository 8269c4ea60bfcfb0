//! Tests of every shape, in every dress: plain, quoted, coloured, wrapped, cut by a capture.

use super::recipes::{ALL, made};
use super::*;
use crate::check::capture::Capture;

/// A text made of a secret, and what around it must survive.
type Dress = (&'static str, fn(&str) -> String, &'static [&'static str]);

const DRESSES: &[Dress] = &[
    ("plain", |secret| format!("it is {secret} and more\n"), &["it is ", " and more\n"]),
    ("alone", |secret| format!("{secret}\nDone in 3s\n"), &["Done in 3s\n"]),
    ("at the end", |secret| format!("12 passed\n  {secret}"), &["12 passed\n"]),
    ("quoted", |secret| format!("[\"{secret}\", 'x']"), &["[", "'x']"]),
    ("in capitals' company", |secret| format!("CI=1 X={secret}\r\n"), &["CI=1 X=", "\r\n"]),
];

#[test]
fn there_are_more_than_a_hundred_shapes() {
    assert!(ALL.len() > 100, "{}", ALL.len());
    let named: std::collections::BTreeSet<_> = ALL.iter().collect();
    assert_eq!(named.len(), ALL.len(), "each recipe once");
}

#[test]
fn every_shape_of_the_tables_has_a_recipe() {
    let texts: Vec<String> = ALL.iter().enumerate().map(|(nth, recipe)| made(recipe, nth)).collect();
    for shape in shapes::compiled() {
        assert!(texts.iter().any(|text| shape.pattern.is_match(text.as_bytes())), "{}: {}", shape.name, shape.pattern);
    }
}

#[test]
fn no_secret_is_a_plain_text() {
    for (nth, recipe) in ALL.iter().enumerate() {
        assert!(!plain::is_plain(made(recipe, nth).as_bytes()), "{recipe}");
    }
    for text in ["Add a greeting", "12 green, 3 red", "blocked by the team in Bern (v1.2.3)", "implementation", ""] {
        assert!(plain::is_plain(text.as_bytes()), "{text}");
    }
}

#[test]
fn a_commands_words_are_read_as_one_line_and_stay_apart() {
    let secret = made("{a24}", 7);
    let words = |line: &str| line.split(' ').map(|word| word.replace('@', &secret)).collect::<Vec<String>>();
    let shown = |line: &str| redactor().words(&words(line)).join(" ");
    assert_eq!(shown("deploy --token @ --now"), "deploy --token [redacted:assigned] --now");
    assert_eq!(shown("env API_KEY=@ make test"), "env API_KEY=[redacted:assigned] make test");
    assert_eq!(shown("curl -u me:@ x"), "curl -u me:[redacted:command-password] x");
    assert_eq!(redactor().words(&words("sh -c @")), words("sh -c @"), "no name, no shape");
    let plain = words("cargo test --lib  -- --nocapture");
    assert_eq!(redactor().words(&plain), plain);
    assert_eq!(redactor().words(&[]), Vec::<String>::new());
}

#[test]
fn both_parts_of_an_address_go_when_the_user_is_the_token() {
    let (long, short) = (made("{a40}", 1), made("{a12}", 2));
    assert_eq!(
        redacted(&format!("https://{long}:x-oauth-basic@github.com/o/r https://{short}:x-oauth-basic@github.com/o/r")),
        format!("https://{0}:{0}@github.com/o/r https://{0}:{0}@github.com/o/r", "[redacted:url-password]")
    );
    assert_eq!(redacted(&format!("ftp://me:{short}@x/")), "ftp://me:[redacted:url-password]@x/");
    assert_eq!(redacted("Cookie: theme=dark; auth=a1b2c3; x=1"), "Cookie: theme=dark; [redacted:cookie]");
}

#[test]
fn a_cloud_key_needs_no_beginning_of_a_word() {
    let key = made("AK~IA{A16}", 3);
    for before in ["_", "key", "aws_", "x1"] {
        assert_eq!(redacted(&format!("{before}{key} z")), format!("{before}[redacted:aws-access-key] z"));
    }
}

#[test]
fn every_secret_is_found_in_every_dress() {
    let redactor = redactor();
    for (nth, recipe) in ALL.iter().enumerate() {
        for (dress, put_on, around) in DRESSES {
            let text = put_on(&made(recipe, nth));
            let found = redactor.redact(text.as_bytes());
            let shown = String::from_utf8_lossy(&found.bytes).into_owned();
            assert_eq!(leak(&found.bytes, recipe, nth), None, "{recipe} {dress}: {shown:?}");
            assert!(found.count > 0 && shown.contains("[redacted:"), "{recipe} {dress}: {shown:?}");
            for part in *around {
                assert!(shown.contains(part), "{recipe} {dress} lost {part:?}: {shown:?}");
            }
        }
    }
}

/// Puts something at several places into a secret.
fn broken(secret: &str, with: &str, places: usize) -> String {
    let characters: Vec<char> = secret.chars().collect();
    let step = characters.len().div_ceil(places + 1);
    characters.chunks(step).map(|chunk| chunk.iter().collect::<String>()).collect::<Vec<_>>().join(with)
}

#[test]
fn colours_hide_nothing() {
    let redactor = redactor();
    for (nth, recipe) in ALL.iter().enumerate() {
        for code in ["\x1b[31m", "\x1b[0m\x1b[1;38;5;9m", "\x1b[K", "\x1b(B", "\u{200b}", "\x1b]0;title\x07"] {
            let text = format!("\x1b[1m{}\x1b[0m ok\n", broken(&made(recipe, nth), code, 4));
            let found = redactor.redact(text.as_bytes());
            assert_eq!(leak(&found.bytes, recipe, nth), None, "{recipe} {code:?}");
            assert!(found.bytes.ends_with(b" ok\n"), "{recipe} {code:?}");
        }
    }
}

/// Shapes with blanks of their own in them wrap as words do, which is another thing.
fn is_one_word(recipe: &&&str) -> bool {
    !recipe.contains(' ')
}

#[test]
fn ends_of_lines_hide_nothing() {
    let redactor = redactor();
    for (nth, recipe) in ALL.iter().filter(is_one_word).enumerate() {
        for (end, places) in [("\n", 1), ("\r\n", 1), ("\n", 3), ("\n    ", 2), ("\\\n", 1), ("\x1b[0m\n\x1b[31m", 2)] {
            let text = format!("see {}\nDone in 3s\n", broken(&made(recipe, nth), end, places));
            let found = redactor.redact(text.as_bytes());
            let shown = String::from_utf8_lossy(&found.bytes);
            assert_eq!(leak(&found.bytes, recipe, nth), None, "{recipe} {end:?} {places}: {shown:?}");
            assert!(shown.ends_with("Done in 3s\n"), "{recipe} {end:?} {places}: {shown:?}");
        }
    }
}

#[test]
fn a_token_may_be_wrapped_anywhere() {
    let redactor = redactor();
    for recipe in ["gh~p_{a36}", "AK~IA{A16}", "ey~J{a33}.ey~J{a60}.{w43}", "postgres://shop:~{a18}@db.example/shop"] {
        let secret = made(recipe, 5);
        for place in 1..secret.len() {
            let text = format!("the key\n{}\n  {}\nDone\n", &secret[..place], &secret[place..]);
            let found = redactor.redact(text.as_bytes());
            let shown = String::from_utf8_lossy(&found.bytes);
            assert_eq!(leak(&found.bytes, recipe, 5), None, "{recipe} {place}: {shown:?}");
            assert!(shown.starts_with("the key\n") && shown.ends_with("Done\n"), "{recipe} {place}: {shown:?}");
        }
    }
}

#[test]
fn a_whole_token_does_not_eat_the_next_line() {
    let words = [
        "test result: ok. 3 passed",
        "Done",
        "PASSED",
        "v1.2.3",
        "all-tests_pass",
        "/usr/lib",
        "12",
        "2026-11-30T12:00:00Z INFO up",
        "====== 2 passed in 0.1s ======",
    ];
    let ids = ["{h40} main", "{h64}  file", "{u}"].map(|recipe| made(recipe, 1));
    for (nth, recipe) in ALL.iter().filter(is_one_word).enumerate() {
        // After hexadecimal digits, more of them may well be the rest.
        let ids = if recipe.contains("{h") || recipe.contains("{u") { &[][..] } else { &ids[..] };
        for next in words.iter().copied().chain(ids.iter().map(String::as_str)) {
            let shown = redacted(&format!("{}\n{next}\n", made(recipe, nth)));
            assert!(shown.ends_with(&format!("\n{next}\n")), "{recipe}: {shown:?}");
        }
    }
}

#[test]
fn pieces_of_a_stream_hide_nothing() {
    let redactor = redactor();
    for (nth, recipe) in ALL.iter().enumerate() {
        let text = format!("begin\n{}\nend\n", made(recipe, nth));
        for size in [1, 7, 64] {
            let mut capture = Capture::new(4096);
            text.as_bytes().chunks(size).for_each(|chunk| capture.push(chunk));
            let stored = capture.finish().redacted(&redactor);
            assert_eq!(leak(&stored.bytes, recipe, nth), None, "{recipe} {size}");
            assert!(stored.count > 0);
        }
    }
}

#[test]
fn a_cut_through_a_secret_shows_neither_half() {
    let redactor = redactor();
    let recipe = "gh~p_{a36}";
    let secret = made(recipe, 9);
    for place in 0..60 {
        // No end of a line is near, so the cuts are where the cap says, and go through both secrets at some place.
        let gap = "y ".repeat(40_000);
        let text = format!("{}{secret} {gap}{secret} {}", ". ".repeat(220 + place / 2), ". ".repeat(200 + place / 2));
        let text = if place % 2 == 0 { text } else { format!(".{text}.") };
        let mut capture = Capture::new(1024);
        text.as_bytes().chunks(1000).for_each(|chunk| capture.push(chunk));
        let captured = capture.finish();
        assert!(captured.truncated());
        let stored = captured.redacted(&redactor);
        assert_eq!(leak(&stored.bytes, recipe, 9), None, "{place}");
        assert!(!String::from_utf8_lossy(&stored.bytes).contains(&secret[..6]), "{place}");
    }
}

#[test]
fn key_blocks_go_whole_and_cut_ones_too() {
    let lines: Vec<String> = (0..20).map(|nth| made("{b64}", nth)).collect();
    let body = lines.join("\n");
    let kinds = ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "];
    for kind in kinds {
        let (begin, end) =
            (format!("-----BEGIN {kind}PRIVATE{} KEY-----", ""), format!("-----END {kind}PRIVATE{} KEY-----", ""));
        let cases = [
            format!("{begin}\n{body}\nshort==\n{end}"),
            format!("{begin}\r\n{}\r\n{end}", lines.join("\r\n")),
            format!("\"{begin}\\n{}\\n{end}\\n\"", lines.join("\\n")),
            format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n{body}\n{end}"),
            format!("{begin}\n{body}"),
            format!("{body}\nshort==\n{end}"),
            format!("\x1b[33m{begin}\n{}\n{end}\x1b[0m", lines.join("\x1b[0m\n\x1b[33m")),
            format!("12:00 {begin}\n12:00 {}\n12:00 {end}", lines.join("\n12:00 ")),
        ];
        for case in cases {
            let shown = redacted(&format!("before\n{case}\nafter it\n"));
            assert!(shown.contains("[redacted:private-key]"), "{case:?}: {shown:?}");
            assert!(!lines.iter().any(|line| shown.contains(&line[..16])), "{case:?}: {shown:?}");
            assert!(shown.starts_with("before\n") && shown.ends_with("after it\n"), "{case:?}: {shown:?}");
        }
    }
    let putty =
        format!("PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 2\n{}\n{}\nPrivate-MAC: 0\n", lines[0], lines[1]);
    assert!(!redacted(&putty).contains(&lines[1][..16]));
    let pgp = format!(
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{body}\n=ab1c\n-----END PGP PRIVATE KEY BLOCK-----\n"
    );
    assert_eq!(redacted(&pgp), "[redacted:private-key]\n");
}
