//! Signing a decision with the key that git uses, before it is recorded. What does not hold is not recorded.

use super::rapid::Rapid;
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::{
    contract::Approvals,
    evidence::{Evidence, Payload},
    signer::{Signed, Signer},
};
use crate::os::clock;
use crate::registry::{Records, Run};
use crate::signature::{self, Allowed, Format, Key, NAMESPACE};

/// A decision with its signature.
pub struct Signature {
    /// The bytes that are kept.
    pub bytes: Vec<u8>,
    /// Whose it is, by the run's own list; `None` when the run has no list that names the key, and needs none.
    pub signer: Option<Signer>,
}

/// Says in a review that it is signed now.
pub fn mark(item: &mut Evidence) {
    if let Payload::Review(review) = &mut item.payload {
        review.signed_at = Some(clock::now_seconds());
    }
}

/// Signs a review that is about to be recorded after `before`. A person may be asked for a passphrase or a touch.
pub fn sign(
    rapid: &Rapid,
    records: &Records<'_>,
    run: &Run,
    before: Option<&Evidence>,
    item: &Evidence,
) -> Result<Signature> {
    let nothing = || Code::Rapid003.because("there is nothing to sign");
    let (statement, at) = signature::statement(&run.contract, before, item).ok_or_else(nothing)?;
    let bytes = signature::make(&key(rapid)?, rapid.environment(), NAMESPACE, &statement)?;
    let signer = match signature::check(&records.allowed(&run.contract)?, &statement, &bytes, at) {
        Ok(signer) => Some(signer),
        Err(why) if why.code == Code::Rapid1442 && run.contract.approvals == Approvals::Terminal => None,
        Err(why) => return Err(unrecorded(why)),
    };
    Ok(Signature { bytes, signer })
}

/// Signs what these lists ask to be signed: the signature, and whose it is.
pub(super) fn by_an_allowed(rapid: &Rapid, allowed: &Allowed, statement: &[u8], at: i64) -> Result<(Vec<u8>, Signer)> {
    let bytes = signature::make(&key(rapid)?, rapid.environment(), NAMESPACE, statement)?;
    let signer = signature::check(allowed, statement, &bytes, at).map_err(unrecorded)?;
    Ok((bytes, signer))
}

/// The run's signatures with one more.
pub fn with(run: &Run, item: &Evidence, signature: Option<&Signature>) -> Signed {
    let mut signed = run.signed().clone();
    signed.extend(signature.and_then(|made| made.signer.clone()).map(|signer| (item.id.clone(), signer)));
    signed
}

/// Refuses a set-up that cannot sign what would count, before a person is asked for anything. Where the terms ask for no signature,
/// any key will do.
pub fn refuse_unready(rapid: &Rapid, records: &Records<'_>, run: &Run) -> Result<()> {
    match run.contract.approvals {
        Approvals::Terminal => Ok(()),
        Approvals::Signed => {
            let allowed = records.allowed(&run.contract)?;
            signature::refuse_useless(&key(rapid)?, rapid.environment(), &allowed).map_err(unrecorded)
        }
    }
}

fn unrecorded(why: Diagnostic) -> Diagnostic {
    let message = format!("{}: nothing was decided", why.message);
    Diagnostic { message, ..why }.hint("sign with a key of .rapid/allowed_signers as it was when the work began")
}

/// The key that git signs with. The key may be this repository's setting; the program may not: it would be run for whoever
/// wrote that setting.
pub(super) fn key(rapid: &Rapid) -> Result<Key> {
    let repository = rapid.repository();
    let format = match repository.config_text("gpg.format").as_deref() {
        None | Some("" | "openpgp") => Format::OpenPgp,
        Some("ssh") => Format::Ssh,
        Some(other) => {
            return Err(Code::Rapid1445
                .because(format!(
                    "git signs with '{}', and decisions are signed with ssh or openpgp",
                    other.escape_debug()
                ))
                .hint("say which: git config --global gpg.format ssh"));
        }
    };
    let programs: &[&str] = match format {
        Format::Ssh => &["gpg.ssh.program"],
        Format::OpenPgp => &["gpg.openpgp.program", "gpg.program"],
    };
    Ok(Key {
        format,
        key: repository.config_text("user.signingKey"),
        program: programs.iter().find_map(|key| repository.own_config_text(key)).filter(|program| !program.is_empty()),
        email: repository.identity().email,
    })
}
