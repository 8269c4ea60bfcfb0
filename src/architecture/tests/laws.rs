//! What holds for any text: nothing panics, and twice the text takes about twice the time.

use crate::architecture::language::{Imports, Language, read};
use proptest::prelude::*;
use std::time::{Duration, Instant};

const ALL: [Language; 4] = [Language::Rust, Language::Python, Language::Script, Language::Go];

/// Pieces that the readers treat in their own ways.
const PIECES: &[&str] = &[
    "use ",
    "mod ",
    "crate",
    "::",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ":",
    "*",
    " as ",
    "import ",
    "from ",
    "export ",
    "require(",
    "\"",
    "'",
    "`",
    "${",
    "/",
    "//",
    "/*",
    "*/",
    "\\",
    "\n",
    "\r\n",
    "#",
    "r#\"",
    "\"#",
    "'''",
    "\"\"\"",
    "f\"",
    "import(",
    ".",
    "..",
    "a",
    "\u{e9}",
    "\u{1f980}",
    "\u{0}",
    "<",
    ">",
    "$",
    "1",
    "x = ",
    "package p\n",
    "path = \"x\"",
    "extern crate ",
];

fn count(imports: &Imports) -> usize {
    match imports {
        Imports::Rust(unit) => unit.size(),
        Imports::Python(found) => found.len(),
        Imports::Script(found) => found.len(),
        Imports::Go(found) => found.len(),
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>()) {
        for language in ALL {
            prop_assert!(count(&read(language, &text)) <= text.len() + 1);
        }
    }

    #[test]
    fn any_pieces_are_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..80)) {
        let text = pieces.concat();
        for language in ALL {
            prop_assert!(count(&read(language, &text)) <= text.len() + 1);
        }
    }
}

/// The shapes that would be slow if a reader ever looked twice.
#[test]
fn a_long_text_takes_linear_time() {
    let shapes = PIECES.iter().map(|piece| (*piece).to_owned()).chain(
        [
            "/[",
            "import {",
            "import a ",
            "use a::{",
            "a::",
            "import a.",
            "from a import b, ",
            "(/",
            "`${",
            "r#",
            "r###",
            "\"#",
            "mod a{",
            "mod a{use b;",
            "export {",
            "export * ",
            "import(\"",
            "x.import ",
            "'\\",
            "b'",
            "<'a",
            "from .",
            "lazy ",
            "use a as ",
        ]
        .map(str::to_owned),
    );
    for shape in shapes {
        let text = shape.repeat(120_000 / shape.len());
        for language in ALL {
            let begun = Instant::now();
            read(language, &text);
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(5), "{language:?} {shape:?}: {took:?}");
        }
    }
}
