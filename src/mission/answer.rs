//! What a child hands back, read strictly: a maker says what it did and never that it passes; a checker says pass or fail.

use super::event::Role;
use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use crate::domain::word::words;

words! {
    /// What a checker says.
    Verdict, "a verdict" {
        /// It is as it was asked for.
        Pass = "pass",
        /// It is not.
        Fail = "fail",
    }
}

/// What a maker says. It is recorded and never believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakerAnswer {
    /// What was done.
    pub implementation_summary: String,
    /// What it says it changed.
    pub files_changed: Vec<String>,
    /// What it says it ran.
    pub tests_run: Vec<String>,
    /// What it says came of it.
    pub test_results: String,
}

/// Something that a checker found.
pub type Finding = String;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Of a maker or a debugger.
    Maker(MakerAnswer),
    /// Of a checker.
    Checker(Verdict, Vec<Finding>),
}

/// The word before an answer in the output of a program.
const MARK: &str = "RAPID-ANSWER";

const CODE: Code = Code::Rapid1923;

impl Answer {
    /// Reads the answer of a role (RAPID1923).
    pub fn read(role: Role, value: Value) -> Result<Answer> {
        let what = match role {
            Role::Checker => "a checker's answer",
            Role::Maker | Role::Debugger => "a maker's answer",
        };
        let mut fields = Fields::of(value, CODE, what)?;
        let answer = match role {
            Role::Checker => {
                Answer::Checker(Verdict::parse(&fields.text("verdict")?, CODE)?, fields.texts("findings")?)
            }
            Role::Maker | Role::Debugger => Answer::Maker(MakerAnswer {
                implementation_summary: fields.text("implementation_summary")?,
                files_changed: fields.texts("files_changed")?,
                tests_run: commands(&mut fields, "tests_run")?,
                test_results: fields.text("test_results")?,
            }),
        };
        fields.end().map(|()| answer)
    }

    /// As JSON.
    pub fn to_value(&self) -> Value {
        match self {
            Answer::Checker(verdict, findings) => {
                Value::object([("verdict", (*verdict).into()), ("findings", Value::list(findings))])
            }
            Answer::Maker(answer) => Value::object([
                ("implementation_summary", answer.implementation_summary.as_str().into()),
                ("files_changed", Value::list(&answer.files_changed)),
                ("tests_run", Value::list(&answer.tests_run)),
                ("test_results", answer.test_results.as_str().into()),
            ]),
        }
    }
}

/// Commands, each a text or, as a contract names its tests, a list of words.
fn commands(fields: &mut Fields, key: &'static str) -> Result<Vec<String>> {
    let words = |item: &Value| item.as_text().map(str::to_owned);
    let command = |item: Value| match &item {
        Value::List(all) => all.iter().map(words).collect::<Option<Vec<_>>>().map(|all| all.join(" ")),
        _ => words(&item),
    };
    let all: Option<Vec<String>> = fields.list(key)?.into_iter().map(command).collect();
    all.ok_or_else(|| fields.fault(format_args!("'{key}' must hold commands, each a text or a list of words")))
}

/// The answer in what a program printed: the last line that begins with the mark (RAPID1923 when there is none).
pub fn in_output(role: Role, output: &str) -> Result<Answer> {
    let line = output.lines().rev().find_map(|line| line.trim().strip_prefix(MARK));
    let line = line.ok_or_else(|| CODE.because(format!("it gave no answer: no line begins with {MARK}")))?;
    let value =
        json::parse_text(line.trim()).map_err(|fault| CODE.because(format!("its answer is not JSON: {fault}")))?;
    Answer::read(role, value)
}
