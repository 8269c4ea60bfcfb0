//! The names of a check's tests: the digest of the list kept with it, and what it shows less of than the baseline's.

use crate::diagnostics::{Code, Result};
use crate::domain::{
    digest::Digest,
    ids::EvidenceId,
    json::{Fields, Value},
    test_list::{Less, MAX_NAME, Names},
};

/// What a record says of the list of tests kept with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedTests {
    /// Of the list, the artifact [`NamedTests::ARTIFACT`].
    pub sha256: Digest,
    /// What the list shows less of than the one of another check; `None` where it was compared with none.
    pub against: Option<(EvidenceId, Less)>,
}

impl NamedTests {
    /// What the artifact with the list is called.
    pub const ARTIFACT: &'static str = "tests.json";

    pub(super) fn to_value(&self) -> Value {
        let value = Value::object([("sha256", self.sha256.into())]);
        match &self.against {
            None => value,
            Some((id, less)) => value
                .with("against", id)
                .with_some("lost", names_value(&less.lost))
                .with_some("newly_skipped", names_value(&less.newly_skipped)),
        }
    }

    pub(super) fn from_value(value: Value) -> Result<NamedTests> {
        let code = Code::Rapid1206;
        let mut fields = Fields::of(value, code, "the tests of the payload")?;
        let sha256 = Digest::parse(&fields.text("sha256")?, code)?;
        let against = match fields.optional_text("against")? {
            None => None,
            Some(id) => {
                let id = EvidenceId::parse(&id)?;
                let mut names = |key| fields.optional(key).map(names).transpose().map(Option::unwrap_or_default);
                Some((id, Less { lost: names("lost")?, newly_skipped: names("newly_skipped")? }))
            }
        };
        fields.end()?;
        Ok(NamedTests { sha256, against })
    }
}

fn names_value(names: &Names) -> Option<Value> {
    (!names.is_empty()).then(|| Value::object([("count", names.count.into()), ("names", Value::list(&names.first))]))
}

fn names(value: Value) -> Result<Names> {
    let mut fields = Fields::of(value, Code::Rapid1206, "a list of test names")?;
    let count = fields.number("count", 1)? as u64;
    let first = fields.texts("names")?;
    let kept = usize::try_from(count).unwrap_or(usize::MAX).min(Names::KEPT);
    let good = first.len() == kept
        && first.is_sorted_by(|a, b| a < b)
        && first.iter().all(|name| name.len() <= MAX_NAME && !name.contains(char::is_control));
    if !good {
        return Err(fields.fault("'names' must hold the first names in order, each once"));
    }
    fields.end()?;
    Ok(Names { count, first })
}
