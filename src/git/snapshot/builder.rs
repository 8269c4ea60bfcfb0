//! Builds nested trees from files that come in the order of an index: one pass, no nested maps.

use crate::diagnostics::{Code, Result};
use crate::git::{Mode, Oid};
use gix::bstr::{BStr, BString, ByteSlice};

/// A tree being built; `emit` is given the bytes of each finished tree and says its id.
pub(super) struct Builder<F> {
    emit: F,
    top: Vec<u8>,
    open: Vec<Open>,
    last: BString,
}

/// A directory that may still get entries.
struct Open {
    name: BString,
    data: Vec<u8>,
}

impl<F: FnMut(&[u8]) -> Result<Oid>> Builder<F> {
    pub(super) fn new(emit: F) -> Builder<F> {
        Builder { emit, top: Vec::new(), open: Vec::new(), last: BString::default() }
    }

    /// Adds a file. Paths must come in the order of their bytes, each once, and none may lie below another.
    pub(super) fn add(&mut self, path: &BStr, mode: Mode, id: Oid) -> Result<()> {
        let below_last = path.strip_prefix(self.last.as_slice()).is_some_and(|rest| rest.starts_with(b"/"));
        if !self.last.is_empty() && (path <= self.last.as_bstr() || below_last) {
            return Err(Code::Rapid1507.because(format!("'{path}' is both a file and a directory")));
        }
        self.last = path.to_owned();
        let (directory, name) = match path.rfind_byte(b'/') {
            Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
            None => (&[][..], path.as_bytes()),
        };
        let parts: Vec<&[u8]> = directory.split_str(b"/").filter(|part| !part.is_empty()).collect();
        let shared = self.open.iter().zip(&parts).take_while(|(open, part)| open.name == **part).count();
        self.close_to(shared)?;
        for part in parts.into_iter().skip(shared) {
            self.open.push(Open { name: part.into(), data: Vec::new() });
        }
        write_entry(self.current(), mode, name, id);
        Ok(())
    }

    /// The id of the whole.
    pub(super) fn finish(mut self) -> Result<Oid> {
        self.close_to(0)?;
        (self.emit)(&self.top)
    }

    fn current(&mut self) -> &mut Vec<u8> {
        match self.open.last_mut() {
            Some(open) => &mut open.data,
            None => &mut self.top,
        }
    }

    fn close_to(&mut self, depth: usize) -> Result<()> {
        while self.open.len() > depth {
            if let Some(open) = self.open.pop() {
                let id = (self.emit)(&open.data)?;
                write_entry(self.current(), Mode::Tree, &open.name, id);
            }
        }
        Ok(())
    }
}

fn write_entry(data: &mut Vec<u8>, mode: Mode, name: &[u8], id: Oid) {
    data.extend_from_slice(mode.as_str().as_bytes());
    data.push(b' ');
    data.extend_from_slice(name);
    data.push(0);
    data.extend_from_slice(id.as_bytes());
}
