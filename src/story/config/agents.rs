//! `[agents]` and `[providers]`: who plays which role, and what is said about a provider. How a provider is called lies in
//! `agent::provider`.

use super::Reader;
use crate::diagnostics::{Code, Result};
use crate::domain::config::Table;
use crate::story::status::Role;
use std::collections::BTreeMap;

/// Who plays the roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agents {
    /// The provider of every role that names none.
    pub provider: String,
    /// The model of every role that names none.
    pub model: Option<String>,
    /// What is said about a role.
    pub roles: BTreeMap<Role, AgentRole>,
}

/// What is said about a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentRole {
    /// Its provider.
    pub provider: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// The file with its instructions.
    pub instructions: Option<String>,
}

/// What is said about a provider; anything left out is as it is built in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderConfig {
    /// Its program.
    pub binary: Option<String>,
    /// Its arguments, with places for what is put in.
    pub args: Option<Vec<String>>,
    /// Where the instructions of a role lie; `{role}` is its name.
    pub instructions: Option<String>,
}

impl Default for Agents {
    fn default() -> Agents {
        Agents { provider: "pi".to_owned(), model: None, roles: BTreeMap::new() }
    }
}

impl Agents {
    /// The provider of a role, as it is configured.
    pub fn provider(&self, role: Role) -> &str {
        self.roles.get(&role).and_then(|role| role.provider.as_deref()).unwrap_or(&self.provider)
    }

    /// The model of a role.
    pub fn model(&self, role: Role) -> Option<&str> {
        self.roles.get(&role).and_then(|role| role.model.as_deref()).or(self.model.as_deref())
    }

    /// The instructions of a role, where the configuration names them.
    pub fn instructions(&self, role: Role) -> Option<&str> {
        self.roles.get(&role).and_then(|role| role.instructions.as_deref())
    }

    /// Every role is played by this provider (`--provider`); those that name their own keep it.
    pub fn played_by(&mut self, provider: &str) {
        provider.clone_into(&mut self.provider);
    }
}

/// Reads `[agents]`.
pub(super) fn agents(mut table: Table, reader: &mut Reader) -> Result<Agents> {
    let mut agents = Agents { model: table.text("model")?, ..Agents::default() };
    if let Some(provider) = table.text("provider")? {
        agents.provider = provider;
    }
    for role in Role::ALL {
        let mut inner = table.table(role.as_str())?;
        let skill = inner.text("skill")?;
        let read = AgentRole {
            provider: inner.text("provider")?,
            model: inner.text("model")?,
            instructions: inner.text("instructions")?.or(skill),
        };
        reader.end(inner)?;
        if read != AgentRole::default() {
            agents.roles.insert(*role, read);
        }
    }
    reader.end(table)?;
    Ok(agents)
}

/// Reads `[providers]`.
pub(super) fn providers(mut table: Table, reader: &mut Reader) -> Result<BTreeMap<String, ProviderConfig>> {
    let mut providers = BTreeMap::new();
    for name in table.keys() {
        let mut inner = table.table(&name)?;
        let has_args = inner.keys().iter().any(|key| key == "args");
        let args = inner.texts("args")?;
        let read = ProviderConfig {
            binary: inner.text("binary")?,
            args: has_args.then_some(args),
            instructions: inner.text("instructions")?,
        };
        reader.end(inner)?;
        if read.binary.as_ref().is_some_and(|binary| binary.trim().is_empty()) {
            return Err(Code::Rapid1600.because(format!("'providers.{name}.binary' in the configuration is empty")));
        }
        providers.insert(name, read);
    }
    reader.end(table)?;
    Ok(providers)
}
