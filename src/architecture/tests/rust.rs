//! Rust.

use super::{check, leads};

const FILES: &[&str] = &[
    "Cargo.toml",
    "src/lib.rs",
    "src/edge.rs",
    "src/edge/args.rs",
    "src/domain.rs",
    "src/domain/ids.rs",
    "src/domain/old/mod.rs",
    "src/domain/old/deep.rs",
    "src/bin/tool.rs",
    "tests/it/main.rs",
    "tests/it/harness.rs",
];

#[test]
fn what_is_an_import() {
    let cases: &[(&str, &[&str])] = &[
        ("use crate::edge;", &["1 src/edge.rs"]),
        ("use crate::edge::args::Json;", &["1 src/edge/args.rs"]),
        ("pub(crate) use crate::edge::{self, args as a, run};", &["1 src/edge.rs", "1 src/edge/args.rs"]),
        ("use\n  crate\n  :: /* not here */ edge // nor here\n  ::args;", &["2 src/edge/args.rs"]),
        (
            "use crate::{\n  edge::{\n    args::*,\n    run,\n  },\n  domain::old,\n};",
            &["3 src/edge/args.rs", "4 src/edge.rs", "6 src/domain/old/mod.rs"],
        ),
        ("use {crate::edge, std::{fs, env as e}};", &["1 src/edge.rs", "1 [std::env]", "1 [std::fs]"]),
        ("use std::*;", &["1 [std whole]"]),
        ("use ::std::fs;", &["1 [std::fs]"]),
        ("use crate::r#edge;", &["1 src/edge.rs"]),
        ("use super::edge as _;", &["1 src/edge.rs"]),
        ("use self::ids; use super::super::edge;", &["1 src/domain/ids.rs"]),
        ("extern crate serde as s; extern crate alloc;", &["1 [alloc]", "1 [serde]"]),
        ("extern crate self as me;\nuse me::edge;", &["1 src/lib.rs", "2 src/edge.rs"]),
        ("use crate as me;\nfn f() { me::edge::run() }", &["1 src/lib.rs", "2 src/edge.rs"]),
        ("use std as s;\nfn f() { s::fs::read(\"x\") }", &["1 [std]", "2 [std::fs::read]"]),
        ("use super::*;\nfn f() { edge::args::x() }", &["1 src/lib.rs", "2 src/edge/args.rs"]),
        (
            "fn f() -> crate::edge::Args { <crate::edge::args::Json as Default>::default() }",
            &["1 src/edge.rs", "1 src/edge/args.rs"],
        ),
        ("fn f() { println!(\"{}\", crate::edge::x()); }", &["1 src/edge.rs"]),
        ("macro_rules! m { () => { $crate::edge::x() } }", &["1 src/edge.rs"]),
        ("#[derive(serde::Serialize)] struct S;", &["1 [serde::Serialize]"]),
        (
            "#[cfg(test)]\nmod tests {\n  use super::*;\n  use super::super::edge;\n  use crate::edge::args;\n}",
            &["4 src/edge.rs", "5 src/edge/args.rs"],
        ),
        ("mod a { mod b { use super::super::super::edge; } }", &["1 src/edge.rs"]),
        ("fn f<'a>(x: &'a str) { let c = '\"'; crate::edge::x('\\'', b'\"', '\\u{1F980}') }", &["1 src/edge.rs"]),
        ("let x = r##\"a \"# b\"##; use crate::edge;", &["1 src/edge.rs"]),
        ("/* a /* b */ still */ use crate::edge;", &["1 src/edge.rs"]),
        ("fn f() -> impl Sized + use<'a, T> {}\nuse crate::edge;", &["2 src/edge.rs"]),
        ("\u{feff}use crate::edge; // caf\u{e9}", &["1 src/edge.rs"]),
        ("use crate::domain::ids; mod ids;", &["1 src/domain/ids.rs"]),
        ("#[path = \"edge/args.rs\"]\nmod other;\nuse self::other::x;", &["2 src/edge/args.rs", "3 src/edge/args.rs"]),
    ];
    for (text, expected) in cases {
        let mut expected = expected.to_vec();
        expected.sort();
        let mut files: Vec<(&str, &str)> =
            FILES.iter().filter(|path| **path != "src/domain.rs").map(|p| (*p, "")).collect();
        files.push(("src/domain.rs", text));
        let mut found = leads(&files, "src/domain.rs");
        found.sort();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn what_only_looks_like_an_import() {
    check(
        FILES,
        "src/domain.rs",
        &[
            ("// use crate::edge;", &[]),
            ("/// use crate::edge;\n//! [`crate::edge::args`]", &[]),
            ("/* use crate::edge; /* use crate::edge; */ use crate::edge; */", &[]),
            ("const A: &str = \"use crate::edge;\";", &[]),
            ("const A: &str = \"a \\\" use crate::edge; \\\\\";", &[]),
            ("const A: &str = r#\"\nuse crate::edge;\n\"#;", &[]),
            ("const A: &[u8] = br\"use crate::edge;\"; const B: &CStr = c\"crate::edge::x\";", &[]),
            ("let edge = 1; let _ = x.edge; f(edge);", &[]),
            ("let user = domain.edge::<u8>();", &[]),
            ("struct A<'edge> { x: &'edge str }", &[]),
            ("mod edge { pub fn run() {} } fn f() { edge::run() } use self::edge::run;", &[]),
            ("r#use::x; let crates = 1;", &["1 [r#use::x]"]),
        ],
    );
}

#[test]
fn crates_of_one_repository_know_each_other() {
    let files = &[
        ("a/Cargo.toml", "[package]\nname = \"my-core\"\n"),
        ("a/src/lib.rs", ""),
        ("a/src/inner.rs", "use crate::lib_only;"),
        ("b/Cargo.toml", "[package]\nname = \"b\"\n[lib]\nname = \"bee\"\npath = \"code/root.rs\"\n"),
        ("b/code/root.rs", "use my_core::inner::X; use other_core::x;"),
        ("b/tests/it/main.rs", "mod harness; use bee::x; use crate::harness;"),
        ("b/tests/it/harness.rs", "use super::x;"),
        ("b/tests/lone.rs", "mod shared; use shared::x;"),
        ("b/tests/shared/mod.rs", ""),
    ];
    assert_eq!(leads(files, "a/src/inner.rs"), ["1 a/src/lib.rs"]);
    assert_eq!(leads(files, "b/code/root.rs"), ["1 a/src/inner.rs", "1 [other_core::x]"]);
    assert_eq!(leads(files, "b/tests/it/main.rs"), ["1 b/tests/it/harness.rs"]);
    assert_eq!(leads(files, "b/tests/it/harness.rs"), ["1 b/tests/it/main.rs"]);
    assert_eq!(leads(files, "b/tests/lone.rs"), ["1 b/tests/shared/mod.rs"]);
}
