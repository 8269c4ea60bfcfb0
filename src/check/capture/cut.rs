//! Where to cut: at the end of a line if one is near, else between characters.
//!
//! Not here: how much to keep. A cut never lengthens what is kept.

/// How far a cut is moved to meet the end of a line, in bytes.
const NEAR: usize = 4 * 1024;

/// Where a beginning of at most `most` bytes ends.
pub(super) fn end_of_head(bytes: &[u8], most: usize) -> usize {
    let most = most.min(bytes.len());
    let near = bytes.get(most.saturating_sub(NEAR)..most).unwrap_or_default();
    match near.iter().rposition(|byte| *byte == b'\n') {
        Some(last) => most - near.len() + last + 1,
        None => (0..=most).rev().take(4).find(|at| is_boundary(bytes, *at)).unwrap_or(most),
    }
}

/// Where an end that begins at `least` or later begins.
pub(super) fn start_of_tail(bytes: &[u8], least: usize) -> usize {
    let near = bytes.get(least..(least + NEAR).min(bytes.len())).unwrap_or_default();
    match near.iter().position(|byte| *byte == b'\n') {
        // When the only end of a line is that of the output, an unclean cut is better than nothing.
        Some(first) if least + first + 1 < bytes.len() => least + first + 1,
        _ => (least..=bytes.len()).take(4).find(|at| is_boundary(bytes, *at)).unwrap_or(least),
    }
}

/// Whether no character goes on here.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0b1100_0000 != 0b1000_0000)
}
