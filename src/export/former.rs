//! Whether a file is a former export, which a new one may replace without being told to.

use super::Format;

/// How much of a file has to be looked at, in bytes.
const BEGINNING: usize = 4096;

/// Whether these bytes begin as an export of this format does. Only how they begin is looked at: whoever wants to lose a file
/// can make it begin like this.
pub fn is_former_export(format: Format, bytes: &[u8]) -> bool {
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    let text = String::from_utf8_lossy(beginning);
    match format {
        Format::Json => text.starts_with("{\n") && text.contains("\"export\": \"git-rapid "),
        Format::InToto => {
            text.starts_with("{\"_type\":\"https://in-toto.io/Statement/v1\"")
                || text.starts_with("{\"payload\":\"") && text.len() > 100
        }
        Format::Html => text.starts_with("<!DOCTYPE html>") && text.contains("name=\"generator\" content=\"git-rapid "),
        Format::Bundle => {
            (text.starts_with("# v2 git bundle\n") || text.starts_with("# v3 git bundle\n"))
                && text.contains(" refs/rapid/ledger\n")
        }
    }
}
