//! The ids of the records, each valid by construction. Grammars: the specification's §1.1; derivations: §1.2.
//!
//! Not here: ids of git objects (`git_id`) and free texts (`text`).

use super::{capability::Capability, json::Value};
use crate::diagnostics::{Code, Result};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $code:ident, $what:literal, $valid:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Reads it, refusing what its grammar does not allow.
            pub fn parse(text: &str) -> Result<Self> {
                let valid: fn(&str) -> bool = $valid;
                match valid(text) {
                    true => Ok(Self(text.to_owned())),
                    false => Err(Code::$code.because(format!(concat!("'{}' is not ", $what), text.escape_debug()))),
                }
            }

            /// The text.
            pub fn as_str(&self) -> &str { &self.0 }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.0) }
        }

        impl From<&$name> for Value {
            fn from(id: &$name) -> Value { Value::Text(id.0.clone()) }
        }
    )*};
}

ids! {
    /// `[a-z0-9][a-z0-9-]{0,62}`.
    SpecId, Rapid806, "a spec id (lower-case letters, digits and '-', at most 63)", slug;
    /// `[a-z0-9][a-z0-9-]{0,62}`.
    RunId, Rapid1001, "a run id (lower-case letters, digits and '-', at most 63)", slug;
    /// `[a-z0-9][a-z0-9-]{0,62}`.
    HarnessId, Rapid1104, "a harness id (lower-case letters, digits and '-', at most 63)", slug;
    /// `gate.` and a slug.
    GateId, Rapid1013, "a gate id (like 'gate.tests')", |text| text.strip_prefix("gate.").is_some_and(slug);
    /// `T001`, `T002` … `T1000`.
    TaskId, Rapid1010, "a task id (like 'T001')", |text| numbered(text, 'T');
    /// `E001`, `E002` … `E1000`.
    EvidenceId, Rapid1201, "an evidence id (like 'E001')", |text| numbered(text, 'E');
    /// `[A-Za-z0-9][A-Za-z0-9._-]{0,127}`.
    AssertionId, Rapid1221, "an assertion id", |text| {
        text.len() <= 128
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    };
}

fn slug(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && !text.starts_with('-')
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn numbered(text: &str, letter: char) -> bool {
    ordinal_of(text, letter).is_some_and(|number| text == format!("{letter}{number:03}"))
}

fn ordinal_of(text: &str, letter: char) -> Option<u32> {
    let digits = text.strip_prefix(letter).filter(|d| d.len() >= 3 && d.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok().filter(|number| *number > 0)
}

impl TaskId {
    /// The id of the task with this ordinal (1, 2, 3 …).
    pub fn of(ordinal: u32) -> TaskId {
        TaskId(format!("T{ordinal:03}"))
    }

    /// Its ordinal.
    pub fn ordinal(&self) -> u32 {
        ordinal_of(&self.0, 'T').unwrap_or(0)
    }
}

impl EvidenceId {
    /// The id of the record with this ordinal (1, 2, 3 …).
    pub fn of(ordinal: u32) -> EvidenceId {
        EvidenceId(format!("E{ordinal:03}"))
    }

    /// Its ordinal.
    pub fn ordinal(&self) -> u32 {
        ordinal_of(&self.0, 'E').unwrap_or(0)
    }
}

/// Assertions have the ids of §5.2; each part is an id already, so that the whole is one.
impl AssertionId {
    /// On the run's life cycle.
    pub fn lifecycle() -> AssertionId {
        AssertionId("run.lifecycle".to_owned())
    }

    /// On what shows that a task is done.
    pub fn task(id: &TaskId) -> AssertionId {
        AssertionId(format!("task.{id}.evidence"))
    }

    /// On the failure that a task repairs.
    pub fn reproduction(id: &TaskId) -> AssertionId {
        AssertionId(format!("reproduction.{id}"))
    }

    /// On what meets a gate.
    pub fn gate(id: &GateId) -> AssertionId {
        AssertionId(format!("gate.{id}.evidence"))
    }

    /// On the tests that were there before (ruleset 4).
    pub fn tests_kept() -> AssertionId {
        AssertionId("tests.kept".to_owned())
    }

    /// On a capability that was seen at work.
    pub fn capability(capability: Capability) -> AssertionId {
        AssertionId(format!("capability.{capability}.observed"))
    }
}

impl SpecId {
    /// Derives an id from a title. Accents are folded first, so that `Corrección` gives `correccion`; an id is never derived
    /// from its title again, so this may be kinder than §1.2.
    pub fn from_title(title: &str) -> Result<SpecId> {
        let mut id = String::new();
        for c in title.trim().to_lowercase().chars().flat_map(fold) {
            match c {
                'a'..='z' | '0'..='9' => id.push(c),
                _ if id.is_empty() || id.ends_with('-') => {}
                _ => id.push('-'),
            }
        }
        id.truncate(63);
        SpecId::parse(id.trim_matches('-')).map_err(|_| {
            Code::Rapid806
                .because(format!("no spec id can be made of the title '{}'", title.escape_debug()))
                .hint("give one: git rapid start … --spec-id ID, or git rapid spec create … --id ID")
        })
    }
}

/// The base letters of a Latin letter with marks; every other character as it is.
fn fold(c: char) -> impl Iterator<Item = char> {
    let folded: &str = match c {
        'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ä' | 'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'ł' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' => "o",
        'ö' | 'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' => "s",
        'ß' => "ss",
        'ť' => "t",
        'ù' | 'ú' | 'û' | 'ū' | 'ů' => "u",
        'ü' => "ue",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => "",
    };
    let kept = folded.is_empty().then_some(c);
    kept.into_iter().chain(folded.chars())
}

impl RunId {
    /// `<spec-id>-r<revision>-run-<NNN>`, the spec part cut so that 63 characters hold it all (§1.2).
    pub fn derive(spec: &SpecId, revision: u32, ordinal: u32) -> Result<RunId> {
        let tail = format!("-r{revision}-run-{ordinal:03}");
        let room = 63usize.saturating_sub(tail.len());
        let head = spec.as_str().get(..room).unwrap_or(spec.as_str()).trim_end_matches('-');
        RunId::parse(&format!("{}{tail}", if head.is_empty() { "spec" } else { head }))
    }
}

#[cfg(test)]
mod tests;
