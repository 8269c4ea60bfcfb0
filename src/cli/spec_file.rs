//! A spec as a file: JSON or Markdown, told apart by content.

use super::args;
use crate::diagnostics::{Code, Result};
use crate::domain::{
    json::{self, Value},
    mode::Mode,
    spec::{self, SpecDraft},
};
use crate::os::environment::Environment;

/// The largest spec file that is read, in bytes.
const CAP: u64 = 1 << 20;

/// Reads a spec file; `-` is standard input. The mode may come from the file, from the command, or from both when they
/// agree (RAPID1303).
pub fn read(file: &str, environment: &Environment, mode: Option<Mode>) -> Result<SpecDraft> {
    let draft = parse(&args::read_input(file, environment, CAP)?, mode);
    draft.map_err(|error| if file == "-" { error } else { error.at(file) })
}

fn parse(bytes: &[u8], mode: Option<Mode>) -> Result<SpecDraft> {
    let text = std::str::from_utf8(bytes).map_err(|_| Code::Rapid1303.because("the spec file is not UTF-8"))?;
    if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        let value: Value = json::parse_text(text)
            .map_err(|fault| Code::Rapid1303.because(format!("the spec file is not JSON: {fault}")))?;
        return SpecDraft::from_authoring(value, mode);
    }
    spec::from_markdown(text, mode)
}
