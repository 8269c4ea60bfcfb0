//! What the schema of a document or a record is called.

use git_rapid::domain::json::Value;

/// Every kind of record.
pub const RECORDS: &[&str] = &[
    "contract",
    "decision",
    "evidence-artifact",
    "evidence-command-result",
    "evidence-file-change",
    "evidence-review",
    "evidence-test-result",
    "evidence-workspace",
    "expunged",
    "mission-event",
    "mission-plan",
    "report",
    "spec-revision",
    "spec-status",
    "spooled",
    "state",
    "story",
];

/// Commands that have commands.
const GROUPS: &[&str] =
    &["arch", "eval", "evidence", "harness", "hooks", "mission", "policy", "run", "spec", "story", "task"];

/// The one of a document that was printed; `None` where nobody knows what was asked.
pub fn of(words: &[String], document: &Value) -> Option<String> {
    let Value::Object(members) = document else { return None };
    // What a command prints beside an error is of its own schema.
    if members.keys().all(|key| key == "error" || key == "schema_version") && members.contains_key("error") {
        return Some("error".to_owned());
    }
    if members.contains_key("exported_at") {
        return Some(super::EXPORTED.to_owned());
    }
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    let first = plain.next()?;
    let second = words.get(1).filter(|word| GROUPS.contains(&first.as_str()) && is_command(first, word));
    // The older spelling of what has a command of its own.
    let own = ["detach", "follow", "kill", "status"];
    let older = own.iter().find(|name| first == "story" && words.contains(&format!("--{name}")));
    Some(match (older, second) {
        (Some(older), _) => format!("story-{older}"),
        (None, Some(second)) => format!("{first}-{}", second.trim_start_matches("run-one-")),
        (None, None) => first.clone(),
    })
}

/// `story` takes a directory where others have a command.
fn is_command(first: &str, word: &str) -> bool {
    let of_story = ["run", "validate", "init", "groom", "status", "follow", "kill"];
    !word.starts_with('-') && (first != "story" || of_story.contains(&word))
}

/// The one of a record at a path of the ledger.
pub fn of_record(path: &str, record: &Value) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let kind = match parts.as_slice() {
        // What a decision set aside is as it was.
        ["diverged", rest @ ..] if rest.last() != Some(&"decision.json") => {
            let at = rest.iter().position(|part| ["kept", "aside"].contains(part)).map_or(rest.len(), |at| at + 1);
            let kept = [&rest[..3.min(rest.len())], &rest[at..]].concat().join("/");
            return of_record(&kept, record);
        }
        ["diverged", ..] => "decision".to_owned(),
        ["runs", _, _, "contract.json"] => "contract".to_owned(),
        ["runs", _, _, "states", _] => "state".to_owned(),
        ["runs", _, _, "reports", _] => "report".to_owned(),
        ["runs", _, _, "spooled", _] => "spooled".to_owned(),
        ["runs", _, _, "evidence", _] => {
            format!("evidence-{}", record.get("kind").and_then(Value::as_text).unwrap().replace('_', "-"))
        }
        ["specs", _, _, "status", _] => "spec-status".to_owned(),
        ["specs", ..] => "spec-revision".to_owned(),
        ["expunged", ..] => "expunged".to_owned(),
        ["stories", ..] => "story".to_owned(),
        ["missions", _, _, "plan.json"] => "mission-plan".to_owned(),
        ["missions", ..] => "mission-event".to_owned(),
        _ => panic!("'{path}' has a schema"),
    };
    format!("record-{kind}")
}
