//! Recipes of a justfile: what they need, and what their lines run. Imported files count whole.

use super::{
    Resolver, files,
    make::{logical_lines, without_marks},
};
use crate::diagnostics::Result;
use std::collections::BTreeSet;

const NAMES: &[&str] = &["justfile", "Justfile", ".justfile", "JUSTFILE"];

impl Resolver<'_> {
    /// `just`, with its recipes.
    pub(super) fn just(&mut self, words: &[String], dir: &str) -> Result<()> {
        let (mut dir, mut file, mut recipe) = (dir.to_owned(), None, None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-f" | "--justfile" => file = words.next().cloned(),
                "-d" | "--working-directory" => {
                    let to = words.next().cloned().unwrap_or_default();
                    match files::join(&dir, &to) {
                        Some(place) => dir = place,
                        None => self.unresolved(&format!("just -d {to}")),
                    }
                }
                "--set" => drop(words.nth(1)),
                "--shell" | "--dotenv-path" | "--dotenv-filename" => drop(words.next()),
                word if word.starts_with('-') || word.contains('=') || recipe.is_some() => {}
                name => recipe = Some(name.to_owned()),
            }
        }
        let names: Vec<String> = match file {
            Some(file) => vec![file],
            None => NAMES.iter().map(ToString::to_string).collect(),
        };
        for name in names {
            let Some(place) = files::join(&dir, &name) else { continue };
            if let Some(bytes) = self.text(&place, false)? {
                return self.justfile(&place, &String::from_utf8_lossy(&bytes), recipe.as_deref(), &dir);
            }
        }
        self.unresolved("just without a justfile in the tree");
        Ok(())
    }

    fn justfile(&mut self, place: &str, text: &str, recipe: Option<&str>, dir: &str) -> Result<()> {
        if !self.first_time(format!("{place}#{}", recipe.unwrap_or_default())) {
            return Ok(());
        }
        let file = Justfile::read(text);
        let wanted = recipe.or_else(|| file.recipes.first().map(|first| first.name.as_str()));
        let chosen = file.reached(wanted.unwrap_or_default());
        match (recipe, chosen.is_empty() || file.imports) {
            (Some(recipe), false) => {
                let text: String = file.loose.iter().chain(chosen.iter().map(|recipe| &recipe.text)).cloned().collect();
                self.part(format!("{place}#{recipe}"), text.as_bytes());
            }
            _ => self.part(place.to_owned(), text.as_bytes()),
        }
        if file.imports {
            self.unresolved(&format!("what {place} imports"));
        } else if chosen.is_empty() {
            self.unresolved(&format!("{place} has no recipe '{}'", wanted.unwrap_or_default()));
        }
        for recipe in chosen.iter().filter(|recipe| !recipe.lines.first().is_some_and(|line| line.starts_with("#!"))) {
            for line in &recipe.lines {
                self.shell(&line.replace("{{", "$("), dir)?;
            }
        }
        Ok(())
    }
}

struct Recipe {
    name: String,
    needs: Vec<String>,
    text: String,
    lines: Vec<String>,
}

#[derive(Default)]
struct Justfile {
    recipes: Vec<Recipe>,
    loose: Vec<String>,
    imports: bool,
}

impl Justfile {
    fn read(text: &str) -> Justfile {
        let mut file = Justfile::default();
        let mut in_recipe = false;
        for line in logical_lines(text) {
            if line.starts_with([' ', '\t'])
                && let Some(recipe) = file.recipes.last_mut().filter(|_| in_recipe)
            {
                recipe.text.push_str(&format!("{line}\n"));
                recipe.lines.push(without_marks(&line).to_owned());
                continue;
            }
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let first = trimmed.split_whitespace().next().unwrap_or_default();
            file.imports |= matches!(first, "import" | "import?" | "mod" | "mod?");
            let head = trimmed.split_once(':').filter(|(_, rest)| !rest.starts_with('='));
            in_recipe = false;
            match (first, head, trimmed.split_once(":=")) {
                ("alias", _, Some((name, to))) => file.recipes.push(Recipe {
                    name: name.trim_start_matches("alias").trim().to_owned(),
                    needs: vec![to.trim().to_owned()],
                    text: format!("{trimmed}\n"),
                    lines: Vec::new(),
                }),
                ("set" | "export" | "import" | "mod" | "import?" | "mod?", ..) | (_, None, _) => {
                    file.loose.push(format!("{trimmed}\n"));
                }
                (_, Some((head, needs)), _) => {
                    in_recipe = true;
                    let words = needs.split(|c: char| c.is_whitespace() || "()&".contains(c));
                    file.recipes.push(Recipe {
                        name: head.split_whitespace().next().unwrap_or_default().trim_start_matches('@').to_owned(),
                        needs: words.filter(|word| !word.is_empty()).map(str::to_owned).collect(),
                        text: format!("{trimmed}\n"),
                        lines: Vec::new(),
                    });
                }
            }
        }
        file
    }

    /// The recipe of that name and those that it needs.
    fn reached(&self, name: &str) -> Vec<&Recipe> {
        let mut names = BTreeSet::from([name]);
        let mut waiting = vec![name];
        while let Some(name) = waiting.pop() {
            for recipe in self.recipes.iter().filter(|recipe| recipe.name == name) {
                for need in &recipe.needs {
                    if names.insert(need) {
                        waiting.push(need);
                    }
                }
            }
        }
        self.recipes.iter().filter(|recipe| names.contains(recipe.name.as_str())).collect()
    }
}
