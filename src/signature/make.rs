//! Making a signature with the key that git uses: `ssh-keygen` or `gpg` is started for the person, who may be asked for a
//! passphrase or a touch at their terminal.
//!
//! Not here: whether it counts. What was made is checked like any other signature before it is recorded, so a program that
//! signs something else, or with another key, gains nothing.

use super::{Allowed, ssh};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::os::{
    environment::Environment,
    files,
    process::{Ended, Invocation, Limits, output},
    terminal,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long somebody may look for their key.
const PATIENCE: Duration = Duration::from_secs(180);

/// The largest key that is read, in bytes.
const LARGEST_KEY: u64 = 64 << 10;

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

/// Refuses a key that cannot sign what would count by these lists, as far as that can be told without the key itself: before
/// anybody is asked for a sentence, a passphrase or a touch (RAPID1442, RAPID1445).
pub fn refuse_useless(key: &Key, environment: &Environment, allowed: &Allowed) -> Result<()> {
    let other = match key.format {
        Format::Ssh => allowed.signers.is_none() && allowed.keys.is_some(),
        Format::OpenPgp => allowed.keys.is_none() && allowed.signers.is_some(),
    };
    match key.format {
        Format::Ssh if other => {
            Err(nothing("git signs with SSH keys (gpg.format), and the run's list has OpenPGP keys")
                .hint("say which: git config gpg.format openpgp"))
        }
        Format::OpenPgp if other => {
            let refused =
                nothing("git signs with OpenPGP (gpg.format, or nothing said), and the run's list has SSH keys");
            Err(match key.of_other_format() {
                Some(hint) => refused.hint(hint),
                None => refused
                    .hint("say which: git config gpg.format ssh")
                    .hint("and the key: git config user.signingKey ~/.ssh/id_ed25519.pub"),
            })
        }
        Format::OpenPgp => Ok(()),
        Format::Ssh => {
            let place = key.place()?;
            let public = match literal(place) {
                Some(public) => Some(public.to_owned()),
                None => public_half(&from_home(place, environment)).map_err(|error| {
                    let which = || "say which: git config user.signingKey ~/.ssh/id_ed25519.pub".to_owned();
                    error.hint(key.of_other_format().unwrap_or_else(which))
                })?,
            };
            public.map_or(Ok(()), |public| ssh::refuse_stranger(allowed, &public))
        }
    }
}

/// The public half of the key at a path, where it lies there; RAPID1445 when nothing does.
fn public_half(path: &Path) -> Result<Option<String>> {
    let beside = PathBuf::from(format!("{}.pub", path.display()));
    let read = |path: &Path| files::read_if_there(path, LARGEST_KEY).ok().flatten();
    match [path, &beside].into_iter().filter_map(read).collect::<Vec<_>>().as_slice() {
        [] if !path.exists() => Err(nothing(format!("there is no key at '{}' (user.signingKey)", path.display()))),
        found => Ok(found
            .iter()
            .map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned())
            .find(|text| ["ssh-", "ecdsa-", "sk-"].iter().any(|kind| text.starts_with(kind)))),
    }
}

/// Signs for a namespace, which OpenPGP does not know (RAPID1445 when it could not be done).
pub fn make(key: &Key, environment: &Environment, namespace: &str, statement: &[u8]) -> Result<Vec<u8>> {
    let failed = |error: Diagnostic| nothing(error.message);
    let scratch = tempfile::Builder::new().prefix("rapid-sign-").tempdir();
    let scratch = scratch.map_err(|error| nothing(format!("no temporary directory can be made: {error}")))?;
    let environment = environment.without_git();
    let invocation = match key.format {
        Format::Ssh => {
            let place = key.place()?;
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
    /// What git's configuration says of the SSH key.
    fn place(&self) -> Result<&str> {
        self.key.as_deref().filter(|key| !key.is_empty()).ok_or_else(|| {
            nothing("git knows no key to sign with (user.signingKey)")
                .hint("say which: git config --global user.signingKey ~/.ssh/id_ed25519.pub")
        })
    }

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
