//! Records that are not written as records are: bytes, escapes, numbers, keys, types.

use super::{
    Fault, Forge,
    forge::{fault, inside, nth, sealed},
};
use git_rapid::domain::json::Value;

/// The contract on the spec whose status cannot be read falls with it.
const BYTES: &[&str] = &["RAPID1520", "RAPID1003"];
const STATUS: &[&str] = &["RAPID801", "RAPID1003"];
const STATE: &[&str] = &["RAPID1012"];
const EVIDENCE: &[&str] = &["RAPID1202"];

pub(super) const FAULTS: &[Fault] = &[
    fault("a blank", |f| status(f, |text| text.replace(':', ": ")), BYTES),
    fault("a blank at the end", |f| status(f, |text| text.replace("}\n", "} \n")), BYTES),
    fault("two line ends", |f| status(f, |text| text + "\n"), BYTES),
    fault("no line end", |f| status(f, |text| text.trim_end().to_owned()), BYTES),
    fault("a carriage return", |f| status(f, |text| text.replace('\n', "\r\n")), BYTES),
    fault("a byte order mark", |f| status(f, |text| format!("\u{feff}{text}")), BYTES),
    fault("bytes after the end", |f| status(f, |text| text + "{}\n"), BYTES),
    fault("a NUL after the end", |f| status(f, |text| text + "\0"), BYTES),
    fault("a duplicate key", |f| status(f, |text| text.replacen('{', "{\"status\":\"archived\",", 1)), BYTES),
    fault(
        "a duplicate key deep inside",
        |f| text(f, "evidence/E003.json", |text| text.replace("\"exit_code\":0", "\"exit_code\":1,\"exit_code\":0")),
        BYTES,
    ),
    fault(
        "a duplicate key in disguise",
        |f| status(f, |text| text.replacen('{', "{\"st\\u0061tus\":\"archived\",", 1)),
        BYTES,
    ),
    fault("keys out of order", |f| status(f, out_of_order), BYTES),
    fault("a float", |f| number(f, "1.0"), BYTES),
    fault("an exponent", |f| number(f, "1e0"), BYTES),
    fault("a huge exponent", |f| number(f, "1e400"), BYTES),
    fault("a number with a hundred digits", |f| number(f, &"9".repeat(100)), BYTES),
    fault("a number that no machine word holds", |f| number(f, "9223372036854775808"), BYTES),
    fault("a number that a float cannot hold", |f| number(f, "9007199254740993"), STATUS),
    fault("minus nothing", |f| number(f, "-0"), BYTES),
    fault("a leading zero", |f| number(f, "01"), BYTES),
    fault("a leading plus", |f| number(f, "+1"), BYTES),
    fault("a hexadecimal number", |f| number(f, "0x1"), BYTES),
    fault("not a number", |f| number(f, "NaN"), BYTES),
    fault("an escape that needs none", |f| word(f, "re\\u0061dy"), BYTES),
    fault(
        "an escaped slash",
        |f| text(f, "evidence/E003.json", |text| text.replace("evidence/", "evidence\\/")),
        BYTES,
    ),
    fault("a lone surrogate", |f| word(f, "\\ud800"), BYTES),
    fault("half a surrogate pair the wrong way round", |f| word(f, "\\udc00\\ud800"), BYTES),
    fault("an unknown escape", |f| word(f, "re\\ady"), BYTES),
    fault("a raw line end in a text", |f| word(f, "rea\ndy"), BYTES),
    fault("a raw control character in a text", |f| word(f, "rea\u{1}dy"), BYTES),
    fault("bytes that are not UTF-8", |f| raw(f, b"ready", b"re\xe9dy"), BYTES),
    fault("an overlong form", |f| raw(f, b"ready", b"re\xc1\xa1dy"), BYTES),
    fault("a surrogate in UTF-8", |f| raw(f, b"ready", b"re\xed\xa0\x80dy"), BYTES),
    fault("another encoding", |f| f.bytes(&f.at_spec("status/0001.json"), &utf16(f)), BYTES),
    fault("deep nesting", |f| status(f, |_| format!("{}{}\n", "[".repeat(100_000), "]".repeat(100_000))), BYTES),
    fault(
        "deep nesting inside",
        |f| {
            status(f, |text| {
                text.replace("\"ready\"", &format!("{}{}", "{\"a\":".repeat(5000) + "1", "}".repeat(5000)))
            })
        },
        BYTES,
    ),
    fault("deep nesting without an end", |f| status(f, |_| "[".repeat(1_000_000)), BYTES),
    fault("a list", |f| status(f, |text| format!("[{}]\n", text.trim_end())), STATUS),
    fault("a text", |f| status(f, |_| "\"ready\"\n".to_owned()), STATUS),
    fault("nothing", |f| status(f, |_| String::new()), BYTES),
    fault("a line end", |f| status(f, |_| "\n".to_owned()), BYTES),
    fault("a comment", |f| status(f, |text| format!("/* */{text}")), BYTES),
    fault("a comma too many", |f| status(f, |text| text.replace("}\n", ",}\n")), BYTES),
    fault("single quotes", |f| status(f, |text| text.replace('"', "'")), BYTES),
    fault("cut off", |f| status(f, |text| text[..text.len() / 2].to_owned()), BYTES),
    fault("an unknown key in a status", |f| edited_status(f, |v| v.with("note", "x")), STATUS),
    fault("a missing key in a status", |f| edited_status(f, |v| v.without("current_revision")), STATUS),
    fault("a version of the future", |f| edited_status(f, |v| v.with("schema_version", 2)), STATUS),
    fault("a text for a number", |f| edited_status(f, |v| v.with("ordinal", "1")), STATUS),
    fault("a number for a text", |f| edited_status(f, |v| v.with("status", 1)), STATUS),
    fault("nothing for a text", |f| edited_status(f, |v| v.with("status", Value::Null)), STATUS),
    fault("an unknown word", |f| edited_status(f, |v| v.with("status", "splendid")), STATUS),
    fault("a negative number", |f| edited_status(f, |v| v.with("ordinal", -1)), STATUS),
    fault("an unknown key in a state", |f| f.edit(&f.at_open("states/0004.json"), |v| v.with("note", "x")), STATE),
    fault(
        "an unknown key in a task of a state",
        |f| f.edit(&f.at_open("states/0004.json"), |v| nth(v, "tasks", 0, "note", "x")),
        STATE,
    ),
    fault("an unknown key in evidence", |f| f.edit(&f.at("evidence/E005.json"), |v| v.with("note", "x")), EVIDENCE),
    fault(
        "an unknown key in a payload",
        |f| f.edit(&f.at("evidence/E003.json"), |v| inside(v, "payload", "note", "x")),
        &["RAPID1206"],
    ),
    fault(
        "an unknown key in an artifact",
        |f| f.edit(&f.at("evidence/E003.json"), |v| nth(v, "artifacts", 0, "note", "x")),
        EVIDENCE,
    ),
    fault(
        "an artifact elsewhere",
        |f| f.edit(&f.at("evidence/E003.json"), |v| nth(v, "artifacts", 0, "path", "../../etc/passwd")),
        &["RAPID1204"],
    ),
    fault("an unknown key in a contract", |f| f.contract(|v| v.with("note", "x")), &["RAPID1002"]),
    fault(
        "an unknown key in a report",
        |f| f.edit(&f.at("reports/0001.json"), |v| v.with("note", "x")),
        &["RAPID1221"],
    ),
    fault(
        "an unknown key in an assertion",
        |f| f.edit(&f.at("reports/0001.json"), |v| nth(v, "assertions", 0, "note", "x")),
        &["RAPID1221"],
    ),
    fault(
        "a record larger than any record",
        |f| f.bytes(&f.at_spec("status/0001.json"), &vec![b' '; 5 << 20]),
        &["RAPID1525", "RAPID1003"],
    ),
];

