//! A pseudo-terminal with somebody at it who answers one question. The tool asks the terminal itself, so nothing in it is
//! told that this is a test.

use super::Output;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a command at a terminal may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a command at a terminal; types `sentence` when `prompt` stands there. What the terminal showed is the output.
pub fn answer(command: Command, prompt: &str, sentence: &str) -> Output {
    answer_after(command, prompt, sentence, || {})
}

/// The same, with something that happens between the question and the answer.
pub fn answer_after(command: Command, prompt: &str, sentence: &str, meanwhile: impl Fn()) -> Output {
    answer_all(command, &[(prompt, sentence)], meanwhile)
}

/// The same for several questions, one after the other; `meanwhile` happens before each answer.
pub fn answer_all(command: Command, answers: &[(&str, &str)], meanwhile: impl Fn()) -> Output {
    let shown = format!("{:?}", command.get_args().collect::<Vec<_>>());
    let (terminal, other_end) = pty_process::blocking::open().unwrap();
    let mut child = pty_process::blocking::Command::from(command).spawn(other_end).unwrap();
    let mut keyboard = std::os::fd::AsFd::as_fd(&terminal).try_clone_to_owned().map(std::fs::File::from).unwrap();
    let screen = watch(terminal);
    let until = Instant::now() + PATIENCE;
    let mut text = String::new();
    let (mut waiting, mut read) = (answers.iter(), 0);
    let mut next = waiting.next();
    while let Ok(bytes) = screen.recv_timeout(until.saturating_duration_since(Instant::now())) {
        text.push_str(&String::from_utf8_lossy(&bytes));
        if let Some((prompt, sentence)) = next
            && let Some(at) = text[read..].find(prompt)
        {
            read += at + prompt.len();
            next = waiting.next();
            meanwhile();
            keyboard.write_all(format!("{sentence}\n").as_bytes()).unwrap();
        }
    }
    let status = ended(&mut child, until).unwrap_or_else(|| {
        child.kill().unwrap();
        panic!("{shown} did not end at its terminal, which shows:\n{text}")
    });
    let output = std::process::Output { status, stdout: text.replace('\r', "").into_bytes(), stderr: Vec::new() };
    Output::from_std(&output, shown)
}

/// Hands on what the terminal shows; ends when the last program at it has gone.
fn watch(mut terminal: pty_process::blocking::Pty) -> Receiver<Vec<u8>> {
    let (sender, screen) = channel();
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = terminal.read(&mut bytes) {
            if sender.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    screen
}

fn ended(child: &mut Child, until: Instant) -> Option<ExitStatus> {
    if Instant::now() < until {
        // The terminal's other end is closed, so the program has ended or is about to.
        return child.wait().ok();
    }
    child.try_wait().unwrap()
}

/// Whether anybody can be asked here at all: under a coding agent the tool refuses, terminal or not, and rightly so.
pub fn somebody_can_be_asked() -> bool {
    git_rapid::os::ancestry::agents_among_ancestors().agents.is_empty()
}
