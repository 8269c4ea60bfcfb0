//! A page of the manual as a list of lines, of which some are a scene, a command and what it says.
//!
//! Not here: running anything.

/// A command that a page shows.
#[derive(Debug)]
pub struct Shown {
    /// What is typed; further lines of it are shown behind `> `.
    pub command: String,
    /// What is shown as said.
    pub said: Vec<String>,
    /// The lines of the page that `said` is, as a range of indices.
    pub at: std::ops::Range<usize>,
}

/// What happens on a page, in its order.
#[derive(Debug)]
pub enum Step {
    /// The following is typed in this scene.
    Scene(String),
    /// A command.
    Shown(Shown),
}

/// The steps of a page.
pub fn steps(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut inside = false;
    for (at, line) in text.lines().enumerate() {
        if let Some(scene) = line.strip_prefix("<!-- scene: ").and_then(|rest| rest.strip_suffix(" -->")) {
            steps.push(Step::Scene(scene.to_owned()));
            continue;
        }
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (
                line.strip_prefix("$ "),
                line.strip_prefix("> ").or((line == ">").then_some("")),
                steps.last_mut(),
            ) {
                (Some(command), _, _) => {
                    let shown = Shown { command: command.to_owned(), said: Vec::new(), at: at + 1..at + 1 };
                    steps.push(Step::Shown(shown));
                }
                (None, Some(more), Some(Step::Shown(shown))) if shown.said.is_empty() => {
                    shown.command.push('\n');
                    shown.command.push_str(more);
                    shown.at = at + 1..at + 1;
                }
                (None, _, Some(Step::Shown(shown))) => {
                    shown.said.push(line.to_owned());
                    shown.at.end = at + 1;
                }
                _ => panic!("line {}: a command stands first in what is shown: {line}", at + 1),
            },
        }
    }
    steps
}
