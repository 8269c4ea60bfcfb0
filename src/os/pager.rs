//! The program in which a person reads what is long: started with a pipe, waited for when all is said.
//!
//! Not here: which program that is (`git` asks git), and when one is wanted (`cli`).

use super::{environment::Environment, signals};
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

/// What git sets where nobody did: `less` leaves when all fits on the screen, keeps colours, and does not clear it.
const UNLESS_SET: &[(&str, &str)] = &[("LESS", "FRX"), ("LV", "-c")];

/// A pager at work.
pub struct Pager {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
}

impl Pager {
    /// Starts one; `None` where it is `cat`, or not there, so that what is said goes to the terminal itself.
    pub fn start(command: &str, environment: &Environment) -> Option<Pager> {
        let first = command.split_whitespace().next().filter(|word| *word != "cat")?;
        let is_plain = first.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+'));
        if is_plain && environment.find_program(first).is_none() {
            return None;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped());
        for (name, value) in UNLESS_SET.iter().filter(|(name, _)| environment.text(name).is_none()) {
            shell.env(name, value);
        }
        let mut child = shell.spawn().ok()?;
        // An interrupt is the pager's from here on: who dies of it leaves a pager that nobody waits for.
        let _ = signals::watch();
        let input = child.stdin.take().map(BufWriter::new);
        Some(Pager { child, input })
    }

    /// Closes its input and waits until the person has read enough.
    pub fn end(mut self) -> Result<()> {
        let flushed = self.flush();
        self.input = None;
        self.child.wait()?;
        flushed
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.input.as_mut().ok_or_else(|| Error::from(ErrorKind::BrokenPipe))?.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.input.as_mut().map_or(Ok(()), Write::flush)
    }
}
