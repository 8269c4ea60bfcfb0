//! The search for secrets: made-up ones planted in damaged outputs.

use crate::budget::Budget;
use crate::corpus::{Seed, seeds};
use crate::mutator::Mutator;
use crate::recipes::{ALL, drawn, made};
use git_rapid::check::capture::Capture;
use git_rapid::check::redact::{Redacted, Redactor};

fn redactor() -> Redactor {
    Redactor::new(vec!["open sesame 4711".to_owned()], &["corp-[0-9]{6}".to_owned()], &[]).unwrap()
}

/// Taken in pieces of any size, with this cap, then redacted.
fn captured(mutator: &mut Mutator, text: &[u8], cap: usize, redactor: &Redactor) -> Redacted {
    let mut capture = Capture::new(cap);
    let mut rest = text;
    while !rest.is_empty() {
        let most = if mutator.below(2) == 0 { 7 } else { 5000 };
        let (piece, more) = rest.split_at((1 + mutator.below(most)).min(rest.len()));
        capture.push(piece);
        rest = more;
    }
    capture.finish().redacted(redactor)
}

fn contains(text: &[u8], piece: &[u8]) -> bool {
    text.windows(piece.len()).any(|window| window == piece)
}

/// A secret in a text: what stands before it, the secret, and what stands after it.
fn planted(mutator: &mut Mutator, seeds: &[Seed], secret: &str) -> Vec<u8> {
    let mut piece = || {
        let (seed, other) = (&mutator.one_of(seeds).output.clone(), mutator.one_of(seeds).output.clone());
        let mut piece = mutator.damage(seed, &other);
        piece.truncate(6000);
        piece
    };
    let (mut before, mut after) = (piece(), piece());
    // A secret stands by itself, as programs print it; what is glued to it would be part of another text.
    let separators: [&[u8]; 6] = [b"\n", b" ", b"\"", b"'", b"\n\t", b": "];
    let separator = *mutator.one_of(&separators);
    before.extend_from_slice(separator);
    let ends: [&[u8]; 6] = [b"\n", b" ", b"\"\n", b"'\n", b"\r\n", b" \n"];
    let end = *mutator.one_of(&ends);
    let coloured = mutator.below(3) == 0;
    let secret: Vec<u8> = match coloured {
        false => secret.bytes().collect(),
        true => {
            let at = mutator.below(secret.len());
            [&secret.as_bytes()[..at], b"\x1b[1;31m", &secret.as_bytes()[at..], b"\x1b[0m"].concat()
        }
    };
    after.splice(0..0, end.iter().copied());
    [before, secret, after].concat()
}

#[test]
fn planted_secrets() {
    let (redactor, seeds) = (redactor(), seeds());
    let mut budget = Budget::of("redactor, planted secrets", 1, 300);
    let mut mutator = Mutator::new(budget.seed());
    while budget.another() {
        let (nth, number) = (mutator.below(ALL.len()), mutator.below(1000));
        let recipe = ALL[nth];
        let text = planted(&mut mutator, &seeds, &made(recipe, number));
        let found = redactor.redact(&text);
        for piece in drawn(recipe, number).iter().filter(|piece| piece.len() >= 12) {
            assert!(
                !contains(&found.bytes, &piece.as_bytes()[..12])
                    || contains(&text_without(&text, piece), &piece.as_bytes()[..12]),
                "{recipe} {number} is seen in {}",
                found.bytes.escape_ascii()
            );
        }
        assert!(found.count > 0, "{recipe} {number} in {}", text.escape_ascii());
    }
}

/// The text without any copy of a piece: what is left of it there stood there by chance.
fn text_without(text: &[u8], piece: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(text).replace(piece, "");
    text.into_bytes()
}

/// Redacting again changes nothing, and the pieces in which a text comes change nothing.
#[test]
fn any_text_in_any_pieces() {
    let (redactor, seeds) = (redactor(), seeds());
    let mut budget = Budget::of("redactor, any text", 1, 200);
    let mut mutator = Mutator::new(budget.seed());
    while budget.another() {
        let recipe = ALL[mutator.below(ALL.len())];
        let number = mutator.below(1000);
        let clean = planted(&mut mutator, &seeds, &made(recipe, number));
        let other = mutator.one_of(&seeds).output.clone();
        // Damaged as a whole, the secret too.
        let text = mutator.damage(&clean, &other);
        let once = redactor.redact(&text);
        let twice = redactor.redact(&once.bytes);
        if twice.bytes != once.bytes {
            let at = once.bytes.iter().zip(&twice.bytes).position(|(a, b)| a != b).unwrap_or(0);
            let near = |bytes: &[u8]| {
                bytes[at.saturating_sub(200).min(bytes.len())..(at + 200).min(bytes.len())].escape_ascii().to_string()
            };
            panic!("redacted twice:\n{}\n{}", near(&once.bytes), near(&twice.bytes));
        }
        assert_eq!(captured(&mut mutator, &text, 1 << 20, &redactor), once, "in pieces");
        let (one, other) =
            (captured(&mut mutator, &text, 2048, &redactor), captured(&mut mutator, &text, 2048, &redactor));
        assert_eq!(one, other, "in other pieces, cut");
        // What is cut is cut before anything else: nothing is seen that the whole would not show, but for the marker.
        if once.count == 0 {
            assert_eq!(one.count, 0, "cut, {}", text.escape_ascii());
        }
    }
}
