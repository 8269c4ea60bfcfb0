//! Starting a program: the group, the pipes, the threads that listen, and what to say when it can't be started.
//!
//! Not here: what happens afterwards (`supervise`). Three kinds of thread turn waiting for several things into waiting
//! for one channel: a reader per pipe, a feeder of standard input, and one that waits for the exit *without collecting
//! it*, so that the process's number stays taken until we have sent our last signal to its group.

use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::ending::Target;
use super::invocation::Invocation;
use crate::diagnostics::{Code, Diagnostic, Result};

/// What a pipe holds at most by default, and the largest piece we hand on.
pub(super) const CHUNK: usize = 64 * 1024;
/// Pieces in flight: enough to keep a quick writer busy, small enough that a slow sink holds the writer back.
pub(super) const IN_FLIGHT: usize = 16;

/// Which pipe a piece of output came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output, or both merged.
    Out,
    /// Standard error.
    Err,
}

/// What the listening threads tell.
#[derive(Debug)]
pub(super) enum Event {
    /// Output.
    Chunk(Stream, Vec<u8>),
    /// Nobody has this pipe open for writing any more.
    Closed,
    /// The program was stopped by this signal.
    Stopped(i32),
    /// The program has ended and can be waited for.
    Exited,
}

/// A started program.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Child,
    pub(super) target: Target,
    pub(super) events: Receiver<Event>,
    /// Pipes that are not closed yet.
    pub(super) open: usize,
}

/// Starts a program with standard output and error in one pipe and what it is given to read.
pub(super) fn merged(invocation: &Invocation) -> Result<Running> {
    let mut command = command(invocation);
    let (reader, writer) = std::io::pipe().map_err(|error| no_pipe(invocation, &error))?;
    let second = writer.try_clone().map_err(|error| no_pipe(invocation, &error))?;
    command.stdin(if invocation.input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(writer).stderr(second);
    let child = command.spawn().map_err(|error| not_started(invocation, &error))?;
    // The command holds our copies of the pipe's writing end; kept, we would wait for ourselves.
    drop(command);
    listen(invocation, child, vec![(Stream::Out, Box::new(reader))], invocation.input.clone())
}

/// Starts a program with two pipes and, if there is `input`, a third to feed it.
pub(super) fn apart(invocation: &Invocation, input: Option<Vec<u8>>) -> Result<Running> {
    let mut command = command(invocation);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(invocation, &error))?;
    let mut pipes: Vec<(Stream, Box<dyn Read + Send>)> = Vec::new();
    pipes.extend(child.stdout.take().map(|pipe| (Stream::Out, Box::new(pipe) as _)));
    pipes.extend(child.stderr.take().map(|pipe| (Stream::Err, Box::new(pipe) as _)));
    listen(invocation, child, pipes, input)
}

pub(super) fn command(invocation: &Invocation) -> Command {
    let mut command = Command::new(&invocation.program);
    command.args(&invocation.arguments).env_clear().envs(invocation.environment.iter());
    command.current_dir(invocation.environment.cwd());
    if invocation.own_group {
        command.process_group(0);
    }
    command
}

fn listen(
    invocation: &Invocation,
    mut child: Child,
    pipes: Vec<(Stream, Box<dyn Read + Send>)>,
    input: Option<Vec<u8>>,
) -> Result<Running> {
    let (sender, events) = sync_channel(IN_FLIGHT);
    let open = pipes.len();
    let Some(leader) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return Err(Code::Rapid003.because("the system gave a process a number that is none"));
    };
    let target = Target { leader, group: invocation.own_group };
    let stdin = child.stdin.take();
    let started = (|| {
        for (stream, pipe) in pipes {
            let sender = sender.clone();
            thread("output", move || read_all(stream, pipe, &sender))?;
        }
        if let (Some(mut pipe), Some(input)) = (stdin, input) {
            // A program that doesn't read its input to the end says with its status whether that is a failure.
            thread("input", move || drop(pipe.write_all(&input)))?;
        }
        thread("exit", move || await_exit(leader, &sender))
    })();
    if let Err(error) = started {
        target.kill();
        let _ = child.wait();
        return Err(not_started(invocation, &error));
    }
    Ok(Running { child, target, events, open })
}