/// The text of a record of the finished run, edited; its digest is not what is wrong.
fn text(f: &Forge, path: &str, edit: impl FnOnce(String) -> String) -> String {
    let path = f.at(path);
    f.bytes(&path, edit(String::from_utf8(f.repo.bytes_of(&path)).unwrap()).as_bytes())
}

fn status(f: &Forge, edit: impl FnOnce(String) -> String) -> String {
    let path = f.at_spec("status/0001.json");
    f.bytes(&path, edit(String::from_utf8(f.repo.bytes_of(&path)).unwrap()).as_bytes())
}

fn edited_status(f: &Forge, edit: impl FnOnce(Value) -> Value) -> String {
    f.edit(&f.at_spec("status/0001.json"), edit)
}

fn number(f: &Forge, number: &str) -> String {
    status(f, |text| text.replace("\"ordinal\":1", &format!("\"ordinal\":{number}")))
}

fn word(f: &Forge, word: &str) -> String {
    status(f, |text| text.replace("ready", word))
}

fn raw(f: &Forge, from: &[u8], to: &[u8]) -> String {
    let path = f.at_spec("status/0001.json");
    let bytes = f.repo.bytes_of(&path);
    let at = bytes.windows(from.len()).position(|window| window == from).unwrap();
    f.bytes(&path, &[&bytes[..at], to, &bytes[at + from.len()..]].concat())
}

fn utf16(f: &Forge) -> Vec<u8> {
    let text = String::from_utf8(f.repo.bytes_of(&f.at_spec("status/0001.json"))).unwrap();
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn out_of_order(text: String) -> String {
    let (first, rest) = text.trim_end().trim_start_matches('{').trim_end_matches('}').split_once(',').unwrap();
    format!("{{{rest},{first}}}\n")
}

#[test]
fn the_same_edits_without_a_fault_are_no_fault() {
    let Some(forge) = Forge::new() else { return };
    let path = forge.at("evidence/E003.json");
    assert!(sealed(forge.record(&path)) == forge.repo.bytes_of(&path));
    assert_eq!(forge.repo.verify(&[&status(&forge, |text| text)]).ok().findings(), []);
}
