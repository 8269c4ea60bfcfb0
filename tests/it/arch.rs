//! `git rapid arch check` in real repositories, and the gate that it shows.

mod check;
mod gate;

use crate::harness::{Output, Repo};
use git_rapid::domain::json::Value;

/// Rules for a shell of a project: `core` stands alone, `edge` may use it.
const RULES: &str = r#"{
  "schema_version": 1,
  "layers": [
    { "name": "core", "paths": ["core/**"], "forbid_modules": ["os"] },
    { "name": "edge", "paths": ["edge/**"], "allow": ["core"] }
  ]
}
"#;

/// The same layers, and nothing forbidden.
const OPEN_RULES: &str = r#"{
  "schema_version": 1,
  "default": "allow",
  "layers": [{ "name": "core", "paths": ["core/**"] }, { "name": "edge", "paths": ["edge/**"] }]
}
"#;

/// Puts layers and rules into a repository; nothing in them is against the rules.
fn layered(repo: &Repo) {
    repo.write(".rapid/architecture.json", RULES);
    repo.write("core/model.py", "\"\"\"import edge.web\"\"\"\nimport json\n");
    repo.write("edge/web.py", "from core.model import x\n");
    repo.write("edge/page.ts", "import './part'\n");
    repo.write("edge/part.ts", "export {}\n");
}

/// The findings of `arch check --json`, as `path:line from>to`.
fn findings(output: &Output) -> Vec<String> {
    let document = output.json();
    let text = |finding: &Value, key: &str| finding.get(key).and_then(Value::as_text).unwrap_or("-").to_owned();
    let found = document.get("findings").and_then(Value::as_list).unwrap();
    let shown = found.iter().map(|finding| {
        assert_eq!(text(finding, "code"), "RAPID1420");
        assert!(text(finding, "message").contains("layer") || finding.get("line") == Some(&Value::Null));
        let line = finding.get("line").and_then(Value::as_int).unwrap_or(0);
        format!("{}:{line} {}>{}", text(finding, "path"), text(finding, "from"), text(finding, "to"))
    });
    shown.collect()
}
