//! What breaks which rule, in which order.

use crate::architecture::{Language, Project, Rules, Unread, judge};

const RULES: &str = r#"{"schema_version":1,"ignore":["src/gen/**"],"layers":[
    {"name":"domain","paths":["src/domain/**"],"forbid_modules":["std::fs","os","fs","net/http"]},
    {"name":"app","paths":["src/app/**"],"allow":["domain"]},
    {"name":"cli","paths":["src/cli/**"],"allow":["app"],"forbid":["domain"]}]}"#;

fn findings(rules: &str, files: &[(&str, &str)], unread: &[&str]) -> Vec<String> {
    let rules = Rules::parse(rules.as_bytes()).unwrap();
    let project = Project::of(files.iter().map(|(path, _)| (*path).to_owned()));
    let sources = files.iter().filter(|(path, _)| Language::of(path).is_some());
    let sources: Vec<_> = sources.map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let unread: Vec<_> =
        unread.iter().map(|path| Unread { path: (*path).to_owned(), why: "it is too large".to_owned() }).collect();
    let found = judge(&rules, &project, &sources, &unread).findings;
    let shown =
        found.iter().map(|f| format!("{}:{} {}>{} {}", f.path, f.line, f.from, f.to.as_deref().unwrap_or("-"), f.rule));
    shown.collect()
}

#[test]
fn each_rule_finds_what_it_is_for() {
    let files = &[
        ("src/lib.rs", ""),
        ("src/free.ts", ""),
        ("src/gen/x.ts", "import '../cli/main'"),
        (
            "src/app/a.ts",
            "import '../domain/d'\nimport '../cli/main'\nimport './b'\nimport '../free'\nimport '../gen/x'",
        ),
        ("src/app/b.ts", ""),
        ("src/cli/main.ts", "import '../domain/d'\nimport '../app/a'"),
        ("src/domain/d.ts", "import 'node:fs/promises'\nimport 'fsx'"),
        ("src/domain/d.rs", "use std::{\n  fs::File,\n  env,\n};\nuse std::*;"),
        ("src/domain/d.py", "import os, osx\nfrom os import path"),
        ("src/domain/d.go", "package d\nimport \"net/http/httptest\""),
    ];
    assert_eq!(
        findings(RULES, files, &[]),
        [
            "src/app/a.ts:2 app>cli default",
            "src/cli/main.ts:1 cli>domain forbid",
            "src/domain/d.go:2 domain>net/http forbid_modules",
            "src/domain/d.py:1 domain>os forbid_modules",
            "src/domain/d.py:2 domain>os forbid_modules",
            "src/domain/d.rs:2 domain>std::fs forbid_modules",
            "src/domain/d.rs:5 domain>std::fs forbid_modules",
            "src/domain/d.ts:1 domain>fs forbid_modules",
        ]
    );
}

#[test]
fn the_defaults_can_be_turned_round() {
    let files = &[
        ("src/app/a.ts", "import '../cli/main'\nimport '../free'"),
        ("src/cli/main.ts", "import '../domain/d'"),
        ("src/domain/d.ts", ""),
        ("src/free.ts", "import './cli/main'"),
    ];
    let open = RULES.replacen("\"layers\"", "\"default\":\"allow\",\"layers\"", 1);
    assert_eq!(findings(&open, files, &[]), ["src/cli/main.ts:1 cli>domain forbid"]);
    let closed = open.replacen("\"layers\"", "\"outside\":\"forbid\",\"layers\"", 1);
    assert_eq!(findings(&closed, files, &[]), ["src/app/a.ts:2 app>- outside", "src/cli/main.ts:1 cli>domain forbid"]);
}

#[test]
fn a_source_of_a_layer_that_nobody_read_breaks_the_rules() {
    assert_eq!(
        findings(RULES, &[], &["src/app/huge.ts", "src/free.ts", "src/gen/y.ts"]),
        ["src/app/huge.ts:0 app>- unread"]
    );
    let rules = Rules::parse(RULES.as_bytes()).unwrap();
    let unread = [Unread { path: "src/free.ts".to_owned(), why: "it is too large".to_owned() }];
    let found = judge(&rules, &Project::default(), &[], &unread);
    assert_eq!(found.notes.len(), 4, "the file, and three layers without files: {:?}", found.notes);
}

#[test]
fn what_an_import_breaks_is_said_once_and_a_detour_by_another_name_is_still_found() {
    let files = &[
        ("src/domain/a.rs", "use std::fs;\nfn f() { fs::read(\"x\"); fs::write(\"x\", \"\") }"),
        ("src/domain/b.rs", "use std as s;\nfn f() {\n s::fs::read(\"x\") }"),
        ("src/domain/c.rs", "use super::super::cli::X;\nfn f() { X::new(); super::super::cli::y() }"),
        ("src/cli/mod.rs", ""),
        ("src/lib.rs", ""),
    ];
    assert_eq!(
        findings(RULES, files, &[]),
        [
            "src/domain/a.rs:1 domain>std::fs forbid_modules",
            "src/domain/b.rs:3 domain>std::fs forbid_modules",
            "src/domain/c.rs:1 domain>cli default",
            "src/domain/c.rs:2 domain>cli default",
        ]
    );
}
