//! What the words of the command say by themselves: a rehearsal prints a normal green total without running a test.
//!
//! Only a cheap extra: it can take a pass away, never give one. Not here: parsing a shell; words and the operators
//! between simple commands are enough.

/// Flags with which test runners list, build or rehearse instead of running.
const REHEARSALS: &[&str] = &[
    "--dry-run",
    "--dryrun",
    "--list",
    "--list-tests",
    "--listTests",
    "--gtest_list_tests",
    "--collect-only",
    "--collectonly",
    "--setup-plan",
    "--no-run",
    "--notest",
    "-DskipTests",
    "-DskipTests=true",
    "-Dmaven.test.skip",
    "-Dmaven.test.skip=true",
];

/// Programs whose rehearsal says nothing about the tests beside them.
const OTHERS: &[&str] = &["git", "docker", "podman", "helm", "kubectl", "rsync", "terraform", "twine", "pip", "apt"];

/// Subcommands that publish or build rather than test, of programs that also run tests.
const PUBLISHING: &[&str] = &["publish", "pack", "package", "install", "build", "clean", "bench", "upgrade", "update"];

/// Programs that print text somebody wrote.
const PRINTERS: &[&str] = &["echo", "printf", "cat"];

/// Why a command runs no test although its output may look as if it did.
pub(super) fn rehearses(command: &[String]) -> Option<&'static str> {
    let script = command.join(" ");
    let parts: Vec<Vec<&str>> = script
        .split(['\n', ';', '|', '&'])
        .map(|part| part.split_whitespace().map(bare).collect::<Vec<&str>>())
        .filter(|words| !words.is_empty())
        .collect();
    if parts.iter().any(|words| is_rehearsal(words)) {
        return Some("the command only lists, builds or rehearses the tests");
    }
    let prints = |words: &Vec<&str>| program(words).is_some_and(|name| PRINTERS.contains(&name));
    let substitutes = script.contains("$(") || script.contains('`');
    if !parts.is_empty() && !substitutes && parts.iter().all(prints) {
        return Some("the command only prints text");
    }
    None
}

/// The word without the quotes around it.
fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', '(', ')'])
}

/// The program of a simple command, behind a shell that was given it as a text.
fn program<'w>(words: &[&'w str]) -> Option<&'w str> {
    let shells = ["sh", "bash", "dash", "zsh", "-c", "-lc", "-ec", "env", "sudo", "time", "exec"];
    words.iter().copied().find(|word| !shells.contains(word))
}

fn is_rehearsal(words: &[&str]) -> bool {
    let other =
        program(words).is_some_and(|name| OTHERS.contains(&name)) || words.iter().any(|word| PUBLISHING.contains(word));
    !other && words.iter().any(|word| REHEARSALS.contains(word))
}
