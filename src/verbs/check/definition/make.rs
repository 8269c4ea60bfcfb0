//! Targets of a Makefile: their rules, what these need, the variables that they use, and what their recipes run.
//!
//! Whatever decides by more than the text of rules (conditionals, `define`, `eval`, computed prerequisites, included files)
//! makes the whole file count, and with it the files that it includes.

use super::{Resolver, files};
use crate::diagnostics::Result;
use std::collections::{BTreeMap, BTreeSet};

const NAMES: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
const WITH_VALUE: &[&str] =
    &["-I", "--include-dir", "-l", "--load-average", "-o", "--old-file", "-W", "--what-if", "-O"];
/// Words that begin a line whose meaning depends on more than itself.
const CONDITIONAL: &[&str] = &["ifeq", "ifneq", "ifdef", "ifndef", "define", "vpath", "undefine"];
/// Variables that make itself looks at.
const ITS_OWN: &[&str] = &["SHELL", ".SHELLFLAGS", "MAKEFLAGS", "MAKEFILES", "VPATH", ".DEFAULT_GOAL"];

impl Resolver<'_> {
    /// `make`, with its targets.
    pub(super) fn make(&mut self, words: &[String], dir: &str) -> Result<()> {
        let (mut dir, mut file, mut targets) = (dir.to_owned(), None, Vec::new());
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-C" | "--directory" => {
                    let to = words.next().cloned().unwrap_or_default();
                    match files::join(&dir, &to) {
                        Some(place) => dir = place,
                        None => {
                            self.unresolved(&format!("make -C {to}"));
                            return Ok(());
                        }
                    }
                }
                "-f" | "--file" | "--makefile" => file = words.next().cloned(),
                "--eval" => self.unresolved("make --eval"),
                option if WITH_VALUE.contains(&option) => drop(words.next()),
                "-j" | "--jobs" => {
                    if words.as_slice().first().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit())) {
                        words.next();
                    }
                }
                word if word.starts_with('-') || word.contains('=') => {}
                target => targets.push(target.to_owned()),
            }
        }
        let names: Vec<String> = match file {
            Some(file) => vec![file],
            None => NAMES.iter().map(ToString::to_string).collect(),
        };
        for name in names {
            let Some(place) = files::join(&dir, &name) else { continue };
            if let Some(bytes) = self.text(&place, false)? {
                return self.makefile(&place, &String::from_utf8_lossy(&bytes), &targets, &dir);
            }
        }
        self.unresolved("make without a Makefile in the tree");
        Ok(())
    }

    fn makefile(&mut self, place: &str, text: &str, targets: &[String], dir: &str) -> Result<()> {
        if !self.first_time(format!("{place}#{}", targets.join(" "))) {
            return Ok(());
        }
        let file = Makefile::read(text);
        let reached = file.reached(targets);
        match (&reached.text, targets) {
            (Some(text), [_, ..]) => self.part(format!("{place}#{}", targets.join(" ")), text.as_bytes()),
            _ => self.part(place.to_owned(), text.as_bytes()),
        }
        if let Some(missing) = &reached.missing {
            self.unresolved(&format!("{place} has no rule '{missing}'"));
        }
        for included in &file.includes {
            let included = file.expanded(included);
            for path in included.split_whitespace() {
                self.included(dir, path)?;
            }
        }
        for line in &reached.recipes {
            self.shell(&file.expanded(line).replace("$$", "$"), dir)?;
        }
        Ok(())
    }

    /// An included file counts whole, and so do those that it includes.
    fn included(&mut self, dir: &str, path: &str) -> Result<()> {
        let place = files::join(dir, path);
        let Some(bytes) = place.as_deref().map(|place| self.text(place, true)).transpose()?.flatten() else {
            self.unresolved(&format!("include {path}"));
            return Ok(());
        };
        if self.first_time(format!("include {path}")) {
            let file = Makefile::read(&String::from_utf8_lossy(&bytes));
            for included in &file.includes {
                for path in file.expanded(included).split_whitespace() {
                    self.included(dir, path)?;
                }
            }
        }
        Ok(())
    }
}

/// A rule: head and recipe.
#[derive(Default)]
struct Rule {
    targets: Vec<String>,
    needs: String,
    text: String,
    recipe: Vec<String>,
}

/// A Makefile's lines by what they are.
#[derive(Default)]
struct Makefile {
    rules: Vec<Rule>,
    /// Assignments: name, value, the line.
    variables: Vec<(String, String, String)>,
    /// Everything else at the top.
    loose: Vec<String>,
    includes: Vec<String>,
    /// Rules alone do not tell what a target is.
    unclear: bool,
}

/// What targets lead to.
struct Reached {
    /// The text that defines them; `None` when the whole file does.
    text: Option<String>,
    recipes: Vec<String>,
    /// A target that no rule names.
    missing: Option<String>,
}

