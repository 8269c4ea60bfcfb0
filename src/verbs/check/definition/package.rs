//! Scripts of `package.json`: the one that is run, those before and after it, and those that it runs in turn.

use super::{Resolver, files};
use crate::diagnostics::Result;
use crate::domain::json::{self, Value};

/// Options that name the directory to run in.
const ELSEWHERE: &[&str] = &["--prefix", "-C", "--dir", "--cwd"];
/// Options that choose packages of a workspace: which scripts run is for the tool to say.
const WORKSPACE: &[&str] =
    &["-w", "--workspace", "--workspaces", "-ws", "--filter", "-F", "-r", "--recursive", "workspace", "workspaces"];

impl Resolver<'_> {
    /// `npm test`, `yarn run x`, `bun test` …
    pub(super) fn package_runner(&mut self, runner: &str, words: &[String], dir: &str) -> Result<()> {
        let mut dir = dir.to_owned();
        let mut said: Vec<&String> = Vec::new();
        let mut many = false;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let (option, value) = word.split_once('=').map_or((word.as_str(), None), |(o, v)| (o, Some(v)));
            if word == "--" {
                break;
            } else if ELSEWHERE.contains(&option) {
                let to = value.map(str::to_owned).or_else(|| words.next().cloned()).unwrap_or_default();
                match files::join(&dir, &to) {
                    Some(place) => dir = place,
                    None => self.unresolved(&to),
                }
            } else if WORKSPACE.contains(&option) {
                many = true;
            } else if !word.starts_with('-') {
                said.push(word);
            }
        }
        if many {
            self.setting(&dir, "package.json#scripts")?;
            self.unresolved(&format!("{runner} in a workspace"));
            return Ok(());
        }
        let rest = |from: usize| said.iter().skip(from).map(|word| (*word).clone()).collect::<Vec<_>>();
        match (said.first().map(|word| word.as_str()), said.get(1)) {
            (Some("run" | "run-script" | "rum" | "urn"), Some(script)) => self.package_script(&dir, script),
            (Some("run" | "run-script"), None) => Ok(()),
            (Some("test"), _) if runner == "bun" => {
                self.setting(&dir, "bunfig.toml")?;
                self.setting(&dir, "package.json#scripts")
            }
            (Some("t" | "tst" | "test"), _) | (None, _) => self.package_script(&dir, "test"),
            (Some(script), _) if self.scripts(&dir)?.is_some_and(|scripts| scripts.get(script).is_some()) => {
                self.package_script(&dir, script)
            }
            // A program of the project's packages.
            (Some(_), _) if runner != "npm" => self.command(&rest(0), &dir),
            (Some(_), _) => Ok(()),
        }
    }

    /// `npm-run-all a b`, `concurrently "npm:a" "npm run b"`: any script may be meant by a pattern.
    pub(super) fn several_scripts(&mut self, words: &[String], dir: &str) -> Result<()> {
        self.setting(dir, "package.json#scripts")?;
        let scripts = self.scripts(dir)?.unwrap_or(Value::Null);
        for word in words.iter().filter(|word| !word.starts_with('-')) {
            match word.strip_prefix("npm:").unwrap_or(word) {
                name if scripts.get(name).is_some() => self.package_script(dir, name)?,
                text if text.contains(' ') => self.shell(text, dir)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A script with those before and after it, and what they run.
    pub(super) fn package_script(&mut self, dir: &str, name: &str) -> Result<()> {
        let Some(place) = files::join(dir, "package.json") else { return Ok(()) };
        if !self.first_time(format!("{place}#{name}")) {
            return Ok(());
        }
        let Some(scripts) = self.scripts(dir)? else {
            // It is not there, or it cannot be read and counts as a whole.
            self.file(dir, "package.json", true)?;
            return Ok(());
        };
        if scripts.get(name).and_then(Value::as_text).is_none() {
            self.unresolved(&format!("{place} has no script '{name}'"));
        }
        for name in [format!("pre{name}"), name.to_owned(), format!("post{name}")] {
            if let Some(text) = scripts.get(&name).and_then(Value::as_text) {
                self.part(format!("{place}#scripts.{name}"), text.as_bytes());
                self.shell(text, dir)?;
            }
        }
        Ok(())
    }

    fn scripts(&mut self, dir: &str) -> Result<Option<Value>> {
        let Some(place) = files::join(dir, "package.json") else { return Ok(None) };
        let Some(bytes) = self.text(&place, false)? else { return Ok(None) };
        Ok(json::parse(&bytes).ok().map(|manifest| manifest.get("scripts").cloned().unwrap_or(Value::Null)))
    }
}
