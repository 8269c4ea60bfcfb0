//! Which rules are understood, and which path fits which pattern.

use super::{Rule, Rules};
use crate::diagnostics::Code;

fn fault(text: &str) -> String {
    let error = Rules::parse(text.as_bytes()).expect_err(text);
    assert_eq!(error.code, Code::Rapid1421, "{text}");
    error.message
}

#[test]
fn the_starter_is_understood() {
    let rules = Rules::parse(include_bytes!("../../../templates/architecture.json")).unwrap();
    assert_eq!(rules.default, Rule::Forbid);
    assert!(rules.layers.len() > 1);
}

#[test]
fn what_is_not_understood_is_refused() {
    let layer = r#"{"name":"a","paths":["a/**"]}"#;
    for (text, says) in [
        ("", "at byte 0"),
        ("[]", "not an object"),
        (r#"{"layers":[]}"#, "schema_version"),
        (r#"{"schema_version":2,"layers":[]}"#, "schema_version 2"),
        (r#"{"schema_version":1}"#, "'layers' is missing"),
        (r#"{"schema_version":1,"layers":[]}"#, "'layers' is empty"),
        (&format!(r#"{{"schema_version":1,"layers":[{layer}],"x":1}}"#), "unknown key 'x'"),
        (&format!(r#"{{"schema_version":1,"layers":[{layer},{layer}]}}"#), "there twice"),
        (&format!(r#"{{"schema_version":1,"default":"maybe","layers":[{layer}]}}"#), "'default'"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":[]}]}"#, "'paths' is empty"),
        (r#"{"schema_version":1,"layers":[{"name":"a b","paths":["a"]}]}"#, "letters"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["/a"]}]}"#, "not a path below the top"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["../a"]}]}"#, "not a path below the top"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["a/[b"]}]}"#, "malformed"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["a"],"y":1}]}"#, "unknown key 'y'"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["a"],"allow":["b"]}]}"#, "'b' is not a layer"),
        (r#"{"schema_version":1,"layers":[{"name":"a","paths":["a"],"forbid":["a"]}]}"#, "the layer itself"),
        (
            r#"{"schema_version":1,"layers":[{"name":"a","paths":["a"],"allow":["b"],"forbid":["b"]},{"name":"b","paths":["b"]}]}"#,
            "allowed and forbidden",
        ),
        (r#"{"schema_version":1,"aliases":{"@/":"../x"},"layers":[{"name":"a","paths":["a"]}]}"#, "alias '@/'"),
        (r#"{"schema_version":1,"aliases":{"./":"x"},"layers":[{"name":"a","paths":["a"]}]}"#, "alias './'"),
    ] {
        let message = fault(text);
        assert!(message.contains(says), "{text}: {message}");
    }
}

#[test]
fn a_path_fits_a_pattern_by_parts_and_the_first_layer_wins() {
    let rules = Rules::parse(
        br#"{"schema_version":1,"ignore":["**/gen/**"],"layers":[
            {"name":"special","paths":["src/a/special.rs"]},
            {"name":"a","paths":["src/a.rs","src/a/**"]},
            {"name":"tops","paths":["src/*.{rs,py}"]},
            {"name":"whole","paths":["lib/"]},
            {"name":"deep","paths":["**/deep/**/*.go"]}]}"#,
    )
    .unwrap();
    for (path, layer) in [
        ("src/a.rs", Some("a")),
        ("src/a/b.rs", Some("a")),
        ("src/a/b/c.rs", Some("a")),
        ("src/a/special.rs", Some("special")),
        ("src/ab.rs", Some("tops")),
        ("src/x.py", Some("tops")),
        ("src/x/y.py", None),
        ("lib/x/y.py", Some("whole")),
        ("lib", None),
        ("library/x", None),
        ("x/deep/y/z.go", Some("deep")),
        ("deep/z.go", Some("deep")),
        ("\u{e9}/deep/\u{1f980}.go", Some("deep")),
    ] {
        assert_eq!(rules.layer_of(path).map(|layer| layer.name.as_str()), layer, "{path}");
    }
    assert!(rules.ignores("src/gen/x.rs") && !rules.ignores("src/general/x.rs"));
}
