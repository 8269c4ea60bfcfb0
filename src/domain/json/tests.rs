//! Tests of the one JSON: what is refused, what is written, and that the two agree. Vectors: the specification, §2.0.

use super::*;
use crate::domain::digest::Digest;
use proptest::prelude::*;

fn refused(text: &str) -> &'static str {
    parse_text(text).expect_err(text).why
}

#[test]
fn values_are_read_as_they_are() {
    assert_eq!(parse_text(" null ").unwrap(), Value::Null);
    assert_eq!(
        parse_text("[true,false,0,-7]").unwrap(),
        Value::list([Value::Bool(true), false.into(), 0.into(), (-7).into()])
    );
    assert_eq!(parse_text("\t{\"a\" : [ ] ,\r\n\"b\":{ }}").unwrap().canonical(), r#"{"a":[],"b":{}}"#);
    assert_eq!(
        parse_text(r#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00é""#).unwrap(),
        Value::from("\"\\/\u{8}\u{c}\n\r\tAé😀é")
    );
    assert_eq!(parse_text("9223372036854775807").unwrap(), Value::Int(i64::MAX));
    assert_eq!(parse_text("-9223372036854775808").unwrap(), Value::Int(i64::MIN));
}

#[test]
fn whatever_a_careful_writer_would_not_write_is_refused() {
    for text in ["1.0", "0.5", "1e3", "1E3", "1e400", "-1.5"] {
        assert_eq!(refused(text), "only whole numbers are allowed", "{text}");
    }
    for text in ["01", "-0", "-", "00", "-01"] {
        assert_eq!(refused(text), "not a canonical whole number", "{text}");
    }
    for text in ["9223372036854775808", "-9223372036854775809", &"9".repeat(400)] {
        assert_eq!(refused(text), "the number is too large");
    }
    for text in [r#"{"a":1,"a":1}"#, r#"{"a":1,"b":2,"\u0061":3}"#] {
        assert_eq!(refused(text), "the key is there twice");
    }
    for text in
        [r#""\ud800""#, r#""\udc00""#, r#""\ud800\ud800""#, r#""\ud800x""#, r#""\udc00\ud800""#, r#""\ud800\n""#]
    {
        assert_eq!(refused(text), "half a surrogate pair", "{text}");
    }
    for text in ["1 2", "{}x", "[] []", "null,", "\"a\"\0", "{}\u{feff}"] {
        assert_eq!(refused(text), "more than one value", "{text:?}");
    }
    for text in ["", " ", "[", "[1,", "{\"a\":"] {
        assert_eq!(refused(text), "a value is missing", "{text}");
    }
    for text in
        ["NaN", "Infinity", "+1", "nul", "TRUE", "'a'", "\u{feff}{}", "\0", ".5", "// x\n1", "undefined", "[1,]"]
    {
        assert_eq!(refused(text), "not a JSON value", "{text:?}");
    }
    assert_eq!(refused("nullx"), "more than one value");
    assert_eq!(refused("[1 2]"), "a list needs ',' or ']' here");
    assert_eq!(refused("{\"a\" 1}"), "a member needs ':' here");
    assert_eq!(refused("{\"a\":1 \"b\":2}"), "an object needs ',' or '}' here");
    assert_eq!(refused("{\"a\":1,}"), "a string is missing");
    assert_eq!(refused("{a:1}"), "a string is missing");
    assert_eq!(refused("\"a"), "a string does not end");
    for text in ["\"a\0b\"", "\"a\nb\"", "\"a\tb\"", "\"\u{1f}\""] {
        assert_eq!(refused(text), "a control character stands bare in a string", "{text:?}");
    }
    assert_eq!(refused(r#""\x""#), "no such escape");
    assert_eq!(refused(r#""\"#), "an escape does not end");
    for text in [r#""\u12""#, r#""\u12g4""#, r#""\u+123""#, r#""\uéé""#] {
        assert_eq!(refused(text), "four hexadecimal digits are missing", "{text}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_where_they_stand() {
    assert_eq!(parse(b"\"a\xffb\""), Err(Malformed { offset: 2, why: "not UTF-8" }));
    // A surrogate, an overlong form and a cut-off character, written in bytes.
    for bytes in [&b"\"\xed\xa0\x80\""[..], b"\"\xc0\xaf\"", b"\"\xe2\x82\""] {
        assert_eq!(parse(bytes).unwrap_err().why, "not UTF-8");
    }
    assert_eq!(parse(b"\xef\xbb\xbf{}").unwrap_err().why, "not a JSON value");
    assert_eq!(parse(b"[1,x]").unwrap_err().to_string(), "not a JSON value at byte 3");
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse_text(&nested(32)).is_ok());
    assert_eq!(refused(&nested(33)), "nested too deeply");
    assert_eq!(refused(&"[".repeat(1_000_000)), "nested too deeply");
    assert_eq!(refused(&"{\"a\":".repeat(1_000_000)), "nested too deeply");
}

#[test]
fn the_two_canonical_forms_have_the_known_digests() {
    let accent = Value::object([("a", "ñ".into())]);
    let utf8 = "76e14502279b35541eec926ce039cda8e561b779909cc0cafe4ccbd84f3ddaf7";
    let ascii = "35701fc3d81c07f1aefab958ceb6bfe4a2855106c4f9697a546783d4fee4a143";
    assert_eq!(Digest::of_value(&accent).to_string(), utf8);
    assert_eq!(Digest::of_value_ascii(&accent).to_string(), ascii);
    let project = Value::object([("facts", Value::List(vec![])), ("schema_version", 1.into())]);
    let empty = "9c42239abced416b2c418014689b7bd14321239de1cd49b90f46fc5d1b516e4c";
    assert_eq!(Digest::of_value(&project).to_string(), empty);
    let lock = Value::object([("profiles", Value::List(vec![])), ("schema_version", 1.into())]);
    let empty = "2ae1aed91fe72c21f8610d36db509b70e5beba7c5b4c4c74b618579798fc1bad";
    assert_eq!(Digest::of_value(&lock).to_string(), empty);
}

#[test]
fn only_what_must_be_escaped_is_escaped() {
    let text = Value::from("\0\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f} \"\\/\u{7f}é\u{2028}😀");
    let utf8 = "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\u{7f}é\u{2028}😀\"";
    assert_eq!(text.canonical(), utf8);
    let ascii = r#""\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/\u007f\u00e9\u2028\ud83d\ude00""#;
    assert_eq!(text.canonical_ascii(), ascii);
    assert_eq!(Value::object([]).pretty(), "{}\n");
    let value = Value::object([("b", Value::list([1, 2])), ("a", Value::Null)]);
    assert_eq!(value.pretty(), "{\n  \"a\": null,\n  \"b\": [\n    1,\n    2\n  ]\n}\n");
    assert_eq!(value.record_bytes(), b"{\"a\":null,\"b\":[1,2]}\n");
}

#[test]
fn keys_are_sorted_by_code_point_and_not_by_utf16() {
    let value = parse_text("{\"\u{ff61}\":1,\"😀\":2,\"Z\":3,\"a\":4}").unwrap();
    assert_eq!(value.canonical(), "{\"Z\":3,\"a\":4,\"\u{ff61}\":1,\"😀\":2}");
}

#[test]
fn fields_that_nobody_asks_for_are_refused() {
    use crate::diagnostics::Code;
    let mut fields = Fields::of(parse_text(r#"{"a":1,"b":2}"#).unwrap(), Code::Rapid1202, "it").unwrap();
    assert_eq!(fields.number("a", 1).unwrap(), 1);
    let fault = fields.end().unwrap_err();
    assert_eq!((fault.code, fault.message.as_str()), (Code::Rapid1202, "it: unknown key 'b'"));
    let mut fields =
        Fields::of(parse_text(r#"{"schema_version":true,"n":0,"m":false}"#).unwrap(), Code::Rapid1202, "it").unwrap();
    assert!(fields.number("n", 1).is_err());
    assert!(fields.marker("m").is_err(), "a marker is true or left out");
    assert!(fields.version().is_err(), "truth is no number");
    assert!(fields.text("gone").is_err());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<String>().prop_map(Value::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            proptest::collection::btree_map(any::<String>(), inner, 0..4).prop_map(Value::Object),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_is_read_back_as_what_was_written(value in any_value()) {
        for text in [value.canonical(), value.canonical_ascii(), value.pretty()] {
            prop_assert_eq!(parse_text(&text), Ok(value.clone()));
        }
        prop_assert!(value.canonical_ascii().is_ascii());
    }

    #[test]
    fn no_bytes_make_the_reader_stumble(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = parse(&bytes) {
            prop_assert_eq!(parse_text(&value.canonical()), Ok(value));
        }
    }

    #[test]
    fn no_text_like_json_makes_the_reader_stumble(text in "[\\[\\]{}\":,0-9eE.\\\\u+\\-a-f \\n]{0,40}") {
        let _ = parse_text(&text);
    }
}
