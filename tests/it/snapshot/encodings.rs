//! `working-tree-encoding`: whatever git's iconv can read, with marks of byte order or without, beside other attributes.

use super::oracle::{Place, everything};
use git_rapid::diagnostics::Code;
use git_rapid::git::Keep;
use std::os::unix::fs::PermissionsExt;

const TEXT: &str = "h\u{e9}2 $Id: x $\r\nline\n";

fn utf16(mark: bool, big: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    let units = mark.into_iter().chain(TEXT.encode_utf16());
    units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

fn utf32(mark: bool, big: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    let units = mark.into_iter().chain(TEXT.chars().map(u32::from));
    units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

/// Encodings, and bytes in them that git takes.
fn readable() -> Vec<(&'static str, Vec<u8>)> {
    let latin: Vec<u8> = TEXT.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).chain([0x80, 0x9f, 0xff]).collect();
    vec![
        ("UTF-16", utf16(true, true)),
        ("UTF-16", utf16(true, false)),
        ("utf-16", utf16(true, true)),
        ("UTF16", utf16(true, true)),
        ("UTF-16LE", utf16(false, false)),
        ("UTF-16BE", utf16(false, true)),
        ("UTF-16LE-BOM", utf16(true, false)),
        ("UTF-32", utf32(true, true)),
        ("UTF-32", utf32(true, false)),
        ("UTF-32LE", utf32(false, false)),
        ("UTF-32BE", utf32(false, true)),
        ("UTF-7", b"h+AOk-2\r\n".to_vec()),
        ("UTF-8", TEXT.as_bytes().to_vec()),
        ("utf8", b"\xff not utf-8\r\n".to_vec()),
        ("latin-1", latin.clone()),
        ("ISO-8859-1", latin.clone()),
        ("ISO-8859-15", latin.clone()),
        ("windows-1252", b"h\xe9\x80\r\n".to_vec()),
        ("CP437", b"h\x82\r\n".to_vec()),
        ("KOI8-R", latin),
        ("SHIFT-JIS", b"\x83\x65\x83\x58\x83\x67\r\n".to_vec()),
        ("EUC-JP", b"\xa5\xc6\r\n".to_vec()),
        ("GB18030", b"\xc4\xe3\r\n".to_vec()),
    ]
}

/// The encodings that this git knows, each with a file of its own, as it is named in the attributes.
fn known() -> Vec<(String, &'static str, Vec<u8>)> {
    let place = Place::new();
    let named = readable().into_iter().enumerate();
    let takes = |(name, encoding, bytes): &(String, &str, Vec<u8>)| {
        place.write(".gitattributes", format!("{name} text working-tree-encoding={encoding}\n"));
        place.write(name, bytes);
        place.try_git(&["add", "-n", name]) && place.try_git(&["hash-object", "-w", name])
    };
    let known: Vec<_> = named.map(|(nth, (encoding, bytes))| (format!("{nth}.e"), encoding, bytes)).collect();
    let known: Vec<_> = known.into_iter().filter(takes).collect();
    assert!(known.iter().filter(|(_, encoding, _)| encoding.to_lowercase().starts_with("utf")).count() >= 12);
    assert!(known.iter().any(|(_, encoding, _)| *encoding == "latin-1"));
    known
}

#[test]
fn every_encoding_that_git_knows() {
    let known = known();
    let others = ["text", "", "text=auto", "text eol=crlf", "eol=lf ident", "-text ident", "text filter=up"];
    for (nth, other) in others.iter().enumerate() {
        let place = Place::new();
        place.config("core.autocrlf", ["false", "true", "input"][nth % 3]);
        if nth % 2 == 1 {
            // In the index as they are, CR LF and all, and at a path of their own.
            for (name, _, bytes) in &known {
                place.write(name, bytes);
                place.write(format!("d/{name}"), "a\r\n");
            }
            place.commit("without attributes");
        }
        place.config("filter.up.clean", "tr x y");
        let lines =
            known.iter().map(|(name, encoding, _)| format!("{name} {other} working-tree-encoding={encoding}\n"));
        place.write(".gitattributes", lines.collect::<String>());
        for (name, _, bytes) in &known {
            place.write(name, bytes);
            place.write(format!("d/{name}"), bytes);
        }
        place.agrees();
        place.commit("with attributes");
        place.settle();
        place.agrees();
        place.write(&known[0].0, &known[0].2[..known[0].2.len() - 4]);
        let told = place.agrees();
        let filters = if other.contains("filter") { vec!["filter.up of git's configuration"] } else { vec![] };
        assert_eq!(told.notes.private_rules, filters, "{other}");
    }
}

#[test]
fn a_committed_script_with_a_mark_of_byte_order_is_covered() {
    let place = Place::new();
    place.write(".gitattributes", "*.ps1 text working-tree-encoding=UTF-16\n");
    place.write("a.ps1", utf16(true, true));
    place.write("b.ps1", utf16(true, false));
    place.commit("scripts");
    assert_eq!(place.agrees().tree.to_string(), place.git(&["rev-parse", "HEAD^{tree}"]));
    // What is new, racy, hidden by a flag, or only in the index as a rule.
    place.write("d/c.ps1", utf16(true, true));
    place.git(&["update-index", "--assume-unchanged", "a.ps1"]);
    place.write("a.ps1", utf16(true, false).repeat(2));
    place.git(&["add", "-N", "d/c.ps1"]);
    place.agrees();
    place.remove(".gitattributes");
    place.git(&["update-index", "--skip-worktree", ".gitattributes"]);
    place.agrees();
}

#[test]
fn what_git_refuses_is_refused_and_named() {
    let cases: [(&str, &[u8]); 5] = [
        ("working-tree-encoding=UTF-16", b"h\0i\0"),
        ("working-tree-encoding=UTF-16LE", b"\xff\xfeh\0"),
        ("working-tree-encoding=UTF-16LE", b"odd"),
        ("working-tree-encoding=no-such-thing", b"x"),
        ("working-tree-encoding", b"x"),
    ];
    for (rule, bytes) in cases {
        let place = Place::new();
        place.write("good.e", utf16(true, true));
        place.write(".gitattributes", format!("good.e working-tree-encoding=UTF-16\nbad.e text {rule}\n"));
        place.agrees();
        place.write("bad.e", bytes);
        assert!(!place.try_git(&["add", "bad.e"]), "{rule}");
        let error = place.try_snapshot(Keep::Nothing).unwrap_err();
        assert_eq!(error.code, Code::Rapid1507);
        assert!(error.message.contains("'bad.e'") && !error.message.contains("good.e"), "{error:?}");
    }
}

#[test]
fn asking_git_starts_nothing_and_leaves_nothing() {
    let place = Place::new();
    place.write(".git/hooks/post-index-change", "#!/bin/sh\ntouch \"$GIT_DIR/it-ran\"\n");
    std::fs::set_permissions(place.path(".git/hooks/post-index-change"), std::fs::Permissions::from_mode(0o755))
        .unwrap();
    place.config("core.splitIndex", "true");
    place.write(".gitattributes", "*.e working-tree-encoding=latin-1\n");
    for nth in 0..250 {
        place.write(format!("{nth}.e"), format!("{nth}\u{e9}"));
    }
    let before = everything(&place.root);
    let told = place.snapshot();
    assert_eq!(before, everything(&place.root));
    assert!(told.untracked.len() > 250);
}
