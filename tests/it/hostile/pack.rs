//! Objects written straight into a pack or a loose file, uncompressed: thousands of them in one step, and ones whose header
//! lies about what follows.

use crate::harness::{Repo, World};
use sha2::Digest;

/// A pack that is being written.
#[derive(Default)]
pub struct Pack {
    bytes: Vec<u8>,
    count: u32,
}

impl Pack {
    /// Adds an object; returns its id.
    pub fn add(&mut self, kind: &str, data: &[u8]) -> String {
        let number = ["", "commit", "tree", "blob", "tag"].iter().position(|own| *own == kind).unwrap();
        self.head(u8::try_from(number).unwrap(), data.len());
        self.bytes.extend(stored(data));
        id_of(kind, data)
    }

    /// Adds bytes that are a whole entry already; returns where it begins.
    pub fn add_entry(&mut self, entry: &[u8]) -> usize {
        let at = self.bytes.len();
        self.bytes.extend_from_slice(entry);
        self.count += 1;
        at
    }

    /// Adds a delta against the entry that begins there.
    pub fn add_delta(&mut self, base: usize, delta: &[u8]) {
        let mut distance = self.bytes.len() - base;
        self.head(6, delta.len());
        let mut digits = vec![(distance & 0x7f) as u8];
        distance >>= 7;
        while distance > 0 {
            distance -= 1;
            digits.push((distance & 0x7f) as u8 | 0x80);
            distance >>= 7;
        }
        digits.reverse();
        self.bytes.extend(digits);
        self.bytes.extend(stored(delta));
    }

    fn head(&mut self, kind: u8, size: usize) {
        self.count += 1;
        let mut rest = size >> 4;
        let mut byte = (kind << 4) | (size & 15) as u8;
        while rest > 0 {
            self.bytes.push(byte | 0x80);
            byte = (rest & 0x7f) as u8;
            rest >>= 7;
        }
        self.bytes.push(byte);
    }

    /// Puts it among the objects of a repository.
    pub fn into_repository(self, repo: &Repo) {
        let mut all = [b"PACK".as_slice(), &2u32.to_be_bytes(), &self.count.to_be_bytes(), &self.bytes].concat();
        all.extend(hashed(&all));
        repo.git_with(&["index-pack", "--stdin"], &all);
    }
}

/// The id of an object.
pub fn id_of(kind: &str, data: &[u8]) -> String {
    let hash = hashed(&[format!("{kind} {}\0", data.len()).as_bytes(), data].concat());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// By the hash of this run of the tests.
fn hashed(bytes: &[u8]) -> Vec<u8> {
    match World::is_sha256() {
        true => sha2::Sha256::digest(bytes).to_vec(),
        false => sha1_smol::Sha1::from(bytes).digest().bytes().to_vec(),
    }
}

/// The bytes of an id.
pub fn id_bytes(id: &str) -> Vec<u8> {
    (0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()).collect()
}

/// A zlib stream of these bytes, not compressed.
pub fn stored(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let blocks: Vec<&[u8]> = if data.is_empty() { vec![&[]] } else { data.chunks(65_535).collect() };
    for (at, block) in blocks.iter().enumerate() {
        let length = u16::try_from(block.len()).unwrap();
        out.push(u8::from(at + 1 == blocks.len()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for byte in data {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    out.extend(((b << 16) | a).to_be_bytes());
    out
}

/// Puts a loose object's file in its place, whatever is in it.
pub fn loose(repo: &Repo, id: &str, file: &[u8]) {
    let directory = repo.path().join(".git/objects").join(&id[..2]);
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(&id[2..]);
    let _ = std::fs::remove_file(&path);
    std::fs::write(path, file).unwrap();
}
