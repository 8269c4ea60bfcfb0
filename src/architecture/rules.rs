//! `.rapid/architecture.json`: the layers, what they may import, and what no file of theirs may name.
//!
//! The form is documented in docs/architecture-rules.md. Everything that is not understood is refused (RAPID1421).

mod globs;
#[cfg(test)]
mod tests;

use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use globs::Globs;
use std::collections::BTreeSet;

const FAULT: Code = Code::Rapid1421;

/// What is said of an import that no list names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It may be.
    Allow,
    /// It may not be.
    Forbid,
}

/// The rules of a repository.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Between layers, where neither list of the importing layer names the other one.
    pub default: Rule,
    /// From a layer to a file of the repository that is in no layer.
    pub outside: Rule,
    /// Prefixes of TypeScript and JavaScript specifiers, and what stands in the repository for each.
    pub aliases: Vec<(String, String)>,
    /// The layers; a file belongs to the first one that its path fits.
    pub layers: Vec<Layer>,
    ignore: Globs,
}

/// One layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// Layers that it may import.
    pub allow: Vec<String>,
    /// Layers that it may not import.
    pub forbid: Vec<String>,
    /// Modules from outside that no file of it may name.
    pub forbid_modules: Vec<String>,
    paths: Globs,
}

impl Rules {
    /// Reads the rules' bytes; faults are RAPID1421.
    pub fn parse(bytes: &[u8]) -> Result<Rules> {
        let value = json::parse(bytes).map_err(|fault| FAULT.because(format!("the architecture rules: {fault}")))?;
        let mut fields = Fields::of(value, FAULT, "the architecture rules")?;
        fields.version()?;
        let default = rule(&mut fields, "default", Rule::Forbid)?;
        let outside = rule(&mut fields, "outside", Rule::Allow)?;
        let ignore = Globs::parse(&fields.optional_texts("ignore")?.unwrap_or_default())?;
        let aliases = aliases(fields.optional("aliases"))?;
        let layers = fields.list("layers")?.into_iter().map(Layer::from_value).collect::<Result<Vec<_>>>()?;
        if layers.is_empty() {
            return Err(fields.fault("'layers' is empty"));
        }
        fields.end()?;
        check_names(&layers)?;
        Ok(Rules { default, outside, aliases, layers, ignore })
    }

    /// Whether the rules leave a file out altogether.
    pub fn ignores(&self, path: &str) -> bool {
        self.ignore.match_path(path)
    }

    /// The layer of a path.
    pub fn layer_of(&self, path: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.paths.match_path(path))
    }
}

impl Layer {
    fn from_value(value: Value) -> Result<Layer> {
        let mut fields = Fields::of(value, FAULT, "a layer")?;
        let name = fields.text("name")?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(
                fields.fault(format_args!("the name '{}' is not of letters, digits, '-' and '_'", name.escape_debug()))
            );
        }
        let named = |text: &str| FAULT.because(format!("layer '{name}': {text}"));
        let paths = fields.texts("paths")?;
        if paths.is_empty() {
            return Err(named("'paths' is empty"));
        }
        let paths = Globs::parse(&paths).map_err(|error| named(&error.message))?;
        let allow = fields.optional_texts("allow")?.unwrap_or_default();
        let forbid = fields.optional_texts("forbid")?.unwrap_or_default();
        let forbid_modules = fields.optional_texts("forbid_modules")?.unwrap_or_default();
        if forbid_modules.iter().any(|module| module.trim().is_empty()) {
            return Err(named("'forbid_modules' names nothing"));
        }
        fields.end().map_err(|error| named(&error.message))?;
        Ok(Layer { name, allow, forbid, forbid_modules, paths })
    }
}

fn rule(fields: &mut Fields, key: &'static str, otherwise: Rule) -> Result<Rule> {
    match fields.optional_text(key)?.as_deref() {
        None => Ok(otherwise),
        Some("allow") => Ok(Rule::Allow),
        Some("forbid") => Ok(Rule::Forbid),
        Some(_) => Err(fields.fault(format_args!("'{key}' must be \"allow\" or \"forbid\""))),
    }
}

/// The aliases, the longest prefix first, so that the closest one is met first.
fn aliases(value: Option<Value>) -> Result<Vec<(String, String)>> {
    let members = match value {
        None => return Ok(Vec::new()),
        Some(Value::Object(members)) => members,
        Some(_) => return Err(FAULT.because("the architecture rules: 'aliases' is not an object")),
    };
    let mut found = Vec::new();
    for (prefix, place) in members {
        let place = place.as_text().map(str::to_owned);
        let fits = place.filter(|_| !prefix.is_empty() && !prefix.starts_with('.'));
        let fits = fits.filter(|place| super::path::resolve("", place).is_some() && !place.starts_with('/'));
        match fits {
            Some(place) => found.push((prefix, place)),
            None => {
                return Err(FAULT.because(format!(
                    "the architecture rules: the alias '{}' does not lead from the beginning of a specifier to a path here",
                    prefix.escape_debug()
                )));
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| other.len().cmp(&one.len()).then(one.cmp(other)));
    Ok(found)
}

fn check_names(layers: &[Layer]) -> Result<()> {
    let mut names = BTreeSet::new();
    for layer in layers {
        if !names.insert(layer.name.as_str()) {
            return Err(FAULT.because(format!("layer '{}' is there twice", layer.name)));
        }
    }
    for layer in layers {
        let fault = |why: &str, other: &str| {
            Err(FAULT.because(format!("layer '{}': '{}' {why}", layer.name, other.escape_debug())))
        };
        for other in layer.allow.iter().chain(&layer.forbid) {
            if !names.contains(other.as_str()) {
                return fault("is not a layer", other);
            }
            if *other == layer.name {
                return fault("is the layer itself, whose files may always import each other", other);
            }
        }
        if let Some(other) = layer.allow.iter().find(|other| layer.forbid.contains(other)) {
            return fault("is allowed and forbidden", other);
        }
    }
    Ok(())
}
