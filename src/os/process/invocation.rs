//! What to run: program, arguments, place, environment, and how long it may take.
//!
//! Not here: starting it. An invocation is a value that can be shown, compared and run again.

use std::ffi::{OsStr, OsString};
use std::time::Duration;

use crate::os::environment::Environment;

/// How long a group may take to end itself after SIGTERM.
const GRACE: Duration = Duration::from_secs(2);

/// A program with everything that it is given.
#[derive(Clone, Debug)]
pub struct Invocation {
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Environment,
    pub(super) deadline: Option<Duration>,
    pub(super) grace: Duration,
    pub(super) own_group: bool,
    pub(super) tidies_up: bool,
    pub(super) input: Option<Vec<u8>>,
}

impl Invocation {
    /// A program, found as a shell would find it on the `PATH` of `environment`, to be run in the working directory of
    /// `environment` with its variables and no others; no deadline, a grace of 2 seconds.
    pub fn new(program: impl Into<OsString>, environment: Environment) -> Invocation {
        Invocation {
            program: program.into(),
            arguments: Vec::new(),
            environment,
            deadline: None,
            grace: GRACE,
            own_group: true,
            tidies_up: false,
            input: None,
        }
    }

    /// Adds one argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Invocation {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Invocation {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Ends it after this long.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Invocation {
        self.deadline = Some(deadline);
        self
    }

    /// Gives its group this long between SIGTERM and SIGKILL.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Invocation {
        self.grace = grace;
        self
    }

    /// Gives it this to read, and nothing after it; without, its standard input is empty.
    #[must_use]
    pub fn input(mut self, bytes: impl Into<Vec<u8>>) -> Invocation {
        self.input = Some(bytes.into());
        self
    }

    /// Leaves it in our own process group, so that it may ask the person at the terminal (a passphrase, a touch of a
    /// key). Then only the program itself can be ended, not what it started; Ctrl-C at the terminal reaches all of them.
    #[must_use]
    pub fn sharing_terminal(mut self) -> Invocation {
        self.own_group = false;
        self
    }

    /// Lets it run to its end when this process is asked to end, or was before: it tidies up behind what was interrupted.
    #[must_use]
    pub fn tidying_up(mut self) -> Invocation {
        self.tidies_up = true;
        self
    }

    /// The program as it was named.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// Program and arguments for a person to read, blanks and quotes made visible; not meant to be run again.
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words.map(|word| shown_word(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    }
}

fn shown_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%^~".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.escape_debug()) }
}
