//! What a command is wrapped in: `env`, `sudo`, `timeout 5`, `xargs` …
//!
//! Not here: what is wrapped (`programs`).

use super::programs::name;
use super::{Denied, PLAIN, unsets};

/// Whether a program is a wrapper.
pub(super) fn is_one(program: &str) -> bool {
    WRAPPERS.iter().any(|(known, _)| *known == program)
}

/// Whether it hands what it reads over as arguments.
pub(super) fn hands_over(program: &str) -> bool {
    ["xargs", "parallel"].contains(&program)
}

/// What a wrapped command turned out to be.
pub(super) enum Unwrapped {
    /// Words to run.
    Words(Vec<String>),
    /// Text that is split into words once more (`env -S`).
    Text(String),
}

/// The command without what it is wrapped in (`env`, `sudo`, `timeout 5`, `xargs` …). Options that are not known here may hide
/// it; every word is looked at once more afterwards.
pub(super) fn unwrap(words: &[String]) -> Result<Unwrapped, Denied> {
    let mut words: Vec<String> = words.to_vec();
    // Each round takes at least one word away.
    while let Some(first) = words.first() {
        let wrapper = name(first);
        let Some((_, with_value)) = WRAPPERS.iter().find(|(known, _)| *known == wrapper) else { break };
        let mut rest: &[String] = words.get(1..).unwrap_or_default();
        if wrapper == "env" {
            match env(rest)? {
                Unwrapped::Words(rest) => words = rest,
                text => return Ok(text),
            }
            continue;
        }
        while let Some((word, after)) = rest.split_first() {
            let sets = ["sudo", "doas"].contains(&wrapper.as_str());
            match word.split_once('=') {
                Some((name, value)) if sets && !word.starts_with('-') => {
                    super::sets(name, value)?;
                    rest = after;
                }
                _ if with_value.contains(&word.as_str()) => rest = after.get(1..).unwrap_or_default(),
                _ if word.starts_with('-') && word.len() > 1 => {
                    let empties = wrapper == "exec" && word.contains('c') || word == "--reset-env";
                    if empties {
                        return Err(empty_environment(&wrapper));
                    }
                    rest = after;
                }
                _ => break,
            }
        }
        // `timeout 5 cmd`, `flock FILE cmd`: one word of its own before the command.
        let own = usize::from(["timeout", "flock", "chroot", "taskset", "chrt"].contains(&wrapper.as_str()));
        words = rest.get(own..).unwrap_or_default().to_vec();
    }
    Ok(Unwrapped::Words(words))
}

fn empty_environment(by: &str) -> Denied {
    Denied::new(format!("'{by}' would take away what says that an agent is at work"), PLAIN)
}

/// What `env` runs. Its options may stand together and be cut short.
fn env(words: &[String]) -> Result<Unwrapped, Denied> {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let (option, glued) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value)),
            None => (word.as_str(), None),
        };
        let long = |full: &str| option.len() > 3 && option.starts_with("--") && full.starts_with(option);
        match option {
            "--" => return Ok(Unwrapped::Words(after.to_vec())),
            "-" => return Err(empty_environment("env -")),
            _ if long("--ignore-environment") => return Err(empty_environment("env -i")),
            _ if long("--unset") => {
                let (name, after) = value(glued, after);
                unsets(name)?;
                rest = after;
            }
            _ if long("--split-string") => {
                let (text, after) = value(glued, after);
                return Ok(split_again(text, after));
            }
            _ if long("--chdir") => rest = value(glued, after).1,
            _ if option.starts_with("--") => rest = after,
            _ if option.starts_with('-') => match letters(word, after)? {
                Ok(after) => rest = after,
                Err(text) => return Ok(text),
            },
            _ => match glued {
                Some(value) => {
                    super::sets(option, value)?;
                    rest = after;
                }
                None => break,
            },
        }
    }
    Ok(Unwrapped::Words(rest.to_vec()))
}

/// Options of one letter, run together; the words behind them, or what is split once more.
fn letters<'w>(word: &'w str, after: &'w [String]) -> Result<Result<&'w [String], Unwrapped>, Denied> {
    for (at, letter) in word.char_indices().skip(1) {
        let glued = word.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
        match letter {
            'i' => return Err(empty_environment("env -i")),
            'u' => {
                let (name, after) = value(glued, after);
                unsets(name)?;
                return Ok(Ok(after));
            }
            'S' => {
                let (text, after) = value(glued, after);
                return Ok(Err(split_again(text, after)));
            }
            'C' | 'a' => return Ok(Ok(value(glued, after).1)),
            _ => {}
        }
    }
    Ok(Ok(after))
}

/// An option's value, glued to it or the next word, and the words behind that.
fn value<'w>(glued: Option<&'w str>, after: &'w [String]) -> (&'w str, &'w [String]) {
    match (glued, after.split_first()) {
        (Some(glued), _) => (glued, after),
        (None, Some((value, after))) => (value, after),
        (None, None) => ("", after),
    }
}

fn split_again(text: &str, rest: &[String]) -> Unwrapped {
    let rest: Vec<String> = rest.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    Unwrapped::Text(format!("{text} {}", rest.join(" ")))
}

/// Wrappers, and their options that take the next word with them.
const WRAPPERS: &[(&str, &[&str])] = &[
    ("env", &[]),
    ("command", &[]),
    ("builtin", &[]),
    ("exec", &["-a"]),
    ("nohup", &[]),
    ("setsid", &[]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n", "-p"]),
    ("chrt", &[]),
    ("time", &["-f", "-o"]),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("setpriv", &[]),
    ("sudo", &["-u", "-g", "-C", "-p", "-h", "-r", "-t", "-D"]),
    ("doas", &["-u"]),
    ("xargs", &["-I", "-n", "-P", "-L", "-d", "-a", "-s", "-E"]),
    ("busybox", &[]),
    ("flock", &["-w", "-E"]),
    ("unshare", &[]),
    ("chroot", &[]),
    ("taskset", &[]),
    ("strace", &["-o", "-e"]),
    ("watch", &["-n"]),
    ("parallel", &["-j"]),
];
