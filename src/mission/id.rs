//! The names of missions, work packages and children, each valid by construction.

use crate::diagnostics::{Code, Result};
use crate::domain::ids::SpecId;
use crate::domain::json::Value;
use std::fmt;

/// The longest name of a mission: the names of its runs hold it with the package and the attempt, in 63 characters.
const MOST: usize = 32;
/// The most digits of a work package's number.
const DIGITS: usize = 6;

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&$name> for Value {
            fn from(id: &$name) -> Value {
                Value::Text(id.0.clone())
            }
        }
    };
}

name! {
    /// A mission: `[a-z0-9][a-z0-9-]{0,31}`.
    MissionId
}
name! {
    /// A work package: `WP-001`.
    PackageId
}
name! {
    /// A child: `<mission>-wp-001-a1-maker`, or `<mission>-final-a1-checker`; a later one of the same attempt has a number.
    ChildId
}

impl MissionId {
    /// Reads one (RAPID1901).
    pub fn parse(text: &str) -> Result<MissionId> {
        match text.len() <= MOST && SpecId::parse(text).is_ok() {
            true => Ok(MissionId(text.to_owned())),
            false => Err(Code::Rapid1901.because(format!(
                "'{}' is not a mission's id (lower-case letters, digits and '-', at most {MOST})",
                text.escape_debug()
            ))),
        }
    }

    /// One made of what the mission is for.
    pub fn of_objective(objective: &str) -> Result<MissionId> {
        let slug = SpecId::from_title(objective).map_err(|_| {
            Code::Rapid1901.because("no id can be made of the mission's objective").hint("give one with --id")
        })?;
        let cut: String = slug.as_str().chars().take(MOST).collect();
        MissionId::parse(cut.trim_end_matches('-'))
    }
}

impl PackageId {
    /// Reads one; `None` for anything that is not `WP-` and digits.
    pub fn parse(text: &str) -> Option<PackageId> {
        let digits = text.strip_prefix("WP-")?;
        let good = (3..=DIGITS).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        good.then(|| PackageId(text.to_owned()))
    }

    /// As it stands in the names of runs and branches.
    pub fn slug(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl ChildId {
    /// Reads one; it is a slug (RAPID1901).
    pub fn parse(text: &str) -> Result<ChildId> {
        let good = !text.is_empty()
            && text.len() <= 96
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        match good {
            true => Ok(ChildId(text.to_owned())),
            false => Err(Code::Rapid1901.because(format!("'{}' is not a child's id", text.escape_debug()))),
        }
    }
}
