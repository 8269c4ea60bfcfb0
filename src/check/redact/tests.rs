//! Tests of the redactor. No secret stands in these files, not even a made-up one: each is put together at run time from
//! a recipe (`recipes`), so that scanners have nothing to find.

mod lookalikes;
mod named;
mod recipes;
mod shaped;

use super::*;
use crate::os::environment::Environment;

fn redactor() -> Redactor {
    Redactor::new(Vec::new(), &[], &[]).expect("the table is well formed")
}

fn redacted(text: &str) -> String {
    String::from_utf8(redactor().redact(text.as_bytes()).bytes).expect("text stays text")
}

/// How much of the drawn parts can still be read in a text, ends of lines and colours put aside: the first piece of
/// eight characters that is there.
fn leak(text: &[u8], recipe: &str, number: usize) -> Option<String> {
    let read = view::View::joined(text).text;
    let pieces = recipes::drawn(recipe, number);
    let windows = pieces.iter().flat_map(|piece| piece.as_bytes().windows(8));
    let seen = |window: &&[u8]| read.windows(8).any(|other| other == *window);
    windows.clone().find(seen).map(|window| String::from_utf8_lossy(window).into_owned())
}

#[test]
fn a_pattern_that_is_none_is_refused_with_its_reason() {
    for (extra, allow) in [(vec!["(".to_owned()], vec![]), (vec![], vec!["[".to_owned()])] {
        let refused = Redactor::new(vec![], &extra, &allow).expect_err("refused");
        assert_eq!(refused.code, Code::Rapid1600);
        assert!(refused.message.contains("unclosed"), "{refused}");
    }
    let huge = vec![r"\w{1000}{1000}".to_owned()];
    assert_eq!(Redactor::new(vec![], &huge, &[]).expect_err("refused").code, Code::Rapid1600);
}

#[test]
fn own_patterns_find_what_nobody_else_knows() {
    let extra = [r"corp-\d{6}".to_owned(), r"badge=(\w+)".to_owned()];
    let redactor = Redactor::new(vec![], &extra, &[]).expect("compiled");
    let found = redactor.redact(b"id corp-123456, badge=tiger; corp-1\n23456");
    let expected = "id [redacted:custom], badge=[redacted:custom]; [redacted:custom]";
    assert_eq!((String::from_utf8_lossy(&found.bytes).as_ref(), found.count), (expected, 3));
    // A pattern that matches nothing at all finds nothing.
    assert_eq!(Redactor::new(vec![], &["x*".to_owned()], &[]).expect("compiled").redact(b"abc").count, 0);
}

#[test]
fn what_is_allowed_stays() {
    let key = recipes::made("AK~IA{A16}", 1);
    let text = format!("the example {key} of the manual");
    assert_eq!(redactor().redact(text.as_bytes()).count, 1);
    let allowing = |allow: &str| Redactor::new(vec![], &[], &[allow.to_owned()]).expect("compiled");
    assert_eq!(allowing(&key).redact(text.as_bytes()).bytes, text.as_bytes());
    assert_eq!(allowing("AK[A-Z0-9]+").redact(text.as_bytes()).bytes, text.as_bytes());
    // Only whole secrets are allowed, or a short pattern would allow everything.
    assert_eq!(allowing("AK").redact(text.as_bytes()).count, 1);
}

#[test]
fn counts_are_told_and_values_are_not() {
    let (one, two) = (recipes::made("gh~p_{a36}", 1), recipes::made("gl~pat-{a20}", 2));
    let found = redactor().redact(format!("{one}\n{two}\n{one}\n").as_bytes());
    assert_eq!(found.count, 3);
    assert_eq!(
        String::from_utf8_lossy(&found.bytes),
        "[redacted:github-token]\n[redacted:gitlab-token]\n[redacted:github-token]\n"
    );
    let knowing = Redactor::new(vec![one.clone()], &[], &[]).expect("compiled");
    assert!(!format!("{found:?} {knowing:?}").contains(&one));
}

