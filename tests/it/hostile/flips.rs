//! One byte flipped in any file that holds the ledger's objects, loose or packed: found. A part of the bytes in every run,
//! all of them with RAPID_SLOW_TESTS.

use crate::harness::{Loop, Output, Repo, World, project};
use std::path::{Path, PathBuf};

/// Two copies of one repository work side by side.
const WORKERS: usize = 2;

/// Of how many bytes one is flipped.
fn stride(all: usize) -> usize {
    if std::env::var_os("RAPID_SLOW_TESTS").is_some() { 1 } else { (all / 200).max(1) | 1 }
}

/// A small ledger: one run that has begun.
fn small() -> Repo {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Add a greeting");
    repo.rapid(&["verify", "--full"]).ok();
    repo
}

/// A file below the repository, a byte in it, and the object that it belongs to.
type Place = (PathBuf, usize, String);

/// Flips each of these bytes in turn; returns those that nobody noticed.
fn unnoticed(repo: &Repo, places: &[Place]) -> Vec<String> {
    let copies: Vec<Repo> = (0..WORKERS)
        .map(|worker| {
            let path = repo.world().path(&format!("copy-{worker}"));
            Output::of(repo.world().command("cp", repo.path()).arg("-a").arg(repo.path()).arg(&path)).ok();
            Repo::at(repo.world(), path)
        })
        .collect();
    std::thread::scope(|scope| {
        let share = places.len().div_ceil(WORKERS).max(1);
        let workers: Vec<_> = places
            .chunks(share)
            .zip(&copies)
            .map(|(places, copy)| scope.spawn(move || places.iter().filter_map(|place| try_one(copy, place)).collect()))
            .collect();
        workers.into_iter().flat_map(|worker| -> Vec<String> { worker.join().unwrap() }).collect()
    })
}

fn try_one(repo: &Repo, (file, at, id): &Place) -> Option<String> {
    let path = repo.path().join(file);
    let good = std::fs::read(&path).unwrap();
    let mut bad = good.clone();
    bad[*at] ^= 1 << (at % 8);
    // Objects are written without the right to write to them.
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, bad).unwrap();
    let seen = repo.verify(&["--full"]);
    let found = [1, 2].contains(&seen.code) && !seen.stderr.contains("panicked");
    // A compressed stream has a few bits of padding that stand for nothing; git is the judge of which.
    let nothing = !found && git_reads(repo, id);
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, good).unwrap();
    (!found && !nothing).then(|| format!("byte {at} of {}: exit {}", file.display(), seen.code))
}

fn git_reads(repo: &Repo, id: &str) -> bool {
    use std::io::Write;
    let mut command = repo.world().git_command(repo.path());
    command.args(["cat-file", "--batch"]).stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{id}\n").as_bytes()).unwrap();
    let read = child.wait_with_output().unwrap();
    read.status.success() && read.stderr.is_empty()
}

/// The ids of all objects of the ledger.
fn objects(repo: &Repo) -> Vec<String> {
    let list = repo.git(&["rev-list", "--objects", "--no-object-names", "refs/rapid/ledger"]);
    list.lines().map(str::to_owned).collect()
}

fn every(places: Vec<Place>) -> Vec<Place> {
    let step = stride(places.len());
    places.into_iter().step_by(step).collect()
}

fn length(repo: &Repo, file: &Path) -> usize {
    usize::try_from(std::fs::metadata(repo.path().join(file)).unwrap().len()).unwrap()
}

#[test]
fn any_byte_of_a_loose_object_is_missed_when_it_is_flipped() {
    let repo = small();
    let mut places = Vec::new();
    for id in objects(&repo) {
        let file = PathBuf::from(format!(".git/objects/{}/{}", &id[..2], &id[2..]));
        places.extend((0..length(&repo, &file)).map(|at| (file.clone(), at, id.clone())));
    }
    let places = every(places);
    let left = unnoticed(&repo, &places);
    assert!(left.is_empty(), "{} of {} bytes: {left:#?}", left.len(), places.len());
}

#[test]
fn any_byte_of_a_packed_object_is_missed_when_it_is_flipped() {
    let repo = small();
    repo.git(&["repack", "-a", "-d", "--quiet"]);
    repo.git(&["prune-packed"]);
    let pack = repo.sh("ls .git/objects/pack/*.pack").line();
    let listed = repo.git(&["verify-pack", "-v", &pack]);
    let ours = objects(&repo);
    let mut places = Vec::new();
    for line in listed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.len() >= 5 && ours.iter().any(|id| id == words[0]) {
            let [size, begin] = [words[3], words[4]].map(|number| number.parse::<usize>().unwrap());
            places.extend((begin..begin + size).map(|at| (PathBuf::from(&pack), at, words[0].to_owned())));
        }
    }
    assert!(places.len() > 1000, "the whole ledger is in that pack");
    let places = every(places);
    let left = unnoticed(&repo, &places);
    assert!(left.is_empty(), "{} of {} bytes: {left:#?}", left.len(), places.len());
}
