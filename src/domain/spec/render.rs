//! The three documents of a spec revision, as pure renders of its fields (§2.3). Their bytes are bound by digest, so a change
//! here is a change of format.

use super::SpecDraft;

/// One of the documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// What is wanted.
    Requirements,
    /// The steps.
    Tasks,
    /// When it is accepted.
    Acceptance,
}

const PLACEHOLDER: &str = "Not specified";

/// How many bytes a document has at least; `verify` renders all of them.
const ROOM: usize = 1 << 10;

impl Document {
    /// All of them.
    pub const ALL: &'static [Document] = &[Document::Requirements, Document::Tasks, Document::Acceptance];

    /// The file's name in the ledger.
    pub fn file_name(self) -> &'static str {
        match self {
            Document::Requirements => "requirements.md",
            Document::Tasks => "tasks.md",
            Document::Acceptance => "acceptance.md",
        }
    }

    /// The document's text.
    pub fn render(self, spec: &SpecDraft) -> String {
        match self {
            Document::Requirements => requirements(spec),
            Document::Tasks => tasks(spec),
            Document::Acceptance => acceptance(spec),
        }
    }
}

fn requirements(spec: &SpecDraft) -> String {
    let paths: Vec<String> = spec.affected_paths.iter().map(ToString::to_string).collect();
    let mut out = String::with_capacity(ROOM);
    out.extend(["# Requirements: ", spec.title.as_str(), "\n"]);
    section(&mut out, "Title", &spec.title);
    section(&mut out, "Mode", spec.mode.as_str());
    section(&mut out, "Business objective", &spec.business_objective);
    section(&mut out, "Problem statement", &spec.problem_statement);
    section(&mut out, "Scope", &bullets("- ", &spec.scope));
    section(&mut out, "Out of scope", &bullets("- ", &spec.out_of_scope));
    section(&mut out, "Actors and users", &bullets("- ", &spec.actors_users));
    section(&mut out, "Main flow", &bullets("- ", &spec.main_flow));
    section(&mut out, "Edge cases", &bullets("- ", &spec.edge_cases));
    section(&mut out, "Business rules", &bullets("- ", &spec.business_rules));
    section(&mut out, "Technical constraints", &bullets("- ", &spec.technical_constraints));
    section(&mut out, "Affected files", &bullets("- ", &paths));
    section(&mut out, "Data impact", &spec.data_impact);
    out
}

fn tasks(spec: &SpecDraft) -> String {
    let mut out = String::with_capacity(ROOM);
    out.extend(["# Tasks: ", spec.title.as_str(), "\n"]);
    section(&mut out, "Implementation", &bullets("- [ ] ", &spec.implementation_tasks));
    section(
        &mut out,
        "Planning notes",
        "- One task at a time, in this order.\n- Each task ends with a recorded check.\n- What is out of scope stays untouched.",
    );
    out
}

fn acceptance(spec: &SpecDraft) -> String {
    let mut out = String::with_capacity(ROOM);
    out.extend(["# Acceptance: ", spec.title.as_str(), "\n"]);
    section(&mut out, "Acceptance criteria", &bullets("- [ ] ", &spec.acceptance_criteria));
    section(&mut out, "Testing strategy", &bullets("- ", &spec.testing_strategy));
    section(
        &mut out,
        "Definition of done",
        "- [ ] Every task is done or skipped with a reason.\n- [ ] The tests are green on the final tree.\n- [ ] Every required gate is met.\n- [ ] The verdict is pass.",
    );
    out
}

fn section(out: &mut String, heading: &str, text: &str) {
    let text = if text.is_empty() { PLACEHOLDER } else { text };
    for part in ["\n## ", heading, "\n\n", text, "\n"] {
        out.push_str(part);
    }
}

fn bullets(mark: &str, items: &[String]) -> String {
    let lines: Vec<String> = items.iter().map(|item| format!("{mark}{}", item.replace('\n', "\n  "))).collect();
    lines.join("\n")
}
