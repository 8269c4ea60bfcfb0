//! Making a signature with the key that git uses: `ssh-keygen` or `gpg` is started for the person, who may be asked for a
//! passphrase or a touch at their terminal.
//!
//! Not here: whether it counts. What was made is checked like any other signature before it is recorded, so a program that
//! signs something else, or with another key, gains nothing.

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::os::{
    environment::Environment,
    files,
    process::{Ended, Invocation, Limits, output},
    terminal,
};
use std::path::PathBuf;
use std::time::Duration;

/// How long somebody may look for their key.
const PATIENCE: Duration = Duration::from_secs(180);

/// What kind of key git signs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With `ssh-keygen`.
    Ssh,
    /// With `gpg`.
    OpenPgp,
}

/// The key that git signs with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its kind (`gpg.format`).
    pub format: Format,
    /// The key (`user.signingKey`): a file, `key::` and a public key, or what gpg calls it.
    pub key: Option<String>,
    /// The program (`gpg.ssh.program`, `gpg.program`), as the person's own configuration names it.
    pub program: Option<String>,
    /// Whose key gpg takes when none is named.
    pub email: String,
}

/// Signs for a namespace, which OpenPGP does not know (RAPID1445 when it could not be done).
pub fn make(key: &Key, environment: &Environment, namespace: &str, statement: &[u8]) -> Result<Vec<u8>> {
    let failed = |error: Diagnostic| nothing(error.message);
    let scratch = tempfile::Builder::new().prefix("rapid-sign-").tempdir();
    let scratch = scratch.map_err(|error| nothing(format!("no temporary directory can be made: {error}")))?;
    let environment = environment.without_git();
    let invocation = match key.format {
        Format::Ssh => {
            let place = key.key.as_deref().filter(|key| !key.is_empty()).ok_or_else(|| {
                nothing("git knows no key to sign with (user.signingKey)")
                    .hint("say which: git config --global user.signingKey ~/.ssh/id_ed25519.pub")
            })?;
            let program = key.program.as_deref().unwrap_or("ssh-keygen");
            let sign = Invocation::new(program, environment.clone()).arguments(["-Y", "sign", "-n", namespace, "-f"]);
            match literal(place) {
                // The key itself is with an agent of keys (ssh-agent), known there by its public half.
                Some(public) => {
                    let file = scratch.path().join("key.pub");
                    files::write_atomically(&file, format!("{public}\n").as_bytes())?;
                    sign.argument(file).argument("-U")
                }
                None => sign.argument(from_home(place, &environment)),
            }
        }
        Format::OpenPgp => {
            let program = key.program.as_deref().unwrap_or("gpg");
            let whose = key.key.as_deref().filter(|key| !key.is_empty()).unwrap_or(&key.email);
            let environment = match terminal::name().filter(|_| !environment.is_set("GPG_TTY")) {
                Some(name) => environment.with("GPG_TTY", name),
                None => environment,
            };
            Invocation::new(program, environment).arguments(["--detach-sign", "--armor", "--local-user", whose])
        }
    };
    let made = output(&invocation.sharing_terminal().deadline(PATIENCE), Some(statement), Limits::default());
    let made = made.map_err(failed)?;
    match made.ended {
        Ended::TimedOut => Err(nothing("nobody answered for three minutes")),
        ended if ended.exit_code() != 0 => {
            let words = made.complaint().lines().last().unwrap_or("it gives no reason").trim().to_owned();
            let refused = nothing(format!("the signing program refused: {words}"));
            Err(key.of_other_format().into_iter().fold(refused, Diagnostic::hint))
        }
        _ => Ok(made.stdout),
    }
}

impl Key {
    /// What to do where the key looks like one of the other format.
    fn of_other_format(&self) -> Option<String> {
        let key = self.key.as_deref()?;
        let digits = key.trim_start_matches("0x").trim_end_matches('!');
        let is_gpgs = (8..=40).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
            || key.contains('@') && !key.contains('/');
        let is_sshs = literal(key).is_some() || key.contains('/') || key.ends_with(".pub");
        let (is, says, format) = match self.format {
            Format::Ssh if is_gpgs => ("an OpenPGP key", "ssh", "openpgp"),
            Format::OpenPgp if is_sshs => ("an SSH key", "openpgp (git's own default)", "ssh"),
            Format::Ssh | Format::OpenPgp => return None,
        };
        Some(format!(
            "user.signingKey looks like {is}, and gpg.format is {says}: git config --global gpg.format {format}"
        ))
    }
}

fn nothing(why: impl Into<String>) -> Diagnostic {
    Code::Rapid1445.because(why)
}

/// The public key that a value of `user.signingKey` spells out.
fn literal(key: &str) -> Option<&str> {
    key.strip_prefix("key::").or_else(|| key.starts_with("ssh-").then_some(key))
}

fn from_home(path: &str, environment: &Environment) -> PathBuf {
    match (path.strip_prefix("~/"), environment.path("HOME")) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
