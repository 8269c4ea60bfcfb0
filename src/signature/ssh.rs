//! SSH signatures, checked in this process.
//!
//! No program is started and no file is read: the bytes, the list and the moment are all there is.

use super::{Allowed, NAMESPACE, does_not_hold, signers};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::domain::signer::Signer;
use ssh_key::{Algorithm, EcdsaCurve, HashAlg, PublicKey, SshSig, public::KeyData};

/// The bit that a security key sets when it was touched.
const TOUCHED: u8 = 1;

/// The kinds of keys whose signatures are checked.
pub(super) fn is_supported(key: &KeyData) -> bool {
    matches!(
        key.algorithm(),
        Algorithm::Ed25519
            | Algorithm::SkEd25519
            | Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 }
            | Algorithm::SkEcdsaSha2NistP256
            | Algorithm::Rsa { .. }
    )
}

/// A signature for a namespace over a statement that holds, by whatever key, and that key's fingerprint.
pub(super) fn opened(namespace: &str, statement: &[u8], signature: &str) -> Result<(SshSig, String)> {
    let signature = SshSig::from_pem(signature).map_err(does_not_hold)?;
    if signature.namespace() != namespace {
        let other = signature.namespace().escape_debug().to_string();
        return Err(does_not_hold(format!("it was made for '{other}', not for '{namespace}'")));
    }
    let key = signature.public_key();
    if !is_supported(key) {
        return Err(does_not_hold(format!("keys of kind {} are not checked", key.algorithm())));
    }
    PublicKey::new(key.clone(), "")
        .verify(namespace, statement, &signature)
        .map_err(|_| does_not_hold("it is not over what is recorded here"))?;
    let fingerprint = key.fingerprint(HashAlg::Sha256).to_string();
    Ok((signature, fingerprint))
}

pub(super) fn check(allowed: &Allowed, statement: &[u8], signature: &str, at: i64) -> Result<Signer> {
    let (signature, fingerprint) = opened(NAMESPACE, statement, signature)?;
    let key = signature.public_key();
    let revoked = allowed.revoked.as_deref().map(signers::parse_revoked).transpose()?.unwrap_or_default();
    if revoked.contains(&fingerprint) {
        return Err(Code::Rapid1443.because(format!("the key {fingerprint} was revoked")));
    }
    let list = allowed.signers.as_deref().map(signers::parse).transpose()?.unwrap_or_default();
    let lines: Vec<_> = list.iter().filter(|line| line.key == *key).collect();
    let named: Vec<_> = lines.iter().filter(|line| line.allows(NAMESPACE)).collect();
    let valid: Vec<_> = named.iter().filter(|line| line.holds_at(at)).collect();
    if valid.is_empty() {
        return Err(match (lines.is_empty(), named.is_empty()) {
            (true, _) => stranger(&fingerprint),
            (_, true) => Code::Rapid1442
                .because(format!("the key {fingerprint} is allowed for other namespaces only, not '{NAMESPACE}'")),
            _ => Code::Rapid1443.because(format!("the key {fingerprint} was not valid when it signed")),
        });
    }
    let names = valid.iter().flat_map(|line| line.names.iter().cloned()).collect();
    Ok(Signer { key: fingerprint, names, touch: touched(&signature) })
}

/// Refuses a public key that is on no line of the lists (RAPID1442). A line that holds only at times is left to the signature.
pub(super) fn refuse_stranger(allowed: &Allowed, public: &str) -> Result<()> {
    let Ok(key) = PublicKey::from_openssh(public) else { return Ok(()) };
    let list = allowed.signers.as_deref().map(signers::parse).transpose()?.unwrap_or_default();
    match list.iter().any(|line| line.key == *key.key_data()) {
        true => Ok(()),
        false => Err(stranger(&key.fingerprint(HashAlg::Sha256).to_string())),
    }
}

fn stranger(fingerprint: &str) -> Diagnostic {
    Code::Rapid1442.because(format!("the key {fingerprint} is none of those that the allowed signers have"))
}

/// Everybody whose key may be used for our signatures at `at` or later; the same key on two lines is there twice.
pub(super) fn everybody(allowed: &Allowed, at: i64) -> Result<Vec<Signer>> {
    let revoked = allowed.revoked.as_deref().map(signers::parse_revoked).transpose()?.unwrap_or_default();
    let list = allowed.signers.as_deref().map(signers::parse).transpose()?.unwrap_or_default();
    let lines = list.into_iter().filter(|line| line.allows(NAMESPACE) && !line.is_over_at(at)).map(|line| Signer {
        key: line.key.fingerprint(HashAlg::Sha256).to_string(),
        names: line.names,
        touch: false,
    });
    Ok(lines.filter(|signer| !revoked.contains(&signer.key)).collect())
}

/// Whether a security key says that it was touched: its signature ends with a byte of flags and a counter of four bytes.
fn touched(signature: &SshSig) -> bool {
    let on_device = matches!(signature.algorithm(), Algorithm::SkEd25519 | Algorithm::SkEcdsaSha2NistP256);
    let flags = signature.signature_bytes().iter().rev().nth(4);
    on_device && flags.is_some_and(|flags| flags & TOUCHED != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;
    use sha2::{Digest, Sha256};
    use ssh_key::{
        LineEnding, Signature,
        private::Ed25519Keypair,
        public::{Ed25519PublicKey, SkEd25519},
    };

    const APPLICATION: &str = "ssh:";

    /// What a security key makes of a statement: its own flags and counter are part of what it signs.
    fn by_device(statement: &[u8], flags: u8, claimed: u8) -> (Allowed, String) {
        let pair = Ed25519Keypair::from_seed(&[7; 32]);
        let signed = SshSig::signed_data(NAMESPACE, HashAlg::Sha512, statement).unwrap();
        let trailer = |flags: u8| [flags, 0, 0, 0, 9];
        let mut over = Sha256::digest(APPLICATION).to_vec();
        over.extend(trailer(flags));
        over.extend(Sha256::digest(signed));
        let private = ssh_key::PrivateKey::from(pair.clone());
        let raw: Signature = signature(&private, &over);
        let mut bytes = raw.as_bytes().to_vec();
        bytes.extend(trailer(claimed));
        let public = KeyData::SkEd25519(SkEd25519::new(Ed25519PublicKey(pair.public.0), APPLICATION));
        let line = PublicKey::new(public.clone(), "").to_openssh().unwrap();
        let made = Signature::new(Algorithm::SkEd25519, bytes).unwrap();
        let armor = SshSig::new(public, NAMESPACE, HashAlg::Sha512, made).unwrap().to_pem(LineEnding::LF).unwrap();
        let signers = Some(format!("ada@example.com {line}\n").into_bytes());
        (Allowed { signers, ..Allowed::default() }, armor)
    }

    fn signature(key: &impl ssh_key::SigningKey, over: &[u8]) -> Signature {
        key.try_sign(over).unwrap()
    }

    #[test]
    fn a_device_that_was_touched_is_told_from_one_that_was_not() {
        for (flags, touch) in [(1, true), (5, true), (0, false), (4, false)] {
            let (allowed, armor) = by_device(b"statement", flags, flags);
            let signer = super::super::check(&allowed, b"statement", armor.as_bytes(), 0).unwrap();
            assert_eq!(signer.touch, touch, "flags {flags}");
            assert_eq!(signer.name(), "ada@example.com");
        }
    }

    #[test]
    fn a_touch_that_the_device_did_not_sign_is_no_signature() {
        let (allowed, armor) = by_device(b"statement", 0, 1);
        let refused = super::super::check(&allowed, b"statement", armor.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.code, Code::Rapid1441);
    }
}
