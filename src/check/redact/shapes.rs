//! The table of shapes: what tokens look like, by who issues them.
//!
//! Not here: secrets without a shape of their own (`assigned`, `literals`) and key blocks (`blocks`). Each shape is a
//! name and a regular expression over bytes. A `<` at its beginning says that a word must begin there, which a short
//! beginning needs; with a group, the group is the secret and the rest only its surroundings. To add one, add a line to
//! its table and a case to the test. No shape may match a git id, a digest or a UUID that stands by itself.

mod clouds;
mod forges;
mod general;
mod models;
mod services;

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

/// A shape's name, as it is shown, and its expression.
type Shape = (&'static str, &'static str);

const TABLES: [&[Shape]; 5] = [clouds::SHAPES, forges::SHAPES, models::SHAPES, services::SHAPES, general::SHAPES];

/// A shape, ready to be looked for.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) name: &'static str,
    /// The expression, at the beginning of a word if it asks for that.
    pub(super) pattern: Regex,
    /// The expression anywhere.
    pub(super) unbounded: Regex,
    /// Whether it asks for the beginning of a word.
    pub(super) at_word: bool,
}

/// All shapes; they are compiled once, when the first text needs them.
pub(super) fn compiled() -> &'static [Compiled] {
    static COMPILED: LazyLock<Vec<Compiled>> =
        LazyLock::new(|| TABLES.iter().copied().flatten().map(compile).collect());
    &COMPILED
}

#[expect(clippy::expect_used, reason = "the expressions are literals, and a test compiles all of them")]
fn compile((name, written): &Shape) -> Compiled {
    let (at_word, bare) = match written.strip_prefix('<') {
        Some(bare) => (true, bare),
        None => (false, *written),
    };
    let regex = |pattern: &str| {
        RegexBuilder::new(pattern).unicode(false).build().expect("an expression of this program is well formed")
    };
    let unbounded = regex(bare);
    let pattern = if at_word { regex(&format!(r"\b{{start-half}}(?:{bare})")) } else { unbounded.clone() };
    Compiled { name, pattern, unbounded, at_word }
}
