//! post-checkout: a word when the code that is checked out is not the code that the active run began at. Quiet otherwise.

use super::answer::Answer;
use crate::diagnostics::Result;
use crate::git::Oid;
use crate::verbs::rapid::Rapid;

/// Looks at a checkout of `new`; `is_branch` is git's third argument, "0" when single files were checked out.
pub fn post_checkout(rapid: &Rapid, new: &str, is_branch: &str) -> Result<Answer> {
    if is_branch != "1" {
        return Ok(Answer::quiet());
    }
    let Some(session) = rapid.session()? else { return Ok(Answer::quiet()) };
    if !session.works_in(rapid.repository().workdir()) {
        // The run works elsewhere; what is checked out here is not its code.
        return Ok(Answer::quiet());
    }
    let Some(start) = session.start_head.as_ref().and_then(|id| Oid::try_from(id).ok()) else {
        return Ok(Answer::quiet());
    };
    let (_, run) = rapid.run(None)?;
    if run.state()?.status.is_terminal() || rapid.repository().descends(Oid::from_hex(new)?, start)? {
        return Ok(Answer::quiet());
    }
    Ok(Answer::note(format!(
        "git-rapid: run {} began at {}, which this checkout does not contain; its checks will speak of other code (git rapid status)",
        session.active_run_id,
        start.short()
    )))
}
