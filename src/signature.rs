//! Signed decisions: what is signed, who may sign, whether a signature holds, and making one with the key that git uses.
//!
//! Not here: which decisions have to be signed (`evaluator`), and where signatures lie (`registry`). Checking trusts nothing
//! that a repository names: no program, no configuration, no clock. SSH signatures are checked in this process; OpenPGP
//! ones by the system's own gpg with nothing but the frozen keys in reach.

mod make;
mod openpgp;
mod signers;
mod ssh;
mod statement;

pub use make::{Format, Key, make, refuse_useless};
pub use statement::statement;

use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::signer::Signer;

/// The namespace of our signatures: one that was made for a commit, a file or a mail is none of ours.
pub const NAMESPACE: &str = "approval@git-rapid";

/// The namespace of signatures over attestations that are exported.
pub const ATTESTATIONS: &str = "attestation@git-rapid";

/// The largest signature that is read, in bytes.
const LARGEST: usize = 64 << 10;

/// Who may sign, as bytes that a contract froze or a reviewer brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// SSH keys with their names, as `ssh-keygen` reads them (ALLOWED SIGNERS in its manual).
    pub signers: Option<Vec<u8>>,
    /// SSH keys that nobody may use any more: one key or `SHA256:…` fingerprint a line.
    pub revoked: Option<Vec<u8>>,
    /// OpenPGP keys, in armor.
    pub keys: Option<Vec<u8>>,
}

impl Allowed {
    /// Each list's name among the terms of a run.
    pub const TERMS: [&'static str; 3] = ["allowed_signers", "revoked_signers", "allowed_keys.asc"];

    /// The lists by the names that they have among the terms.
    pub fn from_terms(mut term: impl FnMut(&str) -> Result<Option<Vec<u8>>>) -> Result<Allowed> {
        let [signers, revoked, keys] = Allowed::TERMS;
        Ok(Allowed { signers: term(signers)?, revoked: term(revoked)?, keys: term(keys)? })
    }

    /// The one list that a reviewer brought, of either kind.
    pub fn of_reviewer(bytes: Vec<u8>) -> Allowed {
        match openpgp::is_key_block(&bytes) {
            true => Allowed { keys: Some(bytes), ..Allowed::default() },
            false => Allowed { signers: Some(bytes), ..Allowed::default() },
        }
    }

    /// Everybody whom the lists let sign at `at` (seconds since 1970) or at some time after it; `None` where there are OpenPGP keys, which nobody has looked
    /// into.
    pub fn everybody(&self, at: i64) -> Result<Option<Vec<Signer>>> {
        match self.keys {
            Some(_) => Ok(None),
            None => ssh::everybody(self, at).map(Some),
        }
    }

    /// Refuses lists that cannot be understood or that let nobody sign (RAPID1446).
    pub fn refuse_useless(&self) -> Result<()> {
        let signers = self.signers.as_deref().map(signers::parse).transpose()?.unwrap_or_default();
        self.revoked.as_deref().map(signers::parse_revoked).transpose()?;
        if self.keys.as_deref().is_some_and(|keys| !openpgp::is_key_block(keys)) {
            return Err(unusable("the OpenPGP keys are not an armored block of public keys"));
        }
        match signers.is_empty() && self.keys.is_none() {
            true => Err(unusable("nobody is allowed to sign, so no run could pass")),
            false => Ok(()),
        }
    }
}

fn unusable(why: impl Into<String>) -> Diagnostic {
    Code::Rapid1446.because(why).hint("write it as 'ssh-keygen' reads it: ada@example.com ssh-ed25519 AAAA…")
}

/// Whose signature over `statement` this is, made at `at` (seconds since 1970). The answer follows from these bytes alone,
/// whenever it is asked; where OpenPGP cannot be checked, that is RAPID1444.
///
/// # Errors
/// `RAPID1441` when it does not hold, `RAPID1442` for a key that is not allowed, `RAPID1443` for one that was revoked or not
/// valid then, `RAPID1446` when the list itself cannot be used.
pub fn check(allowed: &Allowed, statement: &[u8], signature: &[u8], at: i64) -> Result<Signer> {
    let text = std::str::from_utf8(signature).ok().filter(|text| text.len() <= LARGEST);
    let Some(text) = text else { return Err(does_not_hold("it is no signature")) };
    match text {
        _ if text.starts_with("-----BEGIN SSH SIGNATURE-----") => ssh::check(allowed, statement, text, at),
        _ if text.starts_with("-----BEGIN PGP SIGNATURE-----") => openpgp::check(allowed, statement, signature, at),
        _ => Err(does_not_hold("it is no signature")),
    }
}

/// The fingerprint of the key that made an SSH signature over `message` for a namespace, whoever's it is; `None` for an OpenPGP
/// signature, which says itself whose it is (RAPID1441 when it does not hold).
pub fn made_by(namespace: &str, message: &[u8], signature: &[u8]) -> Result<Option<String>> {
    match std::str::from_utf8(signature) {
        Ok(text) if text.starts_with("-----BEGIN SSH SIGNATURE-----") => {
            let (_, fingerprint) = ssh::opened(namespace, message, text)?;
            Ok(Some(fingerprint))
        }
        Ok(text) if text.starts_with("-----BEGIN PGP SIGNATURE-----") => Ok(None),
        _ => Err(does_not_hold("it is no signature")),
    }
}

fn does_not_hold(why: impl std::fmt::Display) -> Diagnostic {
    Code::Rapid1441.because(format!("the signature does not hold: {why}"))
}
