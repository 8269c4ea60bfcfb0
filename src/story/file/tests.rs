//! Tests of reading and writing story files.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets what it does not expect fails"
)]

use super::*;
use crate::story::finding::Severity;
use proptest::prelude::*;

fn read(text: &str) -> StoryFile {
    StoryFile::parse(&StoryId::of("STORY-001"), text.as_bytes())
}

fn kinds(file: &StoryFile) -> Vec<&'static str> {
    file.findings.iter().map(|finding| finding.kind.as_str()).collect()
}

const WHOLE: &str = "# STORY-001: Un título: más\n\n## Status\n**Draft**\n\n## Epic\nEPIC-01\n\n## Descripción\nAlgo.\n\n\
    ## Criterios de aceptación\n- [ ] CA1\n- [x] CA2\n\n## Dependencias\n- Bloqueado por: STORY-002, story-003 (casi)\n\n\
    ## Activity Log\n- 2026-05-01 | PO | Creada\n";

#[test]
fn a_whole_story_is_read() {
    let file = read(WHOLE);
    assert_eq!(file.findings, []);
    assert_eq!((file.title_id.as_deref(), file.title.as_str()), (Some("STORY-001"), "Un título: más"));
    assert_eq!((file.state(), file.epic.as_deref()), (Some(Status::Draft), Some("EPIC-01")));
    assert_eq!(
        file.dependencies.iter().map(|dep| (dep.id.as_str(), dep.line)).collect::<Vec<_>>(),
        [("STORY-002", 17), ("STORY-003", 17)]
    );
    assert_eq!(file.criteria, Criteria { total: 2, met: 1 });
    assert_eq!(file.log.as_ref().unwrap().entries, 1);
    let word = file.status.unwrap();
    assert_eq!((&WHOLE[word.range], word.line), ("Draft", 4));
}

#[test]
fn english_headings_are_the_same() {
    let english = WHOLE
        .replace("Descripción", "Description")
        .replace("Criterios de aceptación", "Acceptance criteria")
        .replace("Dependencias", "Dependencies")
        .replace("Bloqueado por", "Blocked by");
    let (one, other) = (read(WHOLE), read(&english));
    assert_eq!(one.dependencies, other.dependencies);
    assert_eq!((one.criteria, one.findings), (other.criteria, other.findings));
    let by_heading = WHOLE.replace("## Dependencias\n- Bloqueado por: ", "## Blocked by\n- ");
    assert_eq!(read(&by_heading).dependencies.len(), 2);
}

#[test]
fn the_state_is_read_as_people_write_it() {
    let cases: &[(&str, Option<Status>, &str)] = &[
        ("## Status\n**Draft**", Some(Status::Draft), "Draft"),
        ("## Status:\n\n\n  **in review**  ", Some(Status::InReview), "in review"),
        ("## STATUS\n__Tests Ready__ <!-- x -->", Some(Status::TestsReady), "Tests Ready"),
        ("## Status\n**Draft** ← uno de los 9 estados", Some(Status::Draft), "Draft"),
        ("## Estado\nTests  Ready", Some(Status::TestsReady), "Tests  Ready"),
        ("## Status\r\n**Done**\r\n", Some(Status::Done), "Done"),
        ("\u{feff}## Status\n**Ready**", Some(Status::Ready), "Ready"),
        ("```\n## Status\n**Done**\n```\n## Status\n**Ready**", Some(Status::Ready), "Ready"),
        ("## Status\n**Ready**\n## Status\n**Done**", Some(Status::Ready), "Ready"),
        ("## Status\nReady to go", None, ""),
        ("## Status\nReady2", None, ""),
        ("## Status\n**Hecho**", None, ""),
        ("## Status\n\n## Epic\nDone", None, ""),
        ("### Status\nDone", None, ""),
        ("## Statuses\nDone", None, ""),
        ("", None, ""),
    ];
    for (text, status, word) in cases {
        let file = read(text);
        assert_eq!(file.state(), *status, "{text:?}");
        if let Some(found) = &file.status {
            assert_eq!(&text[found.range.clone()], *word, "{text:?}");
        } else {
            let errors = file.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
            assert_eq!(errors, 1, "{text:?} {:?}", file.findings);
        }
    }
    let finding = &read("# STORY-001: x\n\n## Status\n**TestsReady**").findings[0];
    assert_eq!(finding.line, Some(4));
    assert_eq!(finding.message, "'**TestsReady**' is none of the nine states; did you mean 'Tests Ready'?");
}

#[test]
fn only_wording_that_blocks_blocks_and_the_rest_is_said() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("(Ninguna)", &[], &[]),
        ("- **Bloqueado por:** STORY-002", &["STORY-002"], &[]),
        ("- Bloqueado por: STORY-002\n- Bloqueada por: STORY-003", &["STORY-002", "STORY-003"], &[]),
        ("- Bloqueado por:\n  - STORY-002\n  - STORY-003", &["STORY-002", "STORY-003"], &[]),
        ("Depends on STORY-V10-006.", &["STORY-V10-006"], &[]),
        ("- Relacionada con STORY-009", &[], &["dependency-ignored"]),
        ("- Bloqueado por: STORY-002\n- Desbloquea... véase STORY-004", &["STORY-002"], &["dependency-ignored"]),
        ("- Bloqueado por: STORY-002, STORY-002", &["STORY-002"], &["dependency-twice"]),
        ("- Bloqueado por: HISTORY-002, STORY-, MYSTORY-3", &[], &[]),
    ];
    for (text, ids, expected) in cases {
        let whole = WHOLE.replace("- Bloqueado por: STORY-002, story-003 (casi)", text);
        let file = read(&whole);
        assert_eq!(file.dependencies.iter().map(|dep| dep.id.as_str()).collect::<Vec<_>>(), *ids, "{text}");
        assert_eq!(kinds(&file), *expected, "{text}");
    }
}

