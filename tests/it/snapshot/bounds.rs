//! Many files and giants: bounded memory, sensible answers. The whole sizes are asked for with RAPID_SLOW_TESTS.

use super::oracle::{Place, options};
use git_rapid::domain::json::{self, Value};
use git_rapid::git::Keep;

fn slow() -> bool {
    std::env::var_os("RAPID_SLOW_TESTS").is_some()
}

impl Place {
    /// A file of zeros that takes no room on the disk.
    fn giant(&self, path: &str, size: u64) {
        let file = std::fs::File::create(self.path(path)).unwrap();
        file.set_len(size).unwrap();
    }

    /// `git rapid snapshot` in an address space of so many MiB, and what it printed.
    fn within(&self, mebibytes: u64) -> Value {
        let mut command = std::process::Command::new("sh");
        let script = format!("ulimit -v {} && exec \"$@\"", mebibytes << 10);
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_git-rapid"), "snapshot", "--json"]);
        let output = command.current_dir(&self.top).env_clear().envs(self.variables()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        json::parse(&output.stdout).unwrap()
    }
}

#[test]
fn an_untracked_giant_is_withheld_without_being_read() {
    let place = Place::new();
    place.settle();
    place.giant("giant", if slow() { 5 << 30 } else { 1 << 30 });
    let snapshot = place.repository_in(&place.top).snapshot(&options(Keep::Objects)).unwrap();
    assert_eq!((snapshot.notes.withheld, snapshot.files_read), (vec!["giant".to_owned()], 0));
}

#[test]
fn a_tracked_giant_is_never_held_whole() {
    // What the rules for line endings ask of its bytes is asked as they pass by.
    for rule in ["", "* text=auto\n", "* text\n"] {
        let place = Place::new();
        place.write(".gitattributes", rule);
        place.write("giant", "small\n");
        place.commit("giant");
        let size = if slow() { 5 << 30 } else { 128 << 20 };
        place.giant("giant", size);
        let told = place.within(112);
        assert_eq!(told.get("tree").and_then(Value::as_text), Some(place.answer_in(&place.top).as_str()), "{rule}");
        if slow() {
            break;
        }
    }
}

#[test]
fn a_giant_with_line_ends_of_windows_among_zeros() {
    let place = Place::new();
    place.write(".gitattributes", "*.auto text=auto\n*.text text\n");
    for name in ["x.auto", "x.text", "x.none"] {
        place.write(name, "small\n");
    }
    place.commit("small");
    let mut zeros = vec![0; 9 << 20];
    zeros[(1 << 16) - 1..=(1 << 16)].copy_from_slice(b"\r\n");
    for bytes in [zeros, "line\r\n".repeat(3 << 19).into_bytes()] {
        for name in ["x.auto", "x.text", "x.none"] {
            place.write(name, &bytes);
        }
        place.agrees();
    }
}

#[test]
fn many_untracked_files() {
    let place = Place::new();
    let (directories, files) = if slow() { (400, 500) } else { (20, 100) };
    for directory in 0..directories {
        std::fs::create_dir_all(place.path(format!("u/{directory}"))).unwrap();
        for file in 0..files {
            std::fs::write(place.path(format!("u/{directory}/{file}")), format!("{directory} {file}\n")).unwrap();
        }
    }
    let told = place.within(if slow() { 512 } else { 112 });
    assert_eq!(told.get("tree").and_then(Value::as_text), Some(place.answer_in(&place.top).as_str()));
    assert_eq!(told.get("untracked").and_then(Value::as_list).map(<[Value]>::len), Some(directories * files));
}
