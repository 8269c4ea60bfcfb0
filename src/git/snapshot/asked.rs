//! Files that git itself is asked about: those with a `working-tree-encoding`. Which encodings there are, what a byte order
//! mark means in them and what is a fault is the business of git and its iconv; another converter would be another answer.
//!
//! Git works beside the repository: with an index and an object store of its own in a temporary directory, which hold the few
//! entries that matter to the answer. Nothing of the user's is written, not even the times of objects.

use super::{native, shown};
use crate::diagnostics::{Code, Diagnostic, Result};
use crate::git::{Oid, Repository};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::index::entry::{Mode, Stage};
use gix::objs::Write;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

/// Git converts in memory, and so do we: a larger file is refused, in bytes.
const LARGEST: u64 = 256 << 20;

/// So many files are asked about at once: their names have to fit on a command line.
const AT_ONCE: usize = 100;

/// What could change the answer, touch the user's files, or take time for nothing.
const PINNED: &[&str] = &[
    "core.trustctime=true",
    "core.checkStat=default",
    "core.ignoreStat=false",
    "core.safecrlf=false",
    "core.splitIndex=false",
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    "core.fsync=none",
    "index.sparse=false",
];

/// What git said, and where it left it.
pub(super) struct Asked<'a> {
    repository: &'a Repository,
    index: &'a gix::index::State,
    /// Made when it is needed.
    beside: Option<tempfile::TempDir>,
    answers: BTreeMap<BString, gix::ObjectId>,
    /// The files that were put off were asked about.
    pub(super) begun: bool,
}

impl<'a> Asked<'a> {
    pub(super) fn new(repository: &'a Repository, index: &'a gix::index::State) -> Asked<'a> {
        Asked { repository, index, beside: None, answers: BTreeMap::new(), begun: false }
    }

    /// Asks about many files at once. What fails is left to [`Asked::stored`], which knows which file it was.
    pub(super) fn ask(&mut self, paths: &[BString]) {
        self.begun = true;
        for some in paths.chunks(AT_ONCE) {
            let some: Vec<&BStr> = some.iter().map(|path| path.as_bstr()).collect();
            let _ = self.add(&some);
        }
    }

    /// The bytes of a file of this size as git stores them (RAPID1507 where git refuses).
    pub(super) fn stored(&mut self, path: &BStr, size: u64) -> Result<Vec<u8>> {
        if size > LARGEST {
            let fault = format!("'{}' has a working-tree-encoding and more than {LARGEST} bytes", shown(path));
            return Err(Code::Rapid1507.because(fault).hint("take the attribute off it").at(shown(path)));
        }
        if !self.answers.contains_key(path) {
            self.add(&[path]).map_err(|error| error.at(shown(path)))?;
        }
        let mut bytes = Vec::new();
        let id = self.answers.get(path).copied();
        let found = match (id, self.store()) {
            (Some(id), Ok(store)) => store.try_find(&id, &mut bytes).ok().flatten().is_some(),
            _ => false,
        };
        match found {
            true => Ok(bytes),
            false => Err(Code::Rapid1507.because(format!("'{}' changed while it was read", shown(path)))),
        }
    }

    /// Has git add these files to the index beside the repository, and remembers what it made of them.
    fn add(&mut self, paths: &[&BStr]) -> Result<()> {
        let store = self.store()?;
        let place = self.place()?.join("index");
        let git = self.repository.git().with("GIT_INDEX_FILE", &place).with("GIT_OBJECT_DIRECTORY", store.path());
        let git = git.with("GIT_ALTERNATE_OBJECT_DIRECTORIES", "");
        let settings = PINNED.iter().flat_map(|setting| ["-c", *setting]);
        let mut git = git.arguments(settings).arguments(["update-index", "--add", "--replace"]);
        for (path, id) in self.telling(paths)? {
            let object = self.repository.read(Oid(id), LARGEST)?;
            store.write_buf(gix::objs::Kind::Blob, &object.data).map_err(|error| cannot(&error))?;
            let mut entry = OsString::from(format!("100644,{id},"));
            entry.push(native(path.as_bstr()));
            git = git.argument("--cacheinfo").argument(entry);
        }
        let done = git.argument("--").arguments(paths.iter().map(|path| native(path))).try_run()?;
        if done.code != 0 {
            let which = paths.first().map(|path| shown(path)).unwrap_or_default();
            let fault = format!("git does not take '{which}' in the encoding it is said to have: {}", done.complaint());
            return Err(Code::Rapid1507.because(fault).hint("correct its working-tree-encoding in .gitattributes"));
        }
        let hash = self.repository.gix.object_hash();
        let made = gix::index::File::at(&place, hash, true, Default::default()).map_err(|error| cannot(&error))?;
        let file = |path: &&BStr| Some(made.entry_by_path(path)?).filter(|entry| is_file(entry.mode));
        self.answers.extend(paths.iter().filter_map(|path| Some(((*path).to_owned(), file(path)?.id))));
        Ok(())
    }

    /// What of the index has a say in how these files are converted: what it has under their names (line endings), and the
    /// attributes of the directories that they lie in.
    fn telling(&self, paths: &[&BStr]) -> Result<BTreeMap<BString, gix::ObjectId>> {
        let mut names = BTreeSet::new();
        for path in paths {
            names.insert((*path).to_owned());
            let directories = path.find_iter("/").map(|slash| slash + 1).chain([0]);
            for directory in directories {
                let mut name = BString::from(path.get(..directory).unwrap_or_default());
                name.extend_from_slice(b".gitattributes");
                names.insert(name);
            }
        }
        let known = names.into_iter().filter_map(|name| {
            let entry = |stage| self.index.entry_by_path_and_stage(name.as_bstr(), stage);
            let entry = entry(Stage::Unconflicted).or_else(|| entry(Stage::Ours))?;
            let here = is_file(entry.mode) && self.repository.has(Oid(entry.id));
            here.then_some((name.clone(), entry.id))
        });
        Ok(known.collect())
    }

    fn place(&mut self) -> Result<&std::path::Path> {
        let beside = match self.beside.take() {
            Some(beside) => beside,
            None => {
                let made =
                    tempfile::Builder::new().prefix("rapid-encoding-").tempdir().map_err(|error| cannot(&error))?;
                std::fs::create_dir(made.path().join("objects")).map_err(|error| cannot(&error))?;
                made
            }
        };
        Ok(self.beside.insert(beside).path())
    }

    fn store(&mut self) -> Result<gix::odb::loose::Store> {
        let hash = self.repository.gix.object_hash();
        Ok(gix::odb::loose::Store::at(self.place()?.join("objects"), hash))
    }
}

fn is_file(mode: Mode) -> bool {
    matches!(mode, Mode::FILE | Mode::FILE_EXECUTABLE)
}

fn cannot(error: &dyn std::error::Error) -> Diagnostic {
    Code::Rapid1507.because(format!("git cannot be asked about encodings: {error}"))
}
