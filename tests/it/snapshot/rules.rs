//! Ignore rules, attributes and filters.

use super::oracle::Place;
use git_rapid::diagnostics::Code;
use git_rapid::git::Keep;

#[test]
fn tracked_but_ignored() {
    let place = Place::new();
    place.write("x.log", "l\n");
    place.write("ignored/t", "t\n");
    place.git(&["add", "-f", "x.log", "ignored/t"]);
    place.commit("forced");
    place.settle();
    place.append("x.log", "m\n");
    place.append("ignored/t", "m\n");
    place.write("y.log", "i\n");
    place.write("ignored/i", "i\n");
    place.write("ignored/deep/i", "i\n");
    place.agrees();
}

#[test]
fn nested_rules_with_exceptions() {
    let place = Place::new();
    place.write("p/.gitignore", "*\n!keep\n!q/\n");
    place.write("p/keep", "k\n");
    place.write("p/other", "o\n");
    place.write("p/q/keep", "k\n");
    place.write("p/q/other", "o\n");
    place.write("d/.gitignore", "!x.log\n");
    place.write("d/x.log", "l\n");
    place.write("ignored/.gitignore", "!*\n");
    place.write("ignored/i", "i\n");
    place.write("e/.gitignore", "/only-here\n**/anywhere\ndir/\n");
    place.write("e/only-here", "");
    place.write("e/f/only-here", "");
    place.write("e/f/anywhere", "");
    place.write("e/f/dir/x", "");
    place.write("e/dir", "a file\n");
    place.agrees();
}

#[test]
fn a_rule_file_that_is_a_link_is_not_followed() {
    let place = Place::new();
    place.write("rules", "*.x\n");
    std::fs::create_dir(place.path("q")).unwrap();
    place.link("../rules", "q/.gitignore");
    place.write("q/a.x", "a\n");
    place.agrees();
}

#[test]
fn rules_of_this_clone_only_are_named() {
    let place = Place::new();
    place.write(".git/info/exclude", "zz*\n");
    place.write("../private rules", "gg*\n");
    place.config("core.excludesFile", place.root.join("private rules").to_str().unwrap());
    assert_eq!(place.agrees().notes.private_rules, [""; 0]);
    place.write("zz1", "z\n");
    assert_eq!(place.agrees().notes.private_rules, [".git/info/exclude"]);
    place.write("gg1", "g\n");
    assert_eq!(place.agrees().notes.private_rules, [".git/info/exclude", "~/private rules"]);
}

#[test]
fn line_endings() {
    for setting in ["true", "input", "false"] {
        let place = Place::new();
        place.write("crlf.txt", "a\r\nb\r\n");
        place.commit("crlf");
        place.config("core.autocrlf", setting);
        place.write("a.txt", "a\r\nb\r\nc\r\n");
        place.write("n.txt", "n\r\n");
        place.write("bin", "n\r\n\0");
        place.write("mixed", "m\r\nx\n");
        place.append("crlf.txt", "c\r\n");
        place.agrees();
    }
}

#[test]
fn refusing_line_endings_is_no_reason_to_refuse_a_snapshot() {
    let place = Place::new();
    place.config("core.autocrlf", "input");
    place.config("core.safecrlf", "true");
    place.write("n.txt", "n\r\n");
    place.agrees();
}

#[test]
fn attributes_for_line_endings_and_encodings() {
    let place = Place::new();
    place.write(
        ".gitattributes",
        "*.txt text eol=crlf\n*.bin -text\n*.sh text eol=lf\n*.c ident\n*.u working-tree-encoding=UTF-16LE\n",
    );
    place.write("a.txt", "a\r\nb\r\nz\r\n");
    place.write("q.bin", "q\r\n");
    place.write("w.sh", "w\r\n");
    place.write("i.c", "// $Id: abc $\n");
    place.write("t.u", b"h\0i\0\n\0");
    place.write("d/.gitattributes", "*.txt -text\n");
    place.write("d/raw.txt", "r\r\n");
    assert_eq!(place.agrees().notes.private_rules, [""; 0]);
}

#[test]
fn attributes_of_this_clone_only_are_named() {
    let place = Place::new();
    place.settle();
    place.write(".git/info/attributes", "*.txt text\n*.rs diff=rust\n");
    place.write("x.rs", "r\r\n");
    assert_eq!(place.agrees().notes.private_rules, [""; 0]);
    place.write("n.txt", "n\r\n");
    assert_eq!(place.agrees().notes.private_rules, [".git/info/attributes"]);
}

#[test]
fn a_clean_filter() {
    let place = Place::new();
    place.config("filter.up.clean", "tr a-z A-Z");
    place.config("filter.up.smudge", "cat");
    place.write(".gitattributes", "*.f filter=up\n");
    place.write("x.f", "abc\n");
    place.write("d/y.f", "def\n");
    place.agrees();
}

#[test]
fn a_clean_filter_that_fails() {
    let place = Place::new();
    place.config("filter.bad.clean", "false");
    place.write(".gitattributes", "*.f filter=bad\n");
    place.write("x.f", "abc\n");
    place.agrees();
    place.config("filter.bad.required", "true");
    let error = place.try_snapshot(Keep::Nothing).unwrap_err();
    assert_eq!(error.code, Code::Rapid1507);
    assert!(error.message.contains("'x.f'") && error.message.contains("'bad'"), "{error:?}");
}

#[test]
fn a_filter_that_is_not_installed() {
    let place = Place::new();
    place.config("filter.none.clean", "no-such-command-here %f");
    place.write(".gitattributes", "*.f filter=none\n*.g filter=undefined\n");
    place.write("x.f", "abc\n");
    place.write("x.g", "abc\n");
    place.agrees();
    place.config("filter.none.required", "true");
    assert_eq!(place.try_snapshot(Keep::Nothing).unwrap_err().code, Code::Rapid1507);
}

#[test]
fn a_filter_that_runs_on() {
    let place = Place::new();
    place.write("../filter.py", LONG_RUNNING);
    place.config("filter.pp.process", &format!("python3 '{}'", place.root.join("filter.py").display()));
    place.config("filter.pp.required", "true");
    place.write(".gitattributes", "*.f filter=pp\n");
    for name in ["x.f", "y.f", "d/z.f"] {
        place.write(name, name);
    }
    place.agrees();
}

/// A filter that stays alive for many files, as git-lfs does; it makes everything upper case.
const LONG_RUNNING: &str = r"
import sys
i, o = sys.stdin.buffer, sys.stdout.buffer
def packet():
    n = int(i.read(4) or b'0', 16)
    return None if n == 0 else i.read(n - 4)
def packets():
    out = []
    while True:
        p = packet()
        if p is None: return out
        out.append(p)
def write(b): o.write(b'%04x' % (len(b) + 4) + b); o.flush()
def flush(): o.write(b'0000'); o.flush()
packets(); write(b'git-filter-server\n'); write(b'version=2\n'); flush()
packets(); write(b'capability=clean\n'); flush()
while True:
    head = packets()
    if not head: break
    data = b''.join(packets())
    write(b'status=success\n'); flush(); write(data.upper()); flush(); flush()
";
