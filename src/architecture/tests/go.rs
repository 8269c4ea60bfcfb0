//! Go.

use super::leads;

fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let files = [
            ("go.mod", "// a comment\nmodule example.com/shop // the module\n\ngo 1.24\n"),
            ("tool/go.mod", "module (\n\t\"example.com/shop/tool\"\n)\n"),
            ("tool/run/run.go", ""),
            ("internal/cli/cli.go", ""),
            ("internal/cli/args.go", ""),
            ("internal/cli/cli_test.go", ""),
            ("root.go", ""),
            ("internal/domain/model.go", text),
        ];
        assert_eq!(leads(&files, "internal/domain/model.go"), *expected, "{text}");
    }
}

const CLI: &str = "internal/cli/args.go internal/cli/cli.go";

#[test]
fn what_is_an_import() {
    let at = |line: u32| format!("{line} {CLI}");
    check(&[
        ("package d\nimport \"example.com/shop/internal/cli\"", &[&at(2)]),
        ("package d; import c \"example.com/shop/internal/cli\"; import _ \"net/http\"", &[&at(1), "1 [net/http]"]),
        (
            "package d\n/* import \"x\" */\nimport (\n\t\"fmt\"\n\n\t. `example.com/shop/internal/cli` // \"y\"\n\t_ \"embed\"\n)\n",
            &["4 [fmt]", &at(6), "7 [embed]"],
        ),
        ("package d\nimport (\"a\"; b \"b\")\nimport ()\nimport \"c\"", &["2 [a]", "2 [b]", "4 [c]"]),
        ("package d\n// #include <x.h>\nimport \"C\"", &["3 [C]"]),
        ("package d\nimport \"example.com/shop\"", &["2 root.go"]),
        ("package d\nimport \"example.com/shop/tool/run\"", &["2 tool/run/run.go"]),
        ("package d\nimport \"example.com/shop/internal/none\"", &["2 internal/none/package.go"]),
        ("package d\nimport \"example.com/shopping\"", &["2 [example.com/shopping]"]),
        ("package d\nimport \"../cli\"", &[&at(2)]),
        ("package d\nimport \"example.com/shop/internal/c\\u006ci\"", &[&at(2)]),
        ("package caf\u{e9}\nimport \u{540d} \"example.com/shop/internal/cli\"", &[&at(2)]),
    ]);
}

#[test]
fn what_only_looks_like_an_import() {
    check(&[
        ("package d\n// import \"x\"\n/*\nimport \"x\"\n*/", &[]),
        ("package d\nimport \"a\"\nvar x = `\nimport \"x\"\n`", &["2 [a]"]),
        ("package d\nfunc f() { s := \"import (\" ; g(\"x\") }", &[]),
        ("package d\nconst c = '\"'\nconst d = \"import\"", &[]),
    ]);
}
