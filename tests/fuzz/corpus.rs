//! The seeds: real outputs of test runners, by runner.

use std::path::{Path, PathBuf};

/// An output that a runner printed.
pub struct Seed {
    /// Its file's name.
    pub name: String,
    /// The runner's directory.
    pub runner: String,
    /// The machine format that it is in, where it is in one.
    pub format: Option<String>,
    /// What was printed.
    pub output: Vec<u8>,
}

/// All of them, in order.
pub fn seeds() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/runners");
    let mut seeds = Vec::new();
    for directory in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        let runner = name_of(&directory);
        for file in sorted(&directory).into_iter().filter(|path| path.extension().is_some_and(|e| e == "txt")) {
            let facts = std::fs::read_to_string(file.with_extension("json")).unwrap();
            let format = facts.split_once("\"format\": \"").and_then(|(_, rest)| rest.split_once('"'));
            seeds.push(Seed {
                name: format!("{runner}/{}", name_of(&file)),
                runner: runner.clone(),
                format: format.map(|(format, _)| format.to_owned()),
                output: std::fs::read(&file).unwrap(),
            });
        }
    }
    assert!(seeds.len() > 500, "the corpus is there");
    seeds
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn sorted(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
