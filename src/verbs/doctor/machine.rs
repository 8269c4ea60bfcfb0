//! What the machine gives: git, this program where git finds it, a clock, room on the disk, and who is at work.

use super::{Finding, State, finding, wrong};
use crate::git::{Git, Identity};
use crate::os::{clock, environment::Environment, files};
use crate::verbs::rapid::Rapid;

/// The oldest git that is known to do.
const OLDEST: (u32, u32) = (2, 34);

/// Less room than this, in bytes, ends soon.
const LITTLE_ROOM: u64 = 32 << 20;

/// How far two clocks may be apart, in seconds.
const APART: i64 = 300;

/// The git that is asked for everything that is not read in process.
pub fn git(environment: &Environment) -> Finding {
    let version = Git::new(environment).argument("version").run();
    let version = match version {
        Ok(output) => output.text().trim().trim_start_matches("git version ").to_owned(),
        Err(error) => return wrong("git", &error),
    };
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    match found >= OLDEST {
        true => {
            finding("git", State::Good, format!("git {version}; push, fetch, merges and worktrees go through it"), None)
        }
        false => finding(
            "git",
            State::Bad,
            format!("git {version} is too old"),
            Some(format!("install git {}.{} or newer", OLDEST.0, OLDEST.1)),
        ),
    }
}

/// Another program that git runs as 'git rapid', or none.
pub fn program(environment: &Environment) -> Option<Finding> {
    let own = Environment::program();
    let path = own.as_deref().and_then(|own| own.parent()).map(|directory| directory.display().to_string());
    let hint = path.map(|directory| format!("export PATH=\"{directory}:$PATH\""));
    let Ok(said) = Git::new(environment).arguments(["rapid", "version"]).try_run() else { return None };
    let expected = format!("git-rapid {}", env!("CARGO_PKG_VERSION"));
    let first = said.text().lines().next().unwrap_or_default().trim().to_owned();
    let found = environment.find_program("git-rapid").map_or_else(String::new, |at| format!(" ('{}')", at.display()));
    match (said.code, first == expected) {
        (0, true) => None,
        (0, false) => Some(finding(
            "program",
            State::Bad,
            format!("'git rapid' runs another program{found}: it says '{first}', this one is {expected}"),
            hint,
        )),
        _ if found.is_empty() => Some(finding(
            "program",
            State::Bad,
            "git-rapid is not on the PATH, so that 'git rapid' does not work",
            hint,
        )),
        _ => Some(finding("program", State::Bad, format!("'git rapid' runs a program{found} that fails"), hint)),
    }
}

/// An entry from the future: its writer's clock was wrong, or this one's is.
pub fn clock(rapid: &Rapid) -> Option<Finding> {
    let registry = rapid.registry();
    let tip = registry.ledger().standing_tips().ok()?.ledger?;
    let newest = registry.ledger().entry(tip).ok()?.seconds;
    let now = clock::now_seconds();
    let told = crate::domain::moment::moment;
    let words = format!("it is {} here, and the newest entry was written at {}", told(now), told(newest));
    let hint = "one of the two clocks is wrong: timedatectl shows this one";
    (newest > now.saturating_add(APART)).then(|| finding("clock", State::Note, words, Some(hint.to_owned())))
}

/// Whether anything can be written where the repository lies.
pub fn room(rapid: &Rapid) -> Option<Finding> {
    let place = rapid.repository().common_dir();
    let closed = [place.to_owned(), place.join("objects"), place.join("refs")].into_iter();
    if let Some(closed) = closed.into_iter().find(|directory| !files::takes_files(directory)) {
        let words = format!("nothing can be written to '{}'", closed.display());
        return Some(match files::takes_files(&rapid.repository().spool_dir()) {
            true => finding(
                "room",
                State::Note,
                format!("{words}: what is recorded waits in '{}'", rapid.repository().spool_dir().display()),
                Some("run 'git rapid doctor --repair' where it is open, to fold it in".to_owned()),
            ),
            false => finding("room", State::Bad, words, Some(format!("chmod -R u+w '{}'", place.display()))),
        });
    }
    let free = files::free_bytes(place)?;
    let words = format!("only {} kB are free where '{}' lies", free / 1000, place.display());
    (free < LITTLE_ROOM).then(|| finding("room", State::Bad, words, Some("git gc".to_owned())))
}

/// Whose name entries bear.
pub fn identity(rapid: &Rapid) -> Finding {
    let who = rapid.repository().identity();
    match who == Identity::fallback() {
        false => finding("identity", State::Good, format!("{} <{}>", who.name, who.email), None),
        true => finding(
            "identity",
            State::Note,
            "git knows no name here; entries are written as git-rapid",
            Some("git config --global user.name 'Your Name'".to_owned()),
        ),
    }
}
