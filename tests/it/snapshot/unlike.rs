//! Files that are not as a checkout of the tree would write them, held against a checkout by git: every case is also cloned.

use super::oracle::{Place, eager};
use git_rapid::git::{Keep, Snapshot, SnapshotOptions};

impl Place {
    fn compared(&self) -> Snapshot {
        let options = SnapshotOptions { compared: true, ..eager(Keep::Objects) };
        self.repository_in(&self.top).snapshot(&options).unwrap()
    }

    /// What is unlike, as `path (what)`.
    fn unlike(&self) -> Vec<String> {
        let snapshot = self.compared();
        let told = snapshot.unlike.iter().map(|file| format!("{} ({})", file.path, file.what)).collect();
        let paths: Vec<String> = snapshot.unlike.into_iter().map(|file| file.path).collect();
        assert_eq!(snapshot.notes.unlike, paths);
        told
    }

    /// The files of the tree that a fresh clone without settings has in another way.
    fn differs_in_a_clone(&self) -> Vec<String> {
        let tree = self.compared().tree.to_string();
        let commit = self.git(&["commit-tree", &tree, "-m", "as it is"]);
        self.git(&["update-ref", "refs/heads/as-it-is", &commit]);
        let clone = self.root.join("clone");
        let _ = std::fs::remove_dir_all(&clone);
        self.git_in(&self.root, &["clone", "-q", "-b", "as-it-is", "work", "clone"]);
        let files = self.git(&["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", &tree]);
        let differ = |path: &&str| std::fs::read(self.path(path)).ok() != std::fs::read(clone.join(path)).ok();
        files.lines().filter(differ).map(str::to_owned).collect()
    }

    /// Exactly these are unlike, as they lie here, once they are staged, and once the index believes what it knows of them.
    #[track_caller]
    fn is_unlike(&self, expected: &[&str]) {
        assert_eq!(self.unlike(), expected);
        self.git(&["-c", "core.safecrlf=false", "add", "-A"]);
        assert_eq!(self.unlike(), expected, "staged");
        self.settle();
        assert_eq!(self.unlike(), expected, "settled");
    }

    /// The same, and a clone has all others as they are here.
    #[track_caller]
    fn is_unlike_a_clone(&self, expected: &[&str]) {
        self.is_unlike(expected);
        let paths: Vec<&str> = expected.iter().map(|told| told.split(" (").next().unwrap()).collect();
        assert_eq!(self.differs_in_a_clone(), paths);
    }

    fn with(attributes: &str, files: &[(&str, &[u8])]) -> Place {
        let place = Place::new();
        place.write(".gitattributes", attributes);
        files.iter().for_each(|(path, bytes)| place.write(path, bytes));
        place
    }
}

#[test]
fn nothing_where_nothing_is_converted() {
    let place = Place::with("*.png binary\n*.md linguist-documentation\n", &[("w.txt", b"1\r\n"), ("a.png", b"\r\n")]);
    place.is_unlike_a_clone(&[]);
    place.append("a.txt", "more\r\n");
    place.is_unlike_a_clone(&[]);
}

#[test]
fn an_id_that_says_something_else() {
    let ident = "x=\"$Id: hello $\"\n";
    let place =
        Place::with("*.sh ident\n", &[("g.sh", ident.as_bytes()), ("h.txt", ident.as_bytes()), ("i.sh", b"i\n")]);
    place.is_unlike_a_clone(&["g.sh ($Id$)"]);
    // What git writes is what git writes: also of a name with a space, and beside one that is not.
    place.write("d/i j.sh", "$Id$ $Id: x $\n");
    place.git(&["add", "-A"]);
    for path in ["g.sh", "d/i j.sh"] {
        place.remove(path);
        place.git(&["checkout", "-q", "--", path]);
    }
    place.is_unlike_a_clone(&[]);
    place.append("g.sh", "more\n");
    place.is_unlike_a_clone(&["g.sh ($Id$)"]);
}

