//! The terminal: which of our streams is one, how wide it is, and a question to the person who sits there.
//!
//! Not here: colours, tables and progress (`cli/`), and what an answer decides (`approval/`). A terminal proves no
//! person: one command line fakes it. It only says where to ask.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::os::{environment::Environment, signals};

#[cfg(test)]
mod tests;

/// The terminal of this process, whatever its streams are.
const CONTROLLING: &str = "/dev/tty";
/// The longest answer, in bytes; a typed sentence is far shorter.
const LONGEST: usize = 1024;
/// How often an interruption is looked for while somebody thinks.
const TICK: Duration = Duration::from_millis(50);

/// One of the three streams of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard input.
    In,
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// Whether this stream is a terminal.
pub fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::In => std::io::stdin().is_terminal(),
        Stream::Out => std::io::stdout().is_terminal(),
        Stream::Err => std::io::stderr().is_terminal(),
    }
}

/// Whether what is written to this stream goes to another program.
pub fn is_pipe(stream: Stream) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let piped = |fd: &dyn AsFd| {
        let file = fd.as_fd().try_clone_to_owned().map(File::from).and_then(|file| file.metadata());
        file.is_ok_and(|data| data.file_type().is_fifo() || data.file_type().is_socket())
    };
    match stream {
        Stream::In => piped(&std::io::stdin()),
        Stream::Out => piped(&std::io::stdout()),
        Stream::Err => piped(&std::io::stderr()),
    }
}

/// Columns of the terminal that this stream is; none when it is none or doesn't tell.
pub fn width(stream: Stream) -> Option<usize> {
    match stream {
        Stream::In => columns(std::io::stdin()),
        Stream::Out => columns(std::io::stdout()),
        Stream::Err => columns(std::io::stderr()),
    }
}

/// Whether the locale says that people read UTF-8 here.
pub fn takes_utf8(environment: &Environment) -> bool {
    let set = |name: &&str| environment.text(name).is_some_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set).and_then(|name| environment.text(name));
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    locale.ends_with("utf-8") || locale.ends_with("utf8")
}

/// The name of the terminal that one of our streams is, for programs that ask at it by themselves.
pub fn name() -> Option<std::ffi::OsString> {
    use std::os::unix::ffi::OsStringExt;
    let name = |stream: &dyn AsFd| rustix::termios::ttyname(stream.as_fd(), Vec::new()).ok();
    let found = name(&std::io::stdin()).or_else(|| name(&std::io::stderr()))?;
    Some(std::ffi::OsString::from_vec(found.into_bytes()))
}

/// How much a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Lines.
    pub rows: usize,
    /// Characters in one.
    pub columns: usize,
}

/// How much the terminal that standard output is shows; none when it is none or doesn't tell.
pub fn size() -> Option<Size> {
    let told = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    let size = Size { rows: usize::from(told.ws_row), columns: usize::from(told.ws_col) };
    (size.rows > 0 && size.columns > 0).then_some(size)
}

fn columns(stream: impl AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then(|| usize::from(size.ws_col))
}

/// Whether this process has a terminal to ask at.
pub fn is_there() -> bool {
    open(Path::new(CONTROLLING)).is_some()
}

/// Shows `prompt`, which must be safe to show, at the terminal of this process and reads one line, without its end.
/// None when there is no terminal, or when the input ends before the line does. Standard input and output are not
/// touched: a pipe can't answer.
///
/// # Errors
/// `RAPID002` when the terminal fails, `RAPID1525` when the line is longer than 1024 bytes, `RAPID004` when this process
/// is asked to end meanwhile (after `signals::watch`; before it, the signal ends the process).
pub fn ask(prompt: &str) -> Result<Option<String>> {
    match open(Path::new(CONTROLLING)) {
        Some(terminal) => ask_at(terminal, prompt),
        None => Ok(None),
    }
}

fn open(path: &Path) -> Option<File> {
    OpenOptions::new().read(true).write(true).open(path).ok().filter(IsTerminal::is_terminal)
}

fn ask_at(mut terminal: File, prompt: &str) -> Result<Option<String>> {
    terminal.write_all(prompt.as_bytes()).and_then(|()| terminal.flush()).map_err(failed)?;
    // The read is another thread's, since a signal doesn't end it; on an interruption it stays behind, and ends with us.
    let (sender, answers) = channel();
    let reader = move || drop(sender.send(read_line(terminal)));
    std::thread::Builder::new().name("answer".into()).spawn(reader).map_err(failed)?;
    loop {
        match answers.recv_timeout(TICK) {
            Ok(answer) => return answer,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                if let Some(signal) = signals::interrupted() {
                    return Err(Code::Rapid004.because(format!("interrupted by signal {signal} while asking")));
                }
            }
        }
    }
}

/// Reads up to the end of a line, byte by byte: what follows belongs to the next question.
fn read_line(mut input: impl Read) -> Result<Option<String>> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) if byte == *b"\n" => break,
            Ok(_) if line.len() <= LONGEST => line.extend_from_slice(&byte),
            // Read on to the end of the line, or the rest would answer the next question.
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // What a terminal says after its other end has gone.
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
    }
    if line.len() > LONGEST {
        return Err(Code::Rapid1525.because(format!("the answer is longer than {LONGEST} bytes")));
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Some(line.strip_suffix('\r').unwrap_or(&line).to_owned()))
}

fn failed(error: std::io::Error) -> Diagnostic {
    Code::Rapid002.because(format!("cannot ask at the terminal: {error}")).at(CONTROLLING)
}
