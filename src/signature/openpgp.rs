//! OpenPGP signatures, checked by the system's own gpg.
//!
//! A parser of OpenPGP and its ciphers would be as large as this whole tool. So gpg is asked, as narrowly as can be: found
//! in fixed directories and never by configuration or PATH, with an empty home of its own that holds the frozen keys and
//! nothing else, without an agent, a network, options or a clock that decides anything. Where there is none, nobody can say.

use super::{Allowed, does_not_hold, unusable};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::signer::Signer;
use crate::os::{
    environment::Environment,
    files,
    process::{Invocation, Limits, Output, output},
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where systems put gpg. The repository has no say in it, and neither has the environment.
const PLACES: &[&str] = &["/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin", "/opt/local/bin"];

/// Far longer than a signature takes.
const DEADLINE: Duration = Duration::from_secs(30);

pub(super) fn is_key_block(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"-----BEGIN PGP PUBLIC KEY BLOCK-----")
}

pub(super) fn check(allowed: &Allowed, statement: &[u8], signature: &[u8], at: i64) -> Result<Signer> {
    let Some(keys) = allowed.keys.as_deref() else {
        return Err(Code::Rapid1442.because("it is an OpenPGP signature, and no OpenPGP key is allowed"));
    };
    if !is_key_block(keys) {
        return Err(unusable("the OpenPGP keys are not an armored block of public keys"));
    }
    let gpg = Gpg::new()?;
    gpg.run(&["--import"], Some(keys))?;
    files::write_atomically(&gpg.home.path().join("signature"), signature)?;
    let said = gpg.run(&["--status-fd", "1", "--verify", "signature", "-"], Some(statement))?;
    let said = Said::of(&String::from_utf8_lossy(&said.stdout));
    let key = said.judge(at)?;
    let listed = gpg.run(&["--with-colons", "--fixed-list-mode", "--list-keys", &key], None)?;
    Ok(Signer { names: addresses(&String::from_utf8_lossy(&listed.stdout)), key, touch: false })
}

/// A gpg with a home of its own.
struct Gpg {
    program: PathBuf,
    home: tempfile::TempDir,
}

impl Gpg {
    fn new() -> Result<Gpg> {
        let program = PLACES.iter().map(|place| Path::new(place).join("gpg")).find(|path| path.is_file());
        let program = program.ok_or_else(|| {
            cannot(format!("there is no gpg in {}", PLACES.join(", "))).hint("install gpg (GnuPG 2.2 or newer)")
        })?;
        let home = tempfile::Builder::new().prefix("rapid-gpg-").tempdir();
        let home = home.map_err(|error| cannot(format!("no temporary directory can be made: {error}")))?;
        Ok(Gpg { program, home })
    }

    fn run(&self, arguments: &[&str], input: Option<&[u8]>) -> Result<Output> {
        let home = self.home.path();
        let own = [("PATH", "/usr/bin:/bin"), ("LC_ALL", "C"), ("TZ", "UTC")];
        let environment = Environment::from_pairs(home, own).with("HOME", home).with("GNUPGHOME", home);
        let pinned =
            ["--batch", "--no-tty", "--no-options", "--no-autostart", "--disable-dirmngr", "--no-permission-warning"];
        let invocation = Invocation::new(&self.program, environment)
            .arguments(pinned)
            .arguments(["--no-auto-key-retrieve", "--trust-model", "always"])
            .arguments(arguments)
            .deadline(DEADLINE);
        output(&invocation, input, Limits::default()).map_err(|error| cannot(error.message))
    }
}

fn cannot(why: impl std::fmt::Display) -> Diagnostic {
    Code::Rapid1444.because(format!("the OpenPGP signature cannot be checked here: {why}"))
}

/// What gpg's status lines say.
#[derive(Default)]
struct Said {
    good: usize,
    expired: Vec<i64>,
    expired_key: bool,
    revoked: bool,
    unknown: bool,
    unsupported: bool,
    other: bool,
    valid: Vec<String>,
}

impl Said {
    fn of(status: &str) -> Said {
        let mut said = Said::default();
        for line in status.lines().filter_map(|line| line.strip_prefix("[GNUPG:] ")) {
            let mut words = line.split_whitespace();
            match words.next().unwrap_or_default() {
                "GOODSIG" => said.good += 1,
                "EXPKEYSIG" => said.expired_key = true,
                "KEYEXPIRED" => said.expired.extend(words.next().and_then(|time| time.parse::<i64>().ok())),
                "REVKEYSIG" => said.revoked = true,
                "NO_PUBKEY" => said.unknown = true,
                // The reason is the sixth word after the tag; 4 is an algorithm that this gpg does not know.
                "ERRSIG" => said.unsupported |= words.nth(5) == Some("4"),
                "BADSIG" | "EXPSIG" => said.other = true,
                // The primary key's fingerprint is the tenth word after the tag.
                "VALIDSIG" => said.valid.extend(words.nth(9).map(str::to_owned)),
                _ => {}
            }
        }
        said
    }

    /// The primary key that the signature is by, when it counts for something signed at `at`.
    fn judge(self, at: i64) -> Result<String> {
        let refused = |why: &str| Err(Code::Rapid1443.because(format!("the OpenPGP key {why}")));
        match (self.valid.as_slice(), self.good) {
            _ if self.unsupported => Err(cannot("this gpg does not know its algorithm")),
            _ if self.unknown => Err(Code::Rapid1442.because("the OpenPGP key is not one of the allowed ones")),
            _ if self.revoked => refused("was revoked"),
            _ if self.other => Err(does_not_hold("it is not over what is recorded here, or it ran out")),
            // Whether a key has run out is asked of the time of signing, not of today's.
            ([key], 0) if self.expired_key => match self.expired.iter().min() {
                Some(end) if at < *end => Ok(key.clone()),
                _ => refused("was not valid when it signed"),
            },
            ([key], 1) if !self.expired_key => Ok(key.clone()),
            _ => Err(does_not_hold("gpg finds no single good signature in it")),
        }
    }
}

/// The addresses of the user ids that hold, from gpg's listing with colons.
fn addresses(listing: &str) -> Vec<String> {
    let ids = listing.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split(':').collect();
        match (fields.first(), fields.get(1), fields.get(9)) {
            (Some(&"uid"), Some(validity), Some(id)) if !validity.starts_with(['r', 'i']) => Some(*id),
            _ => None,
        }
    });
    let address = |id: &str| match id.rsplit_once('<').and_then(|(_, rest)| rest.strip_suffix('>')) {
        Some(address) => address.to_owned(),
        None => id.to_owned(),
    };
    // A name with a '*' would be taken for a pattern.
    ids.map(address).filter(|name| !name.is_empty() && !name.contains(['*', '?'])).collect()
}
