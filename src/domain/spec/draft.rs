//! The authoring fields of a spec (§2.3): what a person writes, in a revision and in a spec file alike.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    json::{Fields, Value},
    mode::Mode,
    text::{RelativePath, plain_text},
};

/// The most tasks a spec may have.
pub const MAX_TASKS: usize = 1000;

/// The authoring fields. Lists keep their order and lose blank items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecDraft {
    /// A few words; never empty.
    pub title: String,
    /// The kind of work.
    pub mode: Mode,
    /// What it is good for.
    pub business_objective: String,
    /// What is wrong now.
    pub problem_statement: String,
    /// What it does to stored data; empty or "none" for nothing.
    pub data_impact: String,
    /// What belongs to it.
    pub scope: Vec<String>,
    /// What does not.
    pub out_of_scope: Vec<String>,
    /// Who uses it.
    pub actors_users: Vec<String>,
    /// What happens, in order.
    pub main_flow: Vec<String>,
    /// What else may happen.
    pub edge_cases: Vec<String>,
    /// Rules of the business.
    pub business_rules: Vec<String>,
    /// Rules of the technology.
    pub technical_constraints: Vec<String>,
    /// When it is accepted.
    pub acceptance_criteria: Vec<String>,
    /// How it is tested.
    pub testing_strategy: Vec<String>,
    /// The steps; each becomes a task of the run.
    pub implementation_tasks: Vec<String>,
    /// Paths it will touch.
    pub affected_paths: Vec<RelativePath>,
    /// Lower-case labels, sorted.
    pub tags: Vec<String>,
}

/// Texts that stand for "nothing" in documents written by other tools and by our own renders.
const PLACEHOLDERS: &[&str] = &["not specified", "no especificado", "nicht angegeben"];

impl SpecDraft {
    /// A spec of this title and mode, all else empty.
    pub fn new(mode: Mode, title: &str) -> Result<SpecDraft> {
        let draft = SpecDraft {
            title: title.trim().to_owned(),
            mode,
            business_objective: String::new(),
            problem_statement: String::new(),
            data_impact: String::new(),
            scope: Vec::new(),
            out_of_scope: Vec::new(),
            actors_users: Vec::new(),
            main_flow: Vec::new(),
            edge_cases: Vec::new(),
            business_rules: Vec::new(),
            technical_constraints: Vec::new(),
            acceptance_criteria: Vec::new(),
            testing_strategy: Vec::new(),
            implementation_tasks: Vec::new(),
            affected_paths: Vec::new(),
            tags: Vec::new(),
        };
        draft.checked()
    }

    /// The fields with their keys, for writing and rendering.
    pub fn to_value(&self) -> Value {
        Value::object([
            ("title", (&self.title).into()),
            ("mode", self.mode.into()),
            ("business_objective", (&self.business_objective).into()),
            ("problem_statement", (&self.problem_statement).into()),
            ("data_impact", (&self.data_impact).into()),
            ("scope", Value::list(&self.scope)),
            ("out_of_scope", Value::list(&self.out_of_scope)),
            ("actors_users", Value::list(&self.actors_users)),
            ("main_flow", Value::list(&self.main_flow)),
            ("edge_cases", Value::list(&self.edge_cases)),
            ("business_rules", Value::list(&self.business_rules)),
            ("technical_constraints", Value::list(&self.technical_constraints)),
            ("acceptance_criteria", Value::list(&self.acceptance_criteria)),
            ("testing_strategy", Value::list(&self.testing_strategy)),
            ("implementation_tasks", Value::list(&self.implementation_tasks)),
            ("affected_paths", Value::list(&self.affected_paths)),
            ("tags", Value::list(&self.tags)),
        ])
    }

    /// Takes the authoring fields out of a stored revision, where all of them stand in their final form.
    pub(super) fn from_fields(fields: &mut Fields) -> Result<SpecDraft> {
        let draft = SpecDraft::take(fields, |fields, key| match key {
            "title" | "mode" | "business_objective" | "problem_statement" | "data_impact" => {
                fields.required(key).map(Some)
            }
            _ => fields.list(key).map(|items| Some(Value::List(items))),
        })?;
        Ok(draft)
    }

    /// Reads the authoring fields of a JSON spec file: only the title must be there; the mode may come from the command
    /// line. Unknown keys are refused (RAPID1303).
    pub fn from_authoring(value: Value, mode: Option<Mode>) -> Result<SpecDraft> {
        let as_file = |error: Diagnostic| Diagnostic { code: Code::Rapid1303, ..error };
        let mut fields = Fields::of(value, Code::Rapid1303, "the spec file")?;
        if fields.optional("schema_version").is_some_and(|version| version != Value::Int(1)) {
            return Err(Code::Rapid1303.because("the spec file's schema_version is not 1"));
        }
        let named = fields.optional("mode");
        let mode_value = match (named, mode) {
            (Some(Value::Text(text)), given) => {
                let named = Mode::from_alias(&text)
                    .ok_or_else(|| Code::Rapid1303.because(format!("'{text}' is not a mode")))?;
                if given.is_some_and(|given| given != named) {
                    return Err(Code::Rapid1303
                        .because(format!("the spec file's mode is '{named}', the command says otherwise"))
                        .hint("start the mode that the file names, or change the file"));
                }
                named
            }
            (Some(_), _) => return Err(Code::Rapid1303.because("the spec file's 'mode' must be a text")),
            (None, Some(mode)) => mode,
            (None, None) => return Err(Code::Rapid1303.because("the spec file names no mode")),
        };
        let draft = SpecDraft::take(&mut fields, |fields, key| match key {
            "mode" => Ok(Some(mode_value.into())),
            _ => Ok(fields.optional(key)),
        });
        let draft = draft.map_err(as_file)?;
        fields.end().map_err(as_file)?;
        Ok(draft)
    }