#[test]
fn line_endings_that_attributes_decide() {
    let place = Place::with(
        "* text=auto\n*.bat text eol=crlf\n*.raw -text\n*.lf eol=lf\n",
        &[
            ("crlf", b"1\r\n2\r\n"),
            ("mixed", b"1\r\n2\n"),
            ("lf", b"1\n"),
            ("none", b"1"),
            ("binary", b"1\r\n\0"),
            ("r.raw", b"1\r\n"),
            ("l.lf", b"1\r\n"),
            ("good.bat", b"1\r\n"),
            ("bad.bat", b"1\n"),
            ("half.bat", b"1\r\n2\n"),
        ],
    );
    let lines = ["bad.bat", "crlf", "half.bat", "l.lf", "mixed"].map(|path| format!("{path} (line endings)"));
    place.is_unlike_a_clone(&lines.each_ref().map(String::as_str));
}

#[test]
fn a_text_that_git_keeps_as_it_was_committed() {
    let place = Place::with("", &[("w.txt", b"1\r\n")]);
    place.commit("before there was a rule");
    place.write(".gitattributes", "* text=auto\n");
    place.is_unlike_a_clone(&[]);
    place.append("w.txt", "2\r\n");
    place.is_unlike_a_clone(&[]);
}

#[test]
fn settings_of_a_system_that_ends_its_lines_so() {
    let place = Place::with("", &[("crlf", b"1\r\n2\r\n"), ("lf", b"1\n"), ("mixed", b"1\r\n2\n")]);
    place.config("core.autocrlf", "true");
    place.is_unlike(&["mixed (line endings)"]);
    place.config("core.autocrlf", "input");
    place.is_unlike(&["crlf (line endings)", "mixed (line endings)"]);
    place.config("core.autocrlf", "false");
    place.config("core.eol", "crlf");
    place.write(".gitattributes", "* text\n");
    place.is_unlike(&["mixed (line endings)"]);
}

#[test]
fn what_was_converted_before_under_another_rule() {
    let place = Place::with("*.sh ident\n", &[("g.sh", b"$Id: hello $\n")]);
    place.git(&["add", "-A"]);
    place.settle();
    place.write(".gitattributes", "*.txt text\n");
    assert_eq!(place.unlike(), ["g.sh (it was converted when it was added)"]);
}

#[test]
fn what_was_converted_by_a_setting_that_left_no_trace() {
    let place = Place::with("", &[("w.txt", b"1\n")]);
    place.commit("as it is");
    place.is_unlike(&[]);
    assert!(place.path(".git/rapid/compared").exists(), "nothing is compared twice for nothing");
    place.write("w.txt", b"1\r\n");
    assert_eq!(place.unlike(), [""; 0], "the tree has it as it is");
    place.settle();
    place.git(&["-c", "core.autocrlf=input", "-c", "core.safecrlf=false", "add", "-A"]);
    assert_eq!(place.unlike(), ["w.txt (it was converted when it was added)"]);
    assert_eq!(place.unlike(), ["w.txt (it was converted when it was added)"], "each time");
}

#[test]
fn encodings_that_come_back_and_one_that_does_not() {
    let utf16 = |mark: &[u8], big: bool| {
        let units = "h\u{e9}\n".encode_utf16();
        let bytes = units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() });
        mark.iter().copied().chain(bytes).collect::<Vec<u8>>()
    };
    let place = Place::with("*.l working-tree-encoding=UTF-16LE\n*.m working-tree-encoding=UTF-16\n", &[]);
    place.write("a.l", utf16(&[], false));
    place.write("big.m", utf16(&[0xfe, 0xff], true));
    place.write("little.m", utf16(&[0xff, 0xfe], false));
    let differs = place.unlike();
    place.git(&["add", "-A"]);
    assert_eq!(place.unlike(), differs);
    // Which of the two byte orders is written is the business of git's iconv; it cannot be both.
    let paths: Vec<&str> = differs.iter().map(|told| told.strip_suffix(" (encoding)").unwrap()).collect();
    assert_eq!(place.differs_in_a_clone(), paths);
    assert_eq!(paths.len(), 1, "{paths:?}");
}