impl Makefile {
    fn read(text: &str) -> Makefile {
        let mut file =
            Makefile { unclear: text.contains(".RECIPEPREFIX") || text.contains("$(eval"), ..Makefile::default() };
        let mut in_rule = false;
        for line in logical_lines(text) {
            if line.starts_with('\t') && in_rule {
                if let Some(rule) = file.rules.last_mut() {
                    rule.text.push_str(&line);
                    rule.text.push('\n');
                    rule.recipe.push(without_marks(&line).to_owned());
                }
                continue;
            }
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let first = trimmed.split_whitespace().next().unwrap_or_default();
            if matches!(first, "include" | "-include" | "sinclude") {
                file.includes.push(trimmed.strip_prefix(first).unwrap_or_default().to_owned());
                file.unclear = true;
            } else if CONDITIONAL.contains(&first) {
                file.unclear = true;
                file.loose.push(line);
            } else if let Some((name, value)) = assignment(trimmed) {
                file.variables.push((name, value, trimmed.to_owned()));
            } else if let Some((head, rest)) = trimmed.split_once(':') {
                in_rule = true;
                let (needs, inline) =
                    rest.split_once(';').map_or((rest, None), |(needs, recipe)| (needs, Some(recipe)));
                file.rules.push(Rule {
                    targets: head.split_whitespace().map(str::to_owned).collect(),
                    needs: needs.trim_start_matches(':').to_owned(),
                    text: format!("{trimmed}\n"),
                    recipe: inline.map(|recipe| without_marks(recipe).to_owned()).into_iter().collect(),
                });
            } else {
                file.loose.push(line);
            }
        }
        file
    }

    fn reached(&self, targets: &[String]) -> Reached {
        let mut unclear = self.unclear || targets.is_empty();
        let first = self.rules.iter().flat_map(|rule| &rule.targets).find(|target| !target.starts_with('.'));
        let wanted: Vec<String> =
            if targets.is_empty() { first.cloned().into_iter().collect() } else { targets.to_vec() };
        let mut names: BTreeSet<String> = wanted.iter().cloned().collect();
        let mut waiting = wanted.clone();
        while let Some(name) = waiting.pop() {
            for rule in self.rules.iter().filter(|rule| rule.targets.contains(&name)) {
                let needs = self.expanded(&rule.needs);
                unclear |= needs.contains('$') && !needs.contains('=');
                for need in needs.split_whitespace().filter(|need| *need != "|") {
                    if names.insert(need.to_owned()) {
                        waiting.push(need.to_owned());
                    }
                }
            }
        }
        let special = |name: &String| name.starts_with('.') && name != ".PHONY" && !name.contains('/');
        let pattern = |name: &String| name.contains(['%', '$']) || special(name);
        let chosen: Vec<&Rule> = self
            .rules
            .iter()
            .filter(|rule| rule.targets.iter().any(|target| names.contains(target) || pattern(target)))
            .collect();
        let mut text: String = chosen.iter().map(|rule| rule.text.as_str()).collect();
        for line in &self.loose {
            text.push_str(line);
            text.push('\n');
        }
        // Variables in turn use others.
        let mut used: BTreeSet<usize> = BTreeSet::new();
        loop {
            let tokens: BTreeSet<&str> = text.split(|c: char| !(c.is_alphanumeric() || "_.-".contains(c))).collect();
            let more: Vec<usize> = (0..self.variables.len())
                .filter(|at| !used.contains(at))
                .filter(|at| {
                    self.variables.get(*at).is_some_and(|(name, _, line)| {
                        tokens.contains(name.as_str()) || ITS_OWN.contains(&name.as_str()) || line.starts_with("export")
                    })
                })
                .collect();
            if more.is_empty() {
                break;
            }
            for at in more {
                used.insert(at);
                if let Some((_, _, line)) = self.variables.get(at) {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        let known = |name: &&String| {
            !self.rules.iter().any(|rule| rule.targets.contains(*name) || rule.targets.iter().any(pattern))
        };
        Reached {
            text: (!unclear).then_some(text),
            recipes: chosen.iter().flat_map(|rule| rule.recipe.iter().cloned()).collect(),
            missing: wanted.iter().find(known).cloned(),
        }
    }

    /// The text with the values of plain variables in place of their names, and `make` for `$(MAKE)`.
    fn expanded(&self, text: &str) -> String {
        let mut values: BTreeMap<&str, &str> = BTreeMap::from([("MAKE", "make"), ("CURDIR", "."), ("SHELL", "sh")]);
        values.extend(self.variables.iter().map(|(name, value, _)| (name.as_str(), value.as_str())));
        let mut text = text.to_owned();
        for _ in 0..5 {
            if !text.contains('$') {
                break;
            }
            for (name, value) in &values {
                text = text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value);
            }
            if text.len() > 64 << 10 {
                break;
            }
        }
        text
    }
}

/// Lines, each with those that continue it.
pub(super) fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let ends = line.ends_with('\\');
        match lines.last_mut() {
            Some(last) if continues => {
                last.push('\n');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
        continues = ends;
    }
    lines
}

/// A line of a recipe without what tells make how to run it.
pub(super) fn without_marks(line: &str) -> &str {
    line.trim_start().trim_start_matches(['@', '-', '+'])
}

/// `NAME = value` in any of its forms.
fn assignment(line: &str) -> Option<(String, String)> {
    let (head, value) = line.split_once('=')?;
    let head = head.trim_end_matches([':', '?', '+', '!']).trim();
    let mut words = head.split_whitespace().skip_while(|word| matches!(*word, "export" | "override" | "private"));
    let name = words.next()?;
    let plain = words.next().is_none() && !name.contains([':', '$', '(']);
    plain.then(|| (name.to_owned(), value.split(" #").next().unwrap_or_default().trim().to_owned()))
}
