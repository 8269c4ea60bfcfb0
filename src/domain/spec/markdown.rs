//! A spec written as Markdown: second-level headings name the fields, lists and paragraphs fill them. The documents that a
//! revision renders can be read back, and headings may be Spanish or German.
//!
//! Not a Markdown parser: fences and tables are plain text to it.

use super::{SpecDraft, draft::affected_path};
use crate::diagnostics::{Code, Result};
use crate::domain::mode::Mode;
use std::collections::BTreeMap;

/// Fields and the headings that they answer to, in lower case.
const HEADINGS: &[(&str, &[&str])] = &[
    ("title", &["title", "título", "titulo", "titel"]),
    ("mode", &["mode", "modo", "modus"]),
    (
        "business_objective",
        &["business objective", "objective", "objetivo de negocio", "objetivo", "geschäftsziel", "ziel"],
    ),
    (
        "problem_statement",
        &["problem statement", "problem", "problema", "planteamiento del problema", "problemstellung"],
    ),
    (
        "data_impact",
        &["data impact", "impacto en datos", "impacto de datos", "auswirkung auf daten", "datenauswirkung"],
    ),
    ("scope", &["scope", "alcance", "umfang"]),
    ("out_of_scope", &["out of scope", "fuera de alcance", "nicht im umfang", "außerhalb des umfangs"]),
    (
        "actors_users",
        &["actors and users", "actors", "users", "actores", "actores y usuarios", "usuarios", "akteure", "benutzer"],
    ),
    ("main_flow", &["main flow", "flow", "flujo principal", "flujo", "hauptablauf", "ablauf"]),
    ("edge_cases", &["edge cases", "casos límite", "casos limite", "casos borde", "randfälle"]),
    ("business_rules", &["business rules", "rules", "reglas de negocio", "geschäftsregeln"]),
    (
        "technical_constraints",
        &[
            "technical constraints",
            "constraints",
            "restricciones técnicas",
            "restricciones tecnicas",
            "technische einschränkungen",
        ],
    ),
    (
        "acceptance_criteria",
        &[
            "acceptance criteria",
            "acceptance",
            "criterios de aceptación",
            "criterios de aceptacion",
            "akzeptanzkriterien",
        ],
    ),
    (
        "testing_strategy",
        &["testing strategy", "testing", "tests", "estrategia de pruebas", "pruebas", "teststrategie"],
    ),
    (
        "implementation_tasks",
        &["implementation tasks", "implementation", "tasks", "tareas", "tareas de implementación", "aufgaben"],
    ),
    ("affected_paths", &["affected files", "affected paths", "archivos afectados", "betroffene dateien"]),
    ("tags", &["tags", "etiquetas", "schlagworte"]),
];

/// Headings of our own documents that carry nothing of a spec.
const IGNORED: &[&str] = &["planning notes", "definition of done", "definición de hecho", "notas de planificación"];

