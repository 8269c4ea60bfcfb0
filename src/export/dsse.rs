//! DSSE envelopes: what is signed, and how a Statement and its signature stand together.
//!
//! Not here: signing. The signature is whatever git's key makes of the bytes of [`pre_authentication`], in its own armor.

use crate::domain::json::Value;
use base64ct::{Base64, Encoding};

/// What the payload of an envelope is.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The bytes that are signed: DSSE's pre-authentication encoding of a payload.
pub fn pre_authentication(payload: &[u8]) -> Vec<u8> {
    let mut out = format!("DSSEv1 {} {PAYLOAD_TYPE} {} ", PAYLOAD_TYPE.len(), payload.len()).into_bytes();
    out.extend_from_slice(payload);
    out
}

/// The envelope of a payload and the signature over its [`pre_authentication`].
pub fn envelope(payload: &[u8], signature: &[u8], key: &str) -> Value {
    let signature = Value::object([("sig", Base64::encode_string(signature).into()), ("keyid", key.into())]);
    Value::object([
        ("payload", Base64::encode_string(payload).into()),
        ("payloadType", PAYLOAD_TYPE.into()),
        ("signatures", Value::list([signature])),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_is_the_encoding_of_the_protocol() {
        assert_eq!(pre_authentication(b"{}"), b"DSSEv1 28 application/vnd.in-toto+json 2 {}");
        // Lengths are in bytes.
        assert_eq!(pre_authentication("ü".as_bytes()), "DSSEv1 28 application/vnd.in-toto+json 2 ü".as_bytes());
    }
}
