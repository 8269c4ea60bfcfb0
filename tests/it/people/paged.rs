//! What is long is read in the pager that git would take, at a terminal and nowhere else.

use crate::harness::{Loop, Repo, World, answer, project};

/// `git rapid` with these words at a terminal, and these variables set.
fn at_a_terminal(repo: &Repo, words: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = repo.tool();
    command.args(words).envs(variables.iter().copied());
    answer(command, "nothing is asked", "").ok().stdout
}

#[test]
fn a_long_answer_is_read_in_the_pager_that_git_would_take() {
    let repo = project(&World::new(), "work");
    Loop::start(&repo, "Say more");
    let paged = [("GIT_PAGER", "sed 's/^/paged: /'")];
    for words in [&["log"][..], &["show", "say-more-r1-run-001"], &["evidence", "log", "E002"]] {
        let plain = repo.rapid(words).ok().stdout;
        let shown = at_a_terminal(&repo, words, &paged);
        assert_eq!(shown.lines().filter(|line| line.starts_with("paged: ")).count(), plain.lines().count(), "{shown}");
    }
    for none in ["cat", "no-such-pager-here -R"] {
        let shown = at_a_terminal(&repo, &["log"], &[("GIT_PAGER", none)]);
        assert!(shown.contains("start say-more-r1-run-001"), "{none}: {shown}");
    }
    let document = at_a_terminal(&repo, &["log", "--json"], &paged);
    assert!(document.starts_with('{'), "{document}");
    let status = at_a_terminal(&repo, &["status"], &paged);
    assert!(!status.contains("paged: "), "{status}");
    repo.git(&["config", "core.pager", "head -n 1"]);
    let first = at_a_terminal(&repo, &["log"], &[]);
    assert_eq!(first.trim().lines().count(), 1, "who has read enough ends it: {first}");
}