#[test]
fn a_text_without_secrets_is_the_same_text() {
    let text = "\x1b[32mtest result: ok\x1b[0m. 12 passed; 0 failed\r\n\u{202e}\u{200b}caf\u{e9}\n";
    let found = redactor().redact(text.as_bytes());
    assert_eq!((found.bytes, found.count), (text.as_bytes().to_vec(), 0));
    assert_eq!(redactor().redact(b"\xff\xfe\x00").bytes, b"\xff\xfe\x00");
    assert_eq!(redactor().redact(b"").bytes, b"");
}

#[test]
fn a_colour_that_ends_in_a_secret_still_ends() {
    let key = recipes::made("gh~p_{a36}", 3);
    let text = format!("\x1b[31m{}\x1b[0m{} green", &key[..10], &key[10..]);
    assert_eq!(redacted(&text), "\x1b[31m[redacted:github-token]\x1b[0m green");
}

#[test]
fn a_broken_sequence_takes_no_part_of_a_secret_with_it() {
    let key = recipes::made("gh~p_{a36}", 5);
    let coloured = format!("{}\x1b[1m{}", &key[..20], &key[20..]);
    for before in ["\x1b[\"", "\x1b[1;3 ", "\x1b ", "\x1b[31\n", "\x1b]0;title\n", "\x1b'"] {
        let shown = redacted(&format!("{before}{coloured} x"));
        assert!(shown.contains("[redacted:github-token]") && shown.ends_with(" x"), "{shown:?}");
    }
}

#[test]
fn what_is_invisible_is_searched_too() {
    let key = recipes::made("gh~p_{a36}", 4);
    let link = format!("\x1b]8;;https://example.org/?t={key}\x1b\\here\x1b]8;;\x1b\\");
    assert!(!redacted(&link).contains(&key));
    let title = format!("\x1b]0;{key}\x07ready");
    assert!(!redacted(&title).contains(&key) && redacted(&title).ends_with("ready"));
}

#[test]
fn redacting_again_changes_nothing() {
    for (nth, recipe) in recipes::ALL.iter().enumerate() {
        let text = format!("x={} API_KEY={}\n", recipes::made(recipe, nth), recipes::made("{a24}", nth));
        let once = redactor().redact(text.as_bytes()).bytes;
        let twice = redactor().redact(&once);
        assert_eq!(
            (String::from_utf8_lossy(&twice.bytes), twice.count),
            (String::from_utf8_lossy(&once), 0),
            "{recipe}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Any bytes go in, and those without secrets come out.
    #[test]
    fn any_bytes_are_taken(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..600)) {
        let once = redactor().redact(&bytes);
        proptest::prop_assert_eq!(redactor().redact(&once.bytes).bytes, once.bytes);
    }

    /// Whatever stands around it, of all that the engine looks at, a token is found.
    #[test]
    fn nothing_around_a_token_hides_it(pieces in proptest::collection::vec(0usize..20, 0..60)) {
        const PIECES: [&str; 20] = [
            "\x1b[1m", "\x1b]8;;", "\x07", "\n", "  ", "=", ":", "\"", "TOKEN", "password", "https://u:", "@host", "eyJ",
            "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG", "sk-", "[redacted:", ";", "\\n",
        ];
        let half = |pieces: &[usize]| pieces.iter().map(|piece| PIECES[*piece]).collect::<String>();
        let (before, after) = pieces.split_at(pieces.len() / 2);
        let recipe = "gh~p_{a36}";
        let text = format!("{}{}{}", half(before), recipes::made(recipe, 6), half(after));
        let found = redactor().redact(text.as_bytes());
        proptest::prop_assert_eq!(leak(&found.bytes, recipe, 6), None);
    }
}

/// An escape before a blank is only itself: what a terminal makes of `ESC SP G` must not take the beginning of a secret away.
#[test]
fn a_stray_escape_hides_no_beginning() {
    let redactor = Redactor::new(vec![], &[], &[]).expect("compiled");
    let secret = format!("GOCSPX-{}", "aB3dE6g".repeat(4));
    for before in ["\x1b ", "\x1b[0m\x1b "] {
        let (beginning, end) = secret.split_at(12);
        let seen = redactor.redact(format!("{before}{beginning}\x1b[1;31m{end} next").as_bytes());
        assert_eq!(seen.count, 1, "{before:?}: {}", String::from_utf8_lossy(&seen.bytes));
    }
}
