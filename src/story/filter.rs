//! Which stories a run is about: all, one, those of an epic, those of a range of epics.

use super::id::StoryId;

/// A selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Every story.
    #[default]
    All,
    /// One.
    Story(String),
    /// Those of one epic.
    Epic(String),
    /// Those whose epic's number is in one of these ranges, both ends included.
    Epics(Vec<(u64, u64)>),
}

impl Filter {
    /// Reads a range of epics: `EPIC-001..EPIC-003`, `1-3`, `2`, or several of them with commas. `None` when it is none.
    pub fn epics(text: &str) -> Option<Filter> {
        let ranges = text.split(',').map(|part| range(part.trim())).collect::<Option<Vec<_>>>()?;
        Some(Filter::Epics(ranges))
    }

    /// Whether a story belongs to it.
    pub fn takes(&self, id: &StoryId, epic: Option<&str>) -> bool {
        match self {
            Filter::All => true,
            Filter::Story(wanted) => wanted.eq_ignore_ascii_case(id.as_str()),
            Filter::Epic(wanted) => epic.is_some_and(|epic| {
                epic.eq_ignore_ascii_case(wanted) || number(wanted).is_some_and(|wanted| number(epic) == Some(wanted))
            }),
            Filter::Epics(ranges) => {
                let number = epic.and_then(number);
                number.is_some_and(|number| ranges.iter().any(|(low, high)| (low..=high).contains(&&number)))
            }
        }
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    if let Some(one) = number(text) {
        return Some((one, one));
    }
    let (low, high) = text.split_once("..").or_else(|| {
        // The hyphen of `EPIC-1` is not the one between two numbers.
        text.rmatch_indices('-').map(|(at, _)| text.split_at(at)).find_map(|(low, high)| {
            let high = high.strip_prefix('-')?;
            (number(low).is_some() && number(high).is_some()).then_some((low, high))
        })
    })?;
    let (low, high) = (number(low.trim())?, number(high.trim().trim_start_matches('='))?);
    (low <= high).then_some((low, high))
}

/// The number of `EPIC-007` or of `7`.
fn number(text: &str) -> Option<u64> {
    let upper = text.to_ascii_uppercase();
    let digits = upper.strip_prefix("EPIC-").unwrap_or(&upper);
    let good = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if good { digits.parse().ok() } else { None }
}
