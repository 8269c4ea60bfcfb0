//! SRFI 64 (Scheme): `%%%% Starting test …` and the list of `# of expected passes` at its end.
//!
//! It exits with 0 even when tests fail. Not here: DejaGnu, whose list is the same.

use super::Lines;
use super::dejagnu::list;
use crate::check::summary::Runner;
use crate::check::summary::finding::Findings;
use crate::check::summary::settle::Framed;

/// Finds SRFI 64's sessions.
pub(super) fn scan(lines: &Lines<'_>, findings: &mut Findings) {
    let mut open: Option<Framed> = None;
    let mut in_list = false;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("%%%% Starting test ") {
            close(open.replace(Framed::open(Runner::Srfi64, at)), findings);
        } else if line.starts_with("# of ")
            && !in_list
            && let Some(framed) = &mut open
        {
            let (last, counts) = list(lines, at);
            framed.sole_trailer(last, counts, true);
        }
        in_list = line.starts_with("# of ");
    }
    close(open, findings);
}

fn close(open: Option<Framed>, findings: &mut Findings) {
    if let Some(framed) = open {
        findings.session(framed.close());
    }
}