#[test]
fn filters_of_this_clone_are_noted_and_others_do_nothing() {
    let place = Place::with(
        "*.up filter=up ident\n*.none filter=none ident\n*.out filter=out ident\n",
        &[("a.up", b"$Id: x $\n"), ("a.none", b"$Id: x $\n"), ("a.out", b"$Id: x $\n")],
    );
    place.config("filter.up.clean", "tr a-z A-Z");
    place.config("filter.out.smudge", "tr a-z A-Z");
    place.is_unlike(&["a.none ($Id$)", "a.out ($Id$)"]);
    assert_eq!(place.compared().notes.private_rules, ["filter.up of git's configuration"]);
}

#[test]
fn attributes_that_no_other_clone_has() {
    for hidden in [false, true] {
        let place = Place::with("", &[("g.sh", b"$Id: hello $\n")]);
        place.remove(".gitattributes");
        match hidden {
            true => {
                place.write(".git/info/exclude", ".gitattributes\n");
                place.write(".gitattributes", "*.sh ident\n");
            }
            false => place.write(".git/info/attributes", "*.sh ident\n"),
        }
        place.is_unlike(&["g.sh ($Id$)"]);
        let noted = place.compared().notes.private_rules;
        assert!(
            noted.contains(&if hidden { "./.gitattributes" } else { ".git/info/attributes" }.to_owned()),
            "{noted:?}"
        );
    }
}

#[test]
fn bits_and_links_that_git_was_told_not_to_look_at() {
    let place = Place::new();
    place.config("core.fileMode", "false");
    place.is_unlike(&[]);
    place.mode("a.txt", 0o755);
    place.mode("run.sh", 0o644);
    place.write("new.sh", "n\n");
    place.mode("new.sh", 0o755);
    place.is_unlike(&["a.txt (executable bit)", "new.sh (executable bit)", "run.sh (executable bit)"]);
    place.mode("run.sh", 0o755);
    place.git(&["update-index", "--chmod=+x", "a.txt", "new.sh"]);
    place.is_unlike(&[]);
    // Where all files have the bit it says nothing.
    place.mode("d/x.txt", 0o755);
    place.mode(".git/HEAD", 0o755);
    place.is_unlike(&[]);
    let place = Place::new();
    place.config("core.symlinks", "false");
    place.is_unlike(&[]);
    place.remove("ln");
    place.write("ln", "a.txt");
    place.is_unlike(&["ln (no link)"]);
}

#[test]
fn a_file_that_only_its_spelling_hides() {
    let place = Place::new();
    place.config("core.ignoreCase", "true");
    place.is_unlike(&[]);
    place.write("A.txt", "another\n");
    if std::fs::read(place.path("a.txt")).unwrap() == b"another\n" {
        return; // one file on this system
    }
    assert_eq!(place.unlike(), ["A.txt (hidden by core.ignoreCase)"]);
    place.remove("a.txt");
    assert_eq!(place.unlike(), ["A.txt (hidden by core.ignoreCase)"]);
}

#[test]
fn what_lies_in_the_place_of_a_submodule_or_in_a_repository_of_its_own() {
    let place = Place::new();
    place.git(&["init", "-q", "-b", "main", "../other"]);
    place.git_in(&place.root.join("other"), &["commit", "-q", "--allow-empty", "-m", "o"]);
    place.git(&["submodule", "--quiet", "add", "../other", "sm"]);
    place.commit("sub");
    place.git(&["submodule", "--quiet", "deinit", "--force", "sm"]);
    assert_eq!(place.compared().notes.dirty_submodules, [""; 0]);
    place.write("sm/helper", "h\n");
    assert_eq!(place.agrees().notes.dirty_submodules, ["sm"]);
    place.remove("sm/helper");
    place.git(&["clone", "-q", "../other", "nest"]);
    assert_eq!(place.compared().notes.dirty_submodules, [""; 0]);
    place.write("nest/helper", "h\n");
    assert_eq!(place.compared().notes.dirty_submodules, ["nest"]);
}
