//! Whether a file is a former export, which a new one may replace without being told to.

use super::Format;
use base64ct::{Base64, Encoding};

/// How much of a file has to be looked at, in bytes.
const BEGINNING: usize = 64 * 1024;

/// The heads of a bundle of ours: HEAD, its branch, the ledger, its attachments. One with more is somebody's own.
const MOST_HEADS: usize = 4;

/// A Statement of ours: other tools make some too.
fn is_statement(text: &str) -> bool {
    text.starts_with("{\"_type\":\"https://in-toto.io/Statement/v1\"")
        && (text.contains("git-rapid") || text.contains("\"terms/policy.json\""))
}

/// The beginning of what an envelope holds.
fn payload(envelope: &str) -> Option<String> {
    let encoded = envelope.strip_prefix("{\"payload\":\"")?;
    let end = encoded.bytes().position(|byte| byte == b'"').unwrap_or(encoded.len());
    let whole = encoded.get(..end - end % 4)?;
    Base64::decode_vec(whole).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn is_head(line: &str) -> bool {
    let (id, name) = line.split_once(' ').unwrap_or_default();
    id.len() >= 40 && id.bytes().all(|byte| byte.is_ascii_hexdigit()) && (name == "HEAD" || name.starts_with("refs/"))
}

/// Whether these bytes begin as an export of this format does. Only how they begin is looked at: whoever wants to lose a file
/// can make it begin like this.
pub fn is_former_export(format: Format, bytes: &[u8]) -> bool {
    let beginning = bytes.get(..BEGINNING).unwrap_or(bytes);
    let text = String::from_utf8_lossy(beginning);
    match format {
        Format::Json => text.starts_with("{\n") && text.contains("\"export\": \"git-rapid "),
        Format::InToto => {
            is_statement(&text)
                || text.starts_with("{\"payload\":\"") && payload(&text).is_some_and(|text| is_statement(&text))
        }
        Format::Html => text.starts_with("<!DOCTYPE html>") && text.contains("name=\"generator\" content=\"git-rapid "),
        Format::Bundle => {
            (text.starts_with("# v2 git bundle\n") || text.starts_with("# v3 git bundle\n"))
                && text.contains(" refs/rapid/ledger\n")
                && text.lines().filter(|line| is_head(line)).count() <= MOST_HEADS
        }
    }
}
