//! What ordinary work does to files.

use super::oracle::Place;

#[test]
fn a_clean_working_copy_has_the_tree_of_its_commit() {
    let place = Place::new();
    assert_eq!(place.agrees().tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
    place.settle();
    assert_eq!(place.agrees().tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
}

#[test]
fn modified_deleted_untracked() {
    let place = Place::new();
    place.settle();
    place.append("a.txt", "c\n");
    place.remove("d/x.txt");
    place.write("new.txt", "n\n");
    place.write("n/n/n.txt", "n\n");
    let snapshot = place.agrees();
    let untracked: Vec<&str> = snapshot.untracked.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(untracked, ["n/n/n.txt", "new.txt"]);
}

#[test]
fn staged_and_changed_again_and_renamed() {
    let place = Place::new();
    place.append("a.txt", "c\n");
    place.git(&["add", "a.txt"]);
    place.append("a.txt", "d\n");
    place.write("staged.txt", "s\n");
    place.git(&["add", "staged.txt"]);
    place.git(&["mv", "d/x.txt", "d/y.txt"]);
    place.agrees();
}

#[test]
fn staged_then_deleted_and_untracked_again() {
    let place = Place::new();
    place.write("s.txt", "s\n");
    place.git(&["add", "s.txt"]);
    place.remove("s.txt");
    place.git(&["rm", "-q", "--cached", "a.txt"]);
    place.agrees();
}

#[test]
fn everything_deleted() {
    let place = Place::new();
    for path in ["a.txt", "d", "run.sh", "ln", ".gitignore"] {
        place.remove(path);
    }
    assert_eq!(place.agrees().tree.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

#[test]
fn a_changed_file_deep_in_a_wide_tree() {
    let place = Place::new();
    for directory in ["p", "p-q", "p.q", "p/q", "p0", "pq/r/s"] {
        for file in ["a", "a-b", "a.b", "b", "c"] {
            place.write(format!("{directory}/{file}"), format!("{directory}{file}"));
        }
    }
    place.write("p/a!x/y", "y");
    place.commit("wide");
    place.settle();
    place.write("p/q/b", "changed");
    place.write("p/a0", "new");
    place.remove("p0/c");
    place.agrees();
    place.git(&["add", "p/q/b"]);
    place.agrees();
    place.remove("pq");
    place.agrees();
}

#[test]
fn a_file_becomes_a_directory_and_back() {
    let place = Place::new();
    place.remove("a.txt");
    place.write("a.txt/z", "z\n");
    place.write("a-file", "between\n");
    place.agrees();
    place.remove("d");
    place.write("d", "f\n");
    place.agrees();
}

#[test]
fn a_link_becomes_a_file_and_a_directory_a_link() {
    let place = Place::new();
    place.remove("ln");
    place.write("ln", "now a file\n");
    place.write("real/x.txt", "r\n");
    place.remove("d");
    place.link("real", "d");
    place.agrees();
}

#[test]
fn empty_files_and_empty_directories() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("e/e/e")).unwrap();
    place.write("zero", "");
    place.agrees();
    place.commit("zero");
    place.settle();
    place.agrees();
    place.write("zero", "1");
    place.agrees();
    place.write("zero", "");
    place.agrees();
}

#[test]
fn same_size_edits_in_the_same_second() {
    let place = Place::new();
    for round in 0..200_u32 {
        place.write("r.txt", format!("{:05}\n", round * 2));
        place.git(&["add", "r.txt"]);
        let text = format!("{:05}\n", round * 2 + 1);
        place.write("r.txt", &text);
        let tree = place.snapshot().tree;
        let repository = place.repository_in(&place.top);
        let id = repository.hash(git_rapid::git::Kind::Blob, text.as_bytes()).unwrap();
        let data = repository.read_tree(place.try_snapshot(git_rapid::git::Keep::Objects).unwrap().tree).unwrap();
        let found = git_rapid::git::entries(&data, 20)
            .map(Result::unwrap)
            .find(|entry| entry.name == b"r.txt")
            .map(|entry| entry.id);
        assert_eq!(found, Some(id), "round {round}");
        if round % 40 == 0 {
            assert_eq!(place.answer_in(&place.top), tree.to_string());
        }
    }
}

#[test]
fn a_large_file_is_read_in_pieces() {
    let place = Place::new();
    place.write("large.bin", vec![7_u8; 9 << 20]);
    place.commit("large");
    place.write("large.bin", vec![9_u8; 9 << 20]);
    place.agrees();
}

#[test]
fn many_directories_on_several_threads() {
    let place = Place::new();
    for directory in 0..60 {
        for file in 0..40 {
            place.write(format!("t{}/u{}/f{file}", directory % 7, directory), format!("{directory} {file}"));
        }
    }
    place.commit("many");
    place.settle();
    place.agrees();
    for directory in (0..60).step_by(5) {
        place.write(format!("t{}/u{}/f3", directory % 7, directory), "changed");
        place.write(format!("t{}/u{}/new", directory % 7, directory), "new");
    }
    place.remove("t3/u10");
    place.agrees();
}