    fn take(
        fields: &mut Fields,
        mut member: impl FnMut(&mut Fields, &'static str) -> Result<Option<Value>>,
    ) -> Result<SpecDraft> {
        let mut text = |fields: &mut Fields, key: &'static str| match member(fields, key)? {
            None => Ok(String::new()),
            Some(Value::Text(text)) => plain_text(&text, Code::Rapid803, key),
            Some(_) => Err(fields.fault(format_args!("'{key}' must be a text"))),
        };
        let title = text(fields, "title")?;
        let mode = Mode::parse(&text(fields, "mode")?, Code::Rapid803)?;
        let mut draft = SpecDraft::new(mode, &title)?;
        draft.business_objective = text(fields, "business_objective")?;
        draft.problem_statement = text(fields, "problem_statement")?;
        draft.data_impact = text(fields, "data_impact")?;
        let mut list = |fields: &mut Fields, key: &'static str| match member(fields, key)? {
            None => Ok(Vec::new()),
            Some(Value::List(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::Text(text) => plain_text(&text, Code::Rapid803, key),
                    _ => Err(fields.fault(format_args!("'{key}' must hold texts only"))),
                })
                .collect::<Result<Vec<String>>>(),
            Some(_) => Err(fields.fault(format_args!("'{key}' must be a list"))),
        };
        draft.scope = list(fields, "scope")?;
        draft.out_of_scope = list(fields, "out_of_scope")?;
        draft.actors_users = list(fields, "actors_users")?;
        draft.main_flow = list(fields, "main_flow")?;
        draft.edge_cases = list(fields, "edge_cases")?;
        draft.business_rules = list(fields, "business_rules")?;
        draft.technical_constraints = list(fields, "technical_constraints")?;
        draft.acceptance_criteria = list(fields, "acceptance_criteria")?;
        draft.testing_strategy = list(fields, "testing_strategy")?;
        draft.implementation_tasks = list(fields, "implementation_tasks")?;
        draft.affected_paths =
            list(fields, "affected_paths")?.iter().map(|path| affected_path(path)).collect::<Result<_>>()?;
        draft.tags = list(fields, "tags")?;
        draft.checked()
    }

    /// Brings the fields into their final form (blanks dropped, tags and paths in order) and refuses what cannot be.
    pub fn checked(mut self) -> Result<SpecDraft> {
        let blank =
            |text: &String| text.trim().is_empty() || PLACEHOLDERS.contains(&text.trim().to_lowercase().as_str());
        if blank(&self.title) {
            return Err(Code::Rapid803.because("a spec needs a title").hint("give one with --title"));
        }
        for text in [&mut self.title, &mut self.business_objective, &mut self.problem_statement, &mut self.data_impact]
        {
            *text = if blank(text) { String::new() } else { plain_text(text.trim(), Code::Rapid803, "a field")? };
        }
        for list in self.lists_mut() {
            list.retain(|item| !blank(item));
            for item in list.iter_mut() {
                *item = plain_text(item.trim(), Code::Rapid803, "an item")?;
            }
        }
        if self.implementation_tasks.len() > MAX_TASKS {
            return Err(Code::Rapid803.because(format!("a spec may have at most {MAX_TASKS} tasks")));
        }
        self.tags = self.tags.iter().map(|tag| tag.to_lowercase()).collect();
        self.tags.sort();
        self.tags.dedup();
        let mut seen = std::collections::BTreeSet::new();
        self.affected_paths.retain(|path| seen.insert(path.clone()));
        Ok(self)
    }

    /// The draft with each of its texts rewritten, in its final form again. Paths stay.
    pub fn rewritten(mut self, rewrite: impl Fn(&str) -> String) -> Result<SpecDraft> {
        for text in [&mut self.title, &mut self.business_objective, &mut self.problem_statement, &mut self.data_impact]
        {
            *text = rewrite(text);
        }
        for item in self.lists_mut().into_iter().flatten() {
            *item = rewrite(item);
        }
        self.checked()
    }

    fn lists_mut(&mut self) -> [&mut Vec<String>; 11] {
        [
            &mut self.scope,
            &mut self.out_of_scope,
            &mut self.actors_users,
            &mut self.main_flow,
            &mut self.edge_cases,
            &mut self.business_rules,
            &mut self.technical_constraints,
            &mut self.acceptance_criteria,
            &mut self.testing_strategy,
            &mut self.implementation_tasks,
            &mut self.tags,
        ]
    }
}

/// Reads an affected path as leniently as §1.5 asks for: backslashes are separators, a leading `./` is dropped.
pub fn affected_path(text: &str) -> Result<RelativePath> {
    let text = text.trim().replace('\\', "/");
    let text = text.strip_prefix("./").unwrap_or(&text);
    RelativePath::parse(text.strip_suffix('/').unwrap_or(text), Code::Rapid803)
}