fn thread(name: &str, body: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).map(drop)
}

/// Reads a pipe until nobody writes to it any more, or nobody listens to us.
fn read_all(stream: Stream, mut pipe: Box<dyn Read + Send>, events: &SyncSender<Event>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match pipe.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => {
                let chunk = buffer.get(..length).unwrap_or_default().to_vec();
                if events.send(Event::Chunk(stream, chunk)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    let _ = events.send(Event::Closed);
}

/// Tells when the program stops or exits, and leaves the exit for its `Child` to collect.
fn await_exit(leader: Pid, events: &SyncSender<Event>) {
    let peek = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(leader), peek) {
            Ok(Some(status)) if status.stopped() => {
                // Collected, or the next look would tell of the same stop.
                let _ = waitid(WaitId::Pid(leader), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
                let signal = status.stopping_signal().unwrap_or(0);
                if events.send(Event::Stopped(signal)).is_err() {
                    return;
                }
            }
            Err(rustix::io::Errno::INTR) => {}
            // It exited; or somebody else collected it, which is an exit as well.
            Ok(_) | Err(_) => break,
        }
    }
    let _ = events.send(Event::Exited);
}

fn no_pipe(invocation: &Invocation, error: &std::io::Error) -> Diagnostic {
    Code::Rapid1307.because(format!("cannot make a pipe for '{}': {error}", shown(&invocation.program)))
}

/// Says why a program could not be started; the system's own answer names neither the file nor the reason.
pub(super) fn not_started(invocation: &Invocation, error: &std::io::Error) -> Diagnostic {
    let program = shown(&invocation.program);
    let cwd = invocation.environment.cwd();
    let because = |why: String| Code::Rapid1307.because(format!("cannot start '{program}': {why}"));
    if !cwd.is_dir() {
        return because(format!("there is no directory '{}' to run it in", cwd.display()));
    }
    let found = find(invocation);
    match (error.kind(), found) {
        (ErrorKind::NotFound, None) if invocation.program.as_encoded_bytes().contains(&b'/') => {
            because("there is no such file".into()).hint(format!("paths are looked up from {}", cwd.display()))
        }
        (ErrorKind::NotFound, None) => because("there is no such program on PATH".into())
            .hint(format!("install '{program}', or name it by its path"))
            .hint("a shell's aliases, functions and operators need a shell: sh -c '…'"),
        (ErrorKind::NotFound, Some(file)) => because("the interpreter in its first line is not there".into())
            .hint(format!("look at the #! line of {}", file.display())),
        (ErrorKind::PermissionDenied, Some(file)) if file.is_dir() => because("it is a directory".into()),
        (ErrorKind::PermissionDenied, Some(file)) => {
            because("it is not executable".into()).hint(format!("chmod +x {}", file.display()))
        }
        (_, _) => because(error.to_string()),
    }
}

/// The file that a program's name means in its environment, preferring one that may be executed.
fn find(invocation: &Invocation) -> Option<PathBuf> {
    let cwd = invocation.environment.cwd();
    let program = Path::new(&invocation.program);
    if invocation.program.as_encoded_bytes().contains(&b'/') {
        return Some(cwd.join(program)).filter(|file| file.exists());
    }
    let path = invocation.environment.get("PATH")?;
    let places: Vec<_> = std::env::split_paths(path).map(|dir| cwd.join(dir).join(program)).collect();
    let executable = |file: &&PathBuf| {
        std::fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    places.iter().find(executable).or_else(|| places.iter().find(|file| file.exists())).cloned()
}

fn shown(program: &OsStr) -> String {
    program.to_string_lossy().escape_debug().to_string()
}