/// Reads a Markdown spec; a heading that names no field is refused (RAPID1303), so that nothing written is lost silently.
pub fn from_markdown(text: &str, mode: Option<Mode>) -> Result<SpecDraft> {
    let mut sections: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut title = String::new();
    let mut field: Option<&str> = None;
    let mut is_ignored = false;
    for line in text.trim_start_matches('\u{feff}').lines() {
        let line = line.trim_end();
        if let Some(heading) = line.strip_prefix("## ") {
            field = field_of(heading)?;
            is_ignored = field.is_none();
        } else if let Some(heading) = line.strip_prefix("# ") {
            if title.is_empty() {
                title = heading_title(heading);
            }
            (field, is_ignored) = (None, false);
        } else if let Some(field) = field {
            sections.entry(field).or_default().push(line.to_owned());
        } else if !is_ignored && !line.trim().is_empty() && !sections.is_empty() {
            return Err(Code::Rapid1303
                .because(format!("'{}' stands under no heading of the spec", line.trim().escape_debug())));
        }
    }
    let words = |field: &str| paragraph(sections.get(field).map(Vec::as_slice).unwrap_or_default());
    let items = |field: &str| list(sections.get(field).map(Vec::as_slice).unwrap_or_default());
    let named = words("mode");
    let named = match named.as_str() {
        "" => None,
        text => Some(
            Mode::from_alias(text)
                .ok_or_else(|| Code::Rapid1303.because(format!("'{}' is not a mode", text.escape_debug())))?,
        ),
    };
    let mode = match (named, mode) {
        (Some(named), Some(given)) if named != given => {
            return Err(
                Code::Rapid1303.because(format!("the spec file's mode is '{named}', the command says '{given}'"))
            );
        }
        (Some(mode), _) | (None, Some(mode)) => mode,
        (None, None) => {
            return Err(Code::Rapid1303.because("the spec file names no mode").hint("add a heading '## Mode'"));
        }
    };
    let explicit = words("title");
    let mut draft = SpecDraft::new(mode, if explicit.is_empty() { &title } else { &explicit })
        .map_err(|_| Code::Rapid1303.because("the spec file has no title").hint("begin it with '# Title'"))?;
    draft.business_objective = words("business_objective");
    draft.problem_statement = words("problem_statement");
    draft.data_impact = words("data_impact");
    draft.scope = items("scope");
    draft.out_of_scope = items("out_of_scope");
    draft.actors_users = items("actors_users");
    draft.main_flow = items("main_flow");
    draft.edge_cases = items("edge_cases");
    draft.business_rules = items("business_rules");
    draft.technical_constraints = items("technical_constraints");
    draft.acceptance_criteria = items("acceptance_criteria");
    draft.testing_strategy = items("testing_strategy");
    draft.implementation_tasks = items("implementation_tasks");
    let paths = items("affected_paths").into_iter().filter(|path| path != "Not specified");
    draft.affected_paths = paths.map(|path| affected_path(path.trim_matches('`'))).collect::<Result<_>>()?;
    draft.tags = items("tags").iter().flat_map(|item| item.split(',')).map(|tag| tag.trim().to_owned()).collect();
    draft.checked()
}

fn field_of(heading: &str) -> Result<Option<&'static str>> {
    let wanted = heading.trim().trim_end_matches(':').to_lowercase();
    if IGNORED.contains(&wanted.as_str()) {
        return Ok(None);
    }
    let found = HEADINGS.iter().find(|(_, names)| names.contains(&wanted.as_str()));
    match found {
        Some((field, _)) => Ok(Some(field)),
        None => {
            let known: Vec<&str> = HEADINGS.iter().filter_map(|(_, names)| names.first().copied()).collect();
            Err(Code::Rapid1303
                .because(format!("'{}' is not a heading of a spec", heading.trim().escape_debug()))
                .hint(format!("the headings are: {}", known.join(", "))))
        }
    }
}

/// The title in `# Requirements: Title`, or the heading itself.
fn heading_title(heading: &str) -> String {
    let known = ["Requirements: ", "Tasks: ", "Acceptance: ", "Spec: "];
    let title = known.iter().find_map(|prefix| heading.strip_prefix(prefix)).unwrap_or(heading);
    title.trim().to_owned()
}

fn paragraph(lines: &[String]) -> String {
    lines.join("\n").trim().to_owned()
}

/// The items of a list; lines without a mark go on with the item before, or are items of their own at the beginning.
fn list(lines: &[String]) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            open = false;
            continue;
        }
        match item(trimmed) {
            Some(text) if !line.starts_with("  ") || items.is_empty() => items.push(text.to_owned()),
            _ => match items.last_mut().filter(|_| open) {
                Some(last) => {
                    last.push('\n');
                    last.push_str(trimmed);
                }
                None => items.push(trimmed.to_owned()),
            },
        }
        open = true;
    }
    items
}

/// The text behind `-`, `*`, `1.` and a check box.
fn item(line: &str) -> Option<&str> {
    let numbered =
        line.split_once(". ").filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty());
    let text = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or(numbered.map(|(_, text)| text))?;
    let boxes = ["[ ] ", "[x] ", "[X] "];
    Some(boxes.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text).trim())
}
