//! One call of an agent: its program in a group of its own with a deadline, its output drained to a cap and kept without
//! secrets, and nothing of it left running.
//!
//! Not here: what it is asked (`story::prompt`), and what its work is worth (`story`).

use super::provider::{Call, Prompt, Provider};
use crate::check::capture::Capture;
use crate::check::redact::Redactor;
use crate::diagnostics::{Code, Result};
use crate::os::clock::Stopwatch;
use crate::os::environment::Environment;
use crate::os::files;
use crate::os::process::{self, Ended, Invocation};
use crate::story::Exit;
use std::path::Path;
use std::time::Duration;

/// The variable that marks an agent and everything that it starts; its value is the turn.
pub const MARK: &str = "RAPID_STORY_TURN";

/// The variable that makes git write into its logs who moved a branch.
pub const REFLOG_ACTION: &str = "GIT_REFLOG_ACTION";

/// How much of an output is kept, in bytes.
const CAP: usize = 256 * 1024;
/// How much of its end a judge and the next agent see, in bytes.
const END: usize = 16 * 1024;
/// How long what an agent left behind may take to end itself.
const GRACE: Duration = Duration::from_secs(2);

/// What is asked of an agent.
pub struct Ask<'a> {
    /// Who.
    pub provider: &'a Provider,
    /// The model, if one is asked for.
    pub model: Option<&'a str>,
    /// The file with the role's instructions.
    pub instructions: Option<&'a str>,
    /// What it is told.
    pub prompt: &'a str,
    /// A place for a file with the prompt, where the provider takes it so.
    pub prompt_file: &'a Path,
    /// Where it works, with which variables.
    pub environment: &'a Environment,
    /// How long it may take.
    pub deadline: Duration,
    /// What takes secrets out of what is kept.
    pub redactor: &'a Redactor,
    /// The mark of the turn.
    pub mark: &'a str,
}

/// What became of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How its program ended.
    pub exit: Exit,
    /// The end of its output, without secrets.
    pub output: String,
    /// What is kept of its output, without secrets.
    pub transcript: Vec<u8>,
    /// How many bytes it printed.
    pub printed: u64,
    /// How many secrets were taken out.
    pub redactions: u64,
    /// How many processes it had left behind, which were ended.
    pub left_behind: usize,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// Asks an agent and waits for it; `live` is given its output as it comes.
///
/// # Errors
/// Only what is ours: a program that cannot be started is an answer.
pub fn ask(ask: &Ask<'_>, live: &mut dyn FnMut(&[u8])) -> Result<Answer> {
    let way = ask.provider.prompt();
    let prompt_file = ask.prompt_file.display().to_string();
    if way == Prompt::File {
        files::write_atomically(ask.prompt_file, ask.prompt.as_bytes())?;
    }
    let directory = ask.environment.cwd().display().to_string();
    let call = Call {
        prompt: ask.prompt,
        prompt_file: &prompt_file,
        instructions: ask.instructions,
        model: ask.model,
        directory: &directory,
    };
    let environment = ask.environment.without_git().with(MARK, ask.mark).with(REFLOG_ACTION, reflog_action(ask.mark));
    let mut invocation = Invocation::new(ask.provider.binary.as_str(), environment)
        .arguments(ask.provider.args(&call))
        .deadline(ask.deadline);
    if way == Prompt::Stdin {
        invocation = invocation.input(ask.prompt);
    }
    let mut kept = Capture::new(CAP);
    let watch = Stopwatch::start();
    let finished = process::run(&invocation, &mut |piece| {
        kept.push(piece);
        live(piece);
    });
    // Its group is gone where we ended it; what left the group, or was left in the background, goes now.
    let left_behind = process::end_marked(MARK, ask.mark, GRACE);
    if way == Prompt::File {
        files::remove(ask.prompt_file)?;
    }
    let duration_ms = watch.elapsed_ms();
    let exit = match finished {
        Ok(finished) => match finished.ended {
            Ended::Interrupted(_) => Exit::Ended,
            Ended::TimedOut => Exit::TimedOut,
            ended => Exit::Code(ended.exit_code()),
        },
        Err(error) if error.code == Code::Rapid004 => Exit::Ended,
        Err(error) if error.code == Code::Rapid1307 => Exit::NotStarted(error.message),
        Err(error) => return Err(error),
    };
    let kept = kept.finish();
    let redacted = kept.redacted(ask.redactor);
    Ok(Answer {
        exit,
        output: end_of(&redacted.bytes),
        transcript: redacted.bytes,
        printed: kept.size,
        redactions: u64::try_from(redacted.count).unwrap_or(u64::MAX),
        left_behind,
        duration_ms,
    })
}

/// What git's logs say of a branch that a turn's processes moved.
pub fn reflog_action(mark: &str) -> String {
    format!("rapid turn {mark}")
}

/// Ends whatever still runs of a turn: how many there were.
pub fn end(mark: &str) -> usize {
    process::end_marked(MARK, mark, GRACE)
}

/// The end of an output as text, whatever bytes it has.
fn end_of(bytes: &[u8]) -> String {
    let from = bytes.len().saturating_sub(END);
    let end = bytes.get(from..).unwrap_or_default();
    // A letter that the cut goes through is left out, not mended.
    let skip = end.iter().take(3).take_while(|byte| from > 0 && **byte & 0xC0 == 0x80).count();
    String::from_utf8_lossy(end.get(skip..).unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_begins_with_a_whole_letter() {
        let text = "ñ".repeat(END);
        let mut bytes = text.clone().into_bytes();
        bytes.push(b'x');
        let end = end_of(&bytes);
        assert!(end.starts_with('ñ') && end.ends_with("ñx") && end.len() == END - 1 + 1 - 1, "{}", end.len());
        assert_eq!(end_of(&[0xB1, b'a']), "\u{fffd}a", "nothing was cut");
    }
}
