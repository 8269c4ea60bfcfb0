//! Tests of reading, whole writing and removing.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

#[test]
fn a_file_is_read_up_to_its_cap_and_not_beyond() {
    let dir = scratch();
    let path = dir.path().join("four");
    write_atomically(&path, b"four").expect("written");
    assert_eq!(read(&path, 4).expect("fits"), b"four");
    let error = read(&path, 3).expect_err("too large");
    assert_eq!(error.code, Code::Rapid002);
    assert!(error.message.contains("larger than 3 bytes") && error.message.contains("four"), "{error}");
}

#[test]
fn a_missing_file_is_none_or_an_error_that_names_it() {
    let dir = scratch();
    let path = dir.path().join("none");
    assert_eq!(read_if_there(&path, 9).expect("absent is not an error"), None);
    assert_eq!(read_if_there(&path.join("below"), 9).expect("absent is not an error"), None);
    let error = read(&path, 9).expect_err("absent");
    assert_eq!(error.path.as_deref(), path.to_str());
    assert!(!remove(&path).expect("nothing to remove"));
}

#[test]
fn a_directory_is_not_a_file() {
    let dir = scratch();
    assert_eq!(read(dir.path(), 9).expect_err("a directory").code, Code::Rapid002);
    assert_eq!(remove(dir.path()).expect_err("a directory").code, Code::Rapid002);
}

#[test]
fn text_must_be_utf8() {
    let dir = scratch();
    let path = dir.path().join("latin");
    write_atomically(&path, b"caf\xe9").expect("written");
    assert!(read_text(&path, 99).expect_err("latin-1").message.contains("UTF-8"));
}

#[test]
fn a_write_replaces_the_whole_file_keeps_its_mode_and_leaves_nothing_behind() {
    let dir = scratch();
    let path = dir.path().join("file");
    write_atomically(&path, b"the first, longer text").expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o751)).expect("mode set");
    write_atomically(&path, b"second").expect("written again");
    assert_eq!(read_text(&path, 99).expect("read"), "second");
    assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o751);
    assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1);
    assert!(remove(&path).expect("removed"));
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let dir = scratch();
    let taken = dir.path().join("taken");
    create_dir_all(&taken.join("inner")).expect("made");
    let error = write_atomically(&taken, b"x").expect_err("a directory is in the way");
    assert!(error.message.contains("taken"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).expect("listed").count(), 1);
    assert!(write_atomically(&dir.path().join("no/such/file"), b"x").is_err());
}
