//! Finished stories on a branch of their own, when the configuration wants it.

use super::players::Stage;
use super::undone::files;

const PER_STORY: &str = "[git]\ncommit = \"per-story\"\n";

#[test]
fn each_finished_story_is_one_commit_of_its_own_files_and_nothing_of_the_users_moves() {
    for jobs in ["1", "2"] {
        let stage = Stage::new("echo \"$(state)\" >> \"$id é.txt\"; rm -f old.txt; forward");
        stage.configured(PER_STORY);
        stage.story(1, "Ready", "");
        stage.story(2, "Ready", "STORY-001");
        stage.project.write("old.txt", "x");
        stage.commit();
        stage.project.write("staged.txt", "staged");
        stage.git(&["add", "staged.txt"]);
        stage.project.write("untracked.txt", "mine");
        let (head, branch) = (stage.git(&["rev-parse", "HEAD"]), stage.git(&["symbolic-ref", "HEAD"]));
        let index = std::fs::read(stage.project.top().join(".git/index")).unwrap();
        let _ = stage.run(&["run", "--jobs", jobs]).ends(0).says("is committed on rapid/stories");
        assert_eq!(stage.git(&["rev-parse", "HEAD"]), head);
        assert_eq!(stage.git(&["symbolic-ref", "HEAD"]), branch);
        assert_eq!(std::fs::read(stage.project.top().join(".git/index")).unwrap(), index);
        let log = stage.git(&["log", "--format=%s|%(trailers:key=Rapid-Story,valueonly)", "rapid/stories", "^HEAD"]);
        let subjects: Vec<&str> =
            log.split_whitespace().filter(|word| word.starts_with("STORY-") && word.ends_with(':')).collect();
        assert_eq!(subjects, ["STORY-002:", "STORY-001:"], "{log}");
        assert_eq!(log.matches("|STORY-00").count(), 2, "a trailer each: {log}");
        let names = |rev: &str| {
            let all = stage.git(&["show", "--format=", "--name-status", "--no-renames", "-z", rev]);
            all.split('\0').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        let first = ["M", ".regista/stories/STORY-001.md", "A", "STORY-001 é.txt", "D", "old.txt"];
        assert_eq!(names("rapid/stories~1"), first);
        let second = names("rapid/stories");
        assert!(second.iter().all(|word| !word.contains("001") && word != "untracked.txt"), "{second:?}");
        let story = stage.git(&["show", "rapid/stories:.regista/stories/STORY-002.md"]);
        assert!(story.contains("**Done**") && story.contains("Business Review → Done"), "{story}");
        assert!(stage.records().contains("STORY-001 is committed on rapid/stories"));
        stage.git(&["fsck", "--strict"]);
        let repo = crate::harness::Repo::at(stage.project.world(), stage.project.top());
        assert!(repo.shows_each_kind().contains("stories/0000.json"), "what was recorded of a story is shown");
        let _ = repo.rapid(&["show", "STORY-002"]).ok().says("stories/").says("what it changes of the record before");
        stage.verifies();
    }
}

#[test]
fn a_branch_that_is_checked_out_is_left_alone() {
    let stage = Stage::new("echo x > x.txt; forward");
    stage.configured(PER_STORY);
    stage.story(1, "Business Review", "");
    stage.commit();
    stage.git(&["switch", "-q", "-c", "rapid/stories"]);
    let (head, before) = (stage.git(&["rev-parse", "HEAD"]), files(&stage.project.top()));
    let ended = stage.run(&["run"]).ends(0);
    assert!(
        ended.stderr.contains("not committed on rapid/stories: the branch rapid/stories is checked out"),
        "{ended}"
    );
    assert!(ended.stderr.contains("RAPID1853"), "{ended}");
    assert_eq!(stage.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(files(&stage.project.top()).len(), before.len() + 1);
}

#[test]
fn by_default_nothing_is_committed_anywhere() {
    let stage = Stage::new("echo x > x.txt; forward");
    stage.story(1, "Business Review", "");
    stage.commit();
    let branches = stage.git(&["for-each-ref", "refs/heads"]);
    let _ = stage.run(&["run"]).ends(0);
    assert_eq!(stage.git(&["for-each-ref", "refs/heads"]), branches);
}

#[test]
fn what_reorders_or_hides_text_in_a_title_is_written_out_in_the_commit() {
    let stage = Stage::new("echo x > x.txt; forward");
    stage.configured(PER_STORY);
    let id = "STORY-001";
    let text = super::story(id, "Business Review", "");
    let (first, rest) = text.split_once('\n').unwrap();
    stage.project.story(id, format!("{first} a\u{202e}b\u{200b}c\u{1b}d\n{rest}"));
    stage.commit();
    let _ = stage.run(&["run"]).ends(0).says("is committed on rapid/stories");
    let message = stage.git(&["log", "-1", "--format=%B", "rapid/stories"]);
    assert!(!message.contains(['\u{202e}', '\u{200b}', '\u{1b}']), "{message:?}");
    assert!(message.contains("a\\u{202e}b\\u{200b}c d"), "{message:?}");
}
