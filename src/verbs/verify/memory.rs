//! What was proved before, so that proving again costs what is new. A file in git's directory, marked with a key that lies
//! outside of it: one that came with a repository, or was edited, is as good as none.
//!
//! It is bound to the tip, the tip of the attachments, and this very version of the tool.

use super::Proof;
use crate::diagnostics::{Code, Result};
use crate::domain::json::{self, Fields, Value};
use crate::git::{Oid, Repository};
use crate::os::{files, secret};
use crate::registry::MaterialCount;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::path::PathBuf;

/// A proof that was given before, without a single finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The tip.
    pub tip: Oid,
    /// The tip of the attachments then.
    pub attachments: Option<Oid>,
    /// How many entries there were.
    pub entries: usize,
    /// How much of the material was here.
    pub material: MaterialCount,
    /// The entry with the latest date, and the date.
    pub latest: Option<(i64, Oid)>,
}

fn place(repository: &Repository) -> PathBuf {
    repository.shared_dir().join("proved.json")
}

/// What was proved before; `None` when nothing was, or when what lies there is not ours.
pub fn recall(repository: &Repository) -> Option<Proved> {
    let bytes = files::read_if_there(&place(repository), 64 << 10).ok().flatten()?;
    let key = secret::user_key(repository.environment())?;
    let value = json::parse(&bytes).ok()?;
    let mark = value.get("mark")?.as_text()?.to_owned();
    let body = value.without("mark");
    (mark == marked(&key, &body)?).then_some(())?;
    read(body).ok().filter(|proved| repository.has(proved.tip))
}

/// Remembers a proof without findings. Not being able to is no fault: the next proof costs more, that is all.
pub fn remember(repository: &Repository, tip: Oid, attachments: Option<Oid>, proof: &Proof) {
    let Some(key) = secret::user_key(repository.environment()) else { return };
    let body = Value::object([
        ("schema_version", 1.into()),
        ("tool", env!("CARGO_PKG_VERSION").into()),
        ("tip", tip.to_string().into()),
        ("attachments", attachments.map(|id| id.to_string()).into()),
        ("entries", proof.entries.into()),
        ("present", proof.material.present.into()),
        ("missing", proof.material.missing.into()),
        ("expunged", proof.material.expunged.into()),
        ("latest", proof.latest.map(|(_, id)| id.to_string()).into()),
        ("latest_seconds", proof.latest.map_or(0, |(seconds, _)| seconds).into()),
    ]);
    if let Some(mark) = marked(&key, &body) {
        let _ = files::create_dir_all(&repository.shared_dir());
        let _ = files::write_atomically(&place(repository), body.with("mark", mark).pretty().as_bytes());
    }
}

fn marked(key: &[u8], body: &Value) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(body.canonical().as_bytes());
    Some(mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn read(value: Value) -> Result<Proved> {
    let code = Code::Rapid002;
    let mut fields = Fields::of(value, code, "what was proved before")?;
    fields.version()?;
    if fields.text("tool")? != env!("CARGO_PKG_VERSION") {
        return Err(fields.fault("another version proved it"));
    }
    let count = |number: i64| usize::try_from(number).unwrap_or(0);
    let latest = fields.text_or_null("latest")?.map(|id| Oid::from_hex(&id)).transpose()?;
    let seconds = fields.number("latest_seconds", 0)?;
    let proved = Proved {
        latest: latest.map(|id| (seconds, id)),
        tip: Oid::from_hex(&fields.text("tip")?)?,
        attachments: fields.text_or_null("attachments")?.map(|id| Oid::from_hex(&id)).transpose()?,
        entries: count(fields.number("entries", 1)?),
        material: MaterialCount {
            present: count(fields.number("present", 0)?),
            missing: count(fields.number("missing", 0)?),
            expunged: count(fields.number("expunged", 0)?),
        },
    };
    fields.end()?;
    Ok(proved)
}
