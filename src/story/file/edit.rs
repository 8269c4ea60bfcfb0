//! Writing into a story by byte range: everything outside the state's word and the new log line stays as it was.

use super::StoryFile;
use crate::story::status::Status;

/// The text with another state; `None` when the text has no state that could be replaced.
pub fn set_status(bytes: &[u8], file: &StoryFile, status: Status) -> Option<Vec<u8>> {
    let range = &file.status.as_ref()?.range;
    let mut out = bytes.get(..range.start)?.to_vec();
    out.extend_from_slice(status.as_str().as_bytes());
    out.extend_from_slice(bytes.get(range.end..)?);
    Some(out)
}

/// The text with one more line at the end of its activity log; a story without a log gets one at its end.
pub fn append_log(bytes: &[u8], file: &StoryFile, entry: &str) -> Vec<u8> {
    let end = if has_crlf(bytes) { "\r\n" } else { "\n" };
    let entry = entry.split(['\r', '\n']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let (at, lead) = match &file.log {
        Some(log) => (log.end.min(bytes.len()), String::new()),
        None => {
            let gap = if bytes.is_empty() || ends_blank(bytes) { "" } else { end };
            (bytes.len(), format!("{gap}## Activity Log{end}"))
        }
    };
    let (before, after) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
    let mut out = before.to_vec();
    // A file that ends without a line end goes on ending so.
    if before.is_empty() || before.ends_with(b"\n") || before == b"\xef\xbb\xbf" {
        out.extend_from_slice(format!("{lead}{entry}{end}").as_bytes());
    } else {
        out.extend_from_slice(format!("{end}{lead}{entry}").as_bytes());
    }
    out.extend_from_slice(after);
    out
}

fn has_crlf(bytes: &[u8]) -> bool {
    bytes.iter().position(|byte| *byte == b'\n').is_some_and(|at| at > 0 && bytes.get(at - 1) == Some(&b'\r'))
}

fn ends_blank(bytes: &[u8]) -> bool {
    bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")
}
