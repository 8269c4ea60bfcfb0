//! The headings of a story, Spanish and English.

/// What a section of the second level is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Status,
    Epic,
    Description,
    Criteria,
    /// Lines say whether they block.
    Dependencies,
    /// The heading says it for all of its lines.
    Blockers,
    Log,
    Other,
}

const NAMES: &[(&str, Section)] = &[
    ("status", Section::Status),
    ("estado", Section::Status),
    ("epic", Section::Epic),
    ("epica", Section::Epic),
    ("descripcion", Section::Description),
    ("description", Section::Description),
    ("criterios de aceptacion", Section::Criteria),
    ("acceptance criteria", Section::Criteria),
    ("dependencias", Section::Dependencies),
    ("dependencies", Section::Dependencies),
    ("bloqueado por", Section::Blockers),
    ("bloqueada por", Section::Blockers),
    ("blocked by", Section::Blockers),
    ("activity log", Section::Log),
    ("registro de actividad", Section::Log),
];

/// What a line opens, if it is a heading of the second level. What stands behind the name does not matter, as long as the name ends.
pub(super) fn section(line: &str) -> Option<Section> {
    let name = line.trim_start_matches(' ').strip_prefix("## ")?;
    let name = folded(name.trim_start());
    let found = NAMES.iter().find(|(known, _)| {
        name.strip_prefix(known).is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
    });
    Some(found.map_or(Section::Other, |(_, section)| *section))
}

/// The text of a heading of the first level.
pub(super) fn title(line: &str) -> Option<&str> {
    line.trim_start_matches(' ').strip_prefix("# ").map(str::trim)
}

/// Lower case, without the accents that these languages put on vowels.
pub(super) fn folded(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'á' | 'à' => 'a',
            'é' | 'è' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' | 'ü' => 'u',
            other => other,
        })
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
        .collect()
}