#[test]
fn what_is_missing_is_said() {
    assert_eq!(
        kinds(&read("# Other\n\n## Status\nDraft\n\n## Epic\nnone\n\n```\nopen")),
        ["title-missing", "epic-unread", "description-missing", "criteria-missing", "log-missing", "fence-open"]
    );
    assert_eq!(kinds(&read(&WHOLE.replace("# STORY-001", "# STORY-002"))), ["title-mismatch"]);
    let bad = StoryFile::parse(&StoryId::of("STORY-001"), b"# a\n\nb\xff\n## Status\nDone");
    assert_eq!((kinds(&bad), bad.findings[0].line, bad.state()), (vec!["not-utf8"], Some(3), None));
}

#[test]
fn writing_a_state_changes_its_word_only() {
    for text in [
        WHOLE.to_owned(),
        WHOLE.replace('\n', "\r\n"),
        format!("\u{feff}{WHOLE}"),
        WHOLE.trim_end().to_owned(),
        WHOLE.replace("**Draft**", "  __Draft__ ← ñandú  "),
    ] {
        let file = read(&text);
        let out = set_status(text.as_bytes(), &file, Status::BusinessReview).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), text.replacen("Draft", "Business Review", 1));
    }
    assert_eq!(set_status(b"x", &read("x"), Status::Done), None);
}

#[test]
fn a_log_line_is_added_at_the_end_of_the_log() {
    let add = |text: &str| String::from_utf8(append_log(text.as_bytes(), &read(text), "- d | QA | a\r\nb")).unwrap();
    let line = "- d | QA | a b";
    assert_eq!(add(WHOLE), format!("{WHOLE}{line}\n"));
    assert_eq!(add(WHOLE.trim_end()), format!("{}\n{line}", WHOLE.trim_end()), "no line end appears at the end");
    let crlf = WHOLE.replace('\n', "\r\n");
    assert_eq!(add(&crlf), format!("{crlf}{line}\r\n"));
    let followed = format!("{WHOLE}\n\n## Notes\nx\n");
    assert_eq!(add(&followed), format!("{WHOLE}{line}\n\n\n## Notes\nx\n"));
    assert_eq!(add("## Activity Log"), format!("## Activity Log\n{line}"));
    assert_eq!(add("## Status\nDone\n"), format!("## Status\nDone\n\n## Activity Log\n{line}\n"));
    assert_eq!(add("## Status\nDone"), format!("## Status\nDone\n\n## Activity Log\n{line}"));
    assert_eq!(add(""), format!("## Activity Log\n{line}\n"));
    let changed = add(WHOLE);
    assert!(log_differs((&read(WHOLE), WHOLE.as_bytes()), (&read(&changed), changed.as_bytes())));
    let other = WHOLE.replace("Algo", "Otro");
    assert!(!log_differs((&read(WHOLE), WHOLE.as_bytes()), (&read(&other), other.as_bytes())));
}

#[test]
fn a_cut_at_every_byte_does_no_harm() {
    let text = WHOLE.replace('\n', "\r\n");
    for cut in 0..=text.len() {
        let bytes = &text.as_bytes()[..cut];
        let file = StoryFile::parse(&StoryId::of("STORY-001"), bytes);
        if std::str::from_utf8(bytes).is_err() {
            assert_eq!(file.findings.len(), 1);
        }
        let longer = append_log(bytes, &file, "- ñ");
        assert!(longer.len() > bytes.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_and_written_without_loss(lines in proptest::collection::vec(prop_oneof![
        Just("## Status".to_owned()), Just("**Draft**".to_owned()), Just("## Activity Log".to_owned()), Just("```".to_owned()),
        Just("~~~~".to_owned()), Just("- 2026 | QA | á".to_owned()), Just("## Dependencias".to_owned()),
        Just("- Bloqueado por: STORY-9".to_owned()), Just("".to_owned()), ".{0,12}",
    ], 0..14), crlf in any::<bool>(), junk in proptest::collection::vec(any::<u8>(), 0..3)) {
        let mut bytes = lines.join(if crlf { "\r\n" } else { "\n" }).into_bytes();
        bytes.extend(junk);
        let id = StoryId::of("STORY-001");
        let file = StoryFile::parse(&id, &bytes);
        if let Some(out) = set_status(&bytes, &file, Status::InReview) {
            let again = StoryFile::parse(&id, &out);
            prop_assert_eq!(again.state(), Some(Status::InReview));
            let old = file.status.clone().unwrap();
            prop_assert_eq!(&out[..old.range.start], &bytes[..old.range.start]);
            prop_assert_eq!(&out[out.len() - (bytes.len() - old.range.end)..], &bytes[old.range.end..]);
        }
        let out = append_log(&bytes, &file, "- new | QA | line");
        let entry = b"- new | QA | line";
        let at = out.windows(entry.len()).position(|window| window == entry).unwrap();
        // Without what was put in, the text is what it was.
        let heading: &[u8] = b"## Activity Log";
        let put = if file.log.is_some() { entry.len() } else { entry.len() + heading.len() };
        prop_assert!(out.len() - bytes.len() >= put && out.len() - bytes.len() <= put + 8);
        prop_assert!(bytes.starts_with(&out[..at.min(file.log.as_ref().map_or(0, |log| log.end))]));
        if std::str::from_utf8(&bytes).is_ok() {
            let again = StoryFile::parse(&id, &out);
            prop_assert_eq!(again.state(), file.state());
            let names = |file: &StoryFile| file.dependencies.iter().map(|dep| dep.id.clone()).collect::<Vec<_>>();
            prop_assert_eq!(names(&again), names(&file));
        }
    }
}
