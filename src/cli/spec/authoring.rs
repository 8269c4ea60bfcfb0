//! The authoring fields of a spec as flags. What is not given is left as it was; a list that is given replaces the list.

use crate::cli::{args, spec_file};
use crate::diagnostics::{Code, Result};
use crate::domain::{
    mode::Mode,
    spec::{SpecDraft, affected_path},
    text::RelativePath,
};
use crate::os::environment::Environment;

/// The authoring flags.
#[derive(clap::Args)]
pub struct Authoring {
    /// The spec as JSON or Markdown; '-' reads standard input. Flags come on top of it
    #[arg(long, value_name = "FILE")]
    spec_file: Option<String>,
    /// A few words
    #[arg(long)]
    title: Option<String>,
    /// The kind of work: feature, bugfix, refactor, hardening or research
    #[arg(long)]
    mode: Option<String>,
    /// What it is good for
    #[arg(long, value_name = "TEXT")]
    objective: Option<String>,
    /// What is wrong now
    #[arg(long, value_name = "TEXT")]
    problem: Option<String>,
    /// What it does to stored data
    #[arg(long, value_name = "TEXT")]
    data_impact: Option<String>,
    /// What belongs to it (can be repeated, like all that follow)
    #[arg(long, value_name = "TEXT")]
    scope: Vec<String>,
    /// What does not
    #[arg(long, value_name = "TEXT")]
    out_of_scope: Vec<String>,
    /// Who uses it
    #[arg(long, value_name = "TEXT")]
    actor: Vec<String>,
    /// A step of what happens
    #[arg(long, visible_alias = "flow", value_name = "TEXT")]
    main_flow: Vec<String>,
    /// What else may happen
    #[arg(long, value_name = "TEXT")]
    edge_case: Vec<String>,
    /// A rule of the business
    #[arg(long, visible_alias = "rule", value_name = "TEXT")]
    business_rule: Vec<String>,
    /// A rule of the technology
    #[arg(long, visible_alias = "constraint", value_name = "TEXT")]
    technical_constraint: Vec<String>,
    /// A path that it will touch
    #[arg(long, value_name = "PATH")]
    affected_path: Vec<String>,
    /// A criterion for accepting it
    #[arg(long, value_name = "TEXT")]
    acceptance: Vec<String>,
    /// How it is tested
    #[arg(long, value_name = "TEXT")]
    testing: Vec<String>,
    /// A step of the work; becomes a task of the run
    #[arg(long, value_name = "TEXT")]
    task: Vec<String>,
    /// A label
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
}

/// A change of a spec, read from flags and file.
pub struct Change {
    flags: Authoring,
    file: Option<SpecDraft>,
    mode: Option<Mode>,
    paths: Vec<RelativePath>,
}

impl Authoring {
    /// A new spec.
    pub fn draft(self, environment: &Environment) -> Result<SpecDraft> {
        let title = self.title.clone();
        let change = self.change(environment)?;
        let base = match (&change.file, title, change.mode) {
            (Some(file), _, _) => file.clone(),
            (None, None, _) => {
                return Err(Code::Rapid803
                    .because("a spec needs a title")
                    .hint("give one with --title, or --spec-file FILE"));
            }
            (None, Some(_), None) => {
                return Err(Code::Rapid803
                    .because("a spec needs a mode")
                    .hint("give one with --mode: feature, bugfix, refactor, hardening or research"));
            }
            (None, Some(title), Some(mode)) => SpecDraft::new(mode, &title)?,
        };
        change.apply(base)?.checked()
    }

    /// A change of a spec that is there.
    pub fn change(self, environment: &Environment) -> Result<Change> {
        let mode = self.mode.as_deref().map(args::mode).transpose()?;
        let file = self.spec_file.as_deref().map(|file| spec_file::read(file, environment, mode)).transpose()?;
        let paths = self.affected_path.iter().map(|path| affected_path(path)).collect::<Result<_>>()?;
        Ok(Change { flags: self, file, mode, paths })
    }
}

impl Change {
    /// The spec after the change.
    pub fn apply(&self, before: SpecDraft) -> Result<SpecDraft> {
        let mut spec = self.file.clone().unwrap_or(before);
        let flags = &self.flags;
        spec.mode = self.mode.unwrap_or(spec.mode);
        for (place, given) in [
            (&mut spec.title, &flags.title),
            (&mut spec.business_objective, &flags.objective),
            (&mut spec.problem_statement, &flags.problem),
            (&mut spec.data_impact, &flags.data_impact),
        ] {
            if let Some(text) = given {
                place.clone_from(text);
            }
        }
        for (place, given) in [
            (&mut spec.scope, &flags.scope),
            (&mut spec.out_of_scope, &flags.out_of_scope),
            (&mut spec.actors_users, &flags.actor),
            (&mut spec.main_flow, &flags.main_flow),
            (&mut spec.edge_cases, &flags.edge_case),
            (&mut spec.business_rules, &flags.business_rule),
            (&mut spec.technical_constraints, &flags.technical_constraint),
            (&mut spec.acceptance_criteria, &flags.acceptance),
            (&mut spec.testing_strategy, &flags.testing),
            (&mut spec.implementation_tasks, &flags.task),
            (&mut spec.tags, &flags.tag),
        ] {
            if !given.is_empty() {
                place.clone_from(given);
            }
        }
        if !self.paths.is_empty() {
            spec.affected_paths.clone_from(&self.paths);
        }
        Ok(spec)
    }
}
