//! Recognising an agent from what the system shows of a process. Pure.
//!
//! Not here: the names (`agents`) and reading them (`procfs`, `listing`). Only a program's file, its kept name, its own
//! first argument and an interpreter's script count, each compared whole: an agent's name among the other arguments
//! (`vim claude`, `ssh pi`) says nothing.

use std::path::{Component, Path};

use super::Process;
use super::agents::{BEFORE_SCRIPT, INTERPRETERS, KNOWN, Known, WITH_TEXT, WITH_VALUE};

/// What gave an agent away, with the text that did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The name that the kernel keeps for the process.
    Name(String),
    /// The program file.
    Program(String),
    /// The name that the process was started under.
    StartedAs(String),
    /// The script that an interpreter runs.
    Script(String),
}

impl std::fmt::Display for Sign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sign::Name(text) => write!(f, "is named {text}"),
            Sign::Program(text) => write!(f, "is the program {text}"),
            Sign::StartedAs(text) => write!(f, "was started as {text}"),
            Sign::Script(text) => write!(f, "runs {text}"),
        }
    }
}

/// What Linux keeps of a name.
const KEPT: usize = 15;

/// The agent that a process is, and what says so.
pub(super) fn recognise(process: &Process) -> Option<(&'static str, Sign)> {
    let exe = process.exe.as_ref().map(|exe| exe.to_string_lossy());
    // The kernel says so when the file has been replaced since, as programs that update themselves do.
    let exe = exe.as_deref().map(|exe| exe.strip_suffix(" (deleted)").unwrap_or(exe));
    let started_as = process.arguments.first().map(String::as_str);
    let by_exe = || exe.and_then(|exe| Some((by_path(exe)?, Sign::Program(exe.to_owned()))));
    let by_comm = || Some((by_kept_name(&process.comm)?, Sign::Name(process.comm.clone())));
    let by_start = || started_as.and_then(|word| Some((by_path(word)?, Sign::StartedAs(word.to_owned()))));
    let by_script = || {
        let names = [exe, started_as, Some(process.comm.as_str())];
        let script = names.into_iter().flatten().any(is_interpreter).then(|| script(&process.arguments))??;
        Some((by_path(script)?, Sign::Script(script.to_owned())))
    };
    let (known, sign) = by_exe().or_else(by_comm).or_else(by_start).or_else(by_script)?;
    Some((known.name, sign))
}

/// The agent whose program has this file name, or in whose home this path lies.
fn by_path(path: &str) -> Option<&'static Known> {
    let name = file_name(path);
    KNOWN
        .iter()
        .find(|known| known.programs.contains(&name.as_str()) || known.homes.iter().any(|home| lies_in(path, home)))
}

/// The agent whose program has this name, which the kernel may have cut.
fn by_kept_name(comm: &str) -> Option<&'static Known> {
    let name = file_name(comm);
    let is = |program: &&str| *program == name || (comm.len() == KEPT && program.starts_with(comm));
    KNOWN.iter().find(|known| known.programs.iter().any(is))
}

/// The last part of a path in lower case, without what wrappers and systems put around a program's name.
fn file_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase();
    // A login shell is started as `-bash`.
    let name = name.strip_prefix('-').unwrap_or(&name);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    // Nix puts a wrapper in a program's place and moves the program to `.name-wrapped`.
    name.strip_prefix('.').and_then(|name| name.strip_suffix("-wrapped")).unwrap_or(name).to_owned()
}

/// Whether the directories of `home` follow each other in `path`, above its last part.
fn lies_in(path: &str, home: &str) -> bool {
    let above = Path::new(path).parent().unwrap_or(Path::new(""));
    let directories: Vec<&str> = above.components().filter_map(plain).collect();
    let wanted: Vec<&str> = home.split('/').collect();
    directories.windows(wanted.len()).any(|window| window == wanted)
}

fn plain(component: Component<'_>) -> Option<&str> {
    match component {
        Component::Normal(name) => name.to_str(),
        _ => None,
    }
}

/// `python3.12` is `python`.
fn is_interpreter(path: &str) -> bool {
    let name = file_name(path);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&name)
}

/// What an interpreter with these arguments runs: a script's path, or a module's name.
fn script(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "-m" | "--" => return words.next(),
            _ if WITH_TEXT.contains(&word) => return None,
            _ if WITH_VALUE.contains(&word) => drop(words.next()),
            _ if word.starts_with('-') || BEFORE_SCRIPT.contains(&word) => {}
            _ => return Some(word),
        }
    }
    None
}
