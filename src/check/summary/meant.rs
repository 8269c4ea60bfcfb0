//! Which runner a command names: `python3 -m unittest` prints no summary of mocha, and one that stands there is a test's.
//!
//! Only a cheap extra, like `command`: it can take a pass away, never give one, and failures count whoever prints them. It
//! says nothing where a command is not plain: behind make, npm and scripts any runner may be, and an option that chooses a
//! reporter may choose any format.

use super::finding::Findings;
use super::{Runner, Uncounted};

/// The words a command begins with, and whose summaries it prints.
const COMMANDS: &[(&[&str], &[Runner])] = &[
    (&["python", "-m", "unittest"], &[Runner::Unittest]),
    (&["python", "-m", "pytest"], &[Runner::Pytest]),
    (&["pytest"], &[Runner::Pytest]),
    (&["nose2"], &[Runner::Unittest]),
    (&["node", "--test"], &[Runner::NodeTest]),
    (&["jest"], &[Runner::Jest]),
    (&["vitest"], &[Runner::Vitest]),
    (&["mocha"], &[Runner::Mocha]),
    (&["jasmine"], &[Runner::Jasmine]),
    (&["ava"], &[Runner::Ava]),
    (&["deno", "test"], &[Runner::Deno]),
    (&["bun", "test"], &[Runner::Bun]),
    (&["go", "test"], &[Runner::GoTest, Runner::Ginkgo]),
    (&["ginkgo"], &[Runner::Ginkgo, Runner::GoTest]),
    (&["rspec"], &[Runner::Rspec]),
    (&["phpunit"], &[Runner::Phpunit]),
    (&["prove"], &[Runner::Prove, Runner::Tap]),
    (&["bats"], &[Runner::Bats, Runner::Tap]),
    (&["ctest"], &[Runner::Ctest]),
    (&["cargo", "nextest"], &[Runner::Nextest, Runner::CargoTest]),
];

/// Words before a program that start it and print nothing of their own.
const BEFORE: [&str; 16] = [
    "sh", "bash", "dash", "-c", "-lc", "-ec", "env", "time", "exec", "npx", "pnpx", "bunx", "poetry", "uv", "run",
    "bundle",
];

/// Commands around a runner that print no summary.
const SILENT: [&str; 9] = ["true", "false", "exit", "cd", "export", "set", "unset", "wait", ":"];

/// Parts of words with which runners are told what to print.
const REPORTING: [&str; 9] = ["report", "format", "junit", "tap", "json", "output", "-R", "-f", "-p"];

/// Gives up green sessions of runners that the command does not name.
pub(super) fn keep(command: &[String], findings: &mut Findings) {
    let Some(meant) = meant(&command.join(" ")) else { return };
    let before = findings.sessions.len();
    findings.sessions.retain(|session| session.counts.failed > 0 || meant.contains(&session.runner));
    if findings.sessions.len() < before {
        findings.outer_notice(Uncounted::None, "the summary in the output is not of the runner that the command names");
    }
}

/// The runners that a script names; nothing where anything else may print.
fn meant(script: &str) -> Option<Vec<Runner>> {
    if script.contains(['$', '`', '<', '>']) || REPORTING.iter().any(|part| script.contains(part)) {
        return None;
    }
    let mut all = Vec::new();
    for part in script.split(['\n', ';', '|', '&']) {
        let words = part.split_whitespace().map(|word| word.trim_matches(['"', '\'', '(', ')']));
        let is_before = |word: &&str| BEFORE.contains(word) || word.is_empty() || word.contains('=');
        let words: Vec<&str> = words.skip_while(is_before).collect();
        match words.first() {
            None => {}
            Some(word) if SILENT.contains(word) => {}
            Some(_) => all.extend_from_slice(runners(&words)?),
        }
    }
    (!all.is_empty()).then_some(all)
}

fn runners(words: &[&str]) -> Option<&'static [Runner]> {
    let program = words.first()?.rsplit('/').next()?;
    let program = if program.starts_with("python3") { "python" } else { program };
    let names = |start: &&(&[&str], &'static [Runner])| {
        let (first, rest) = start.0.split_first()?;
        (*first == program && words.get(1..)?.starts_with(rest)).then_some(())
    };
    COMMANDS.iter().find(|start| names(start).is_some()).map(|(_, runners)| *runners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_commands_name_their_runner() {
        for (script, runner) in [
            ("pytest -q", Runner::Pytest),
            ("sh -c 'cd sub && CI=1 python3.11 -m unittest -v || true'", Runner::Unittest),
            ("./node_modules/.bin/mocha test", Runner::Mocha),
            ("npx jest --ci", Runner::Jest),
            ("node --test ; exit 0", Runner::NodeTest),
        ] {
            assert_eq!(meant(script).unwrap_or_default().first(), Some(&runner), "{script}");
        }
        for script in [
            "",
            "make test",
            "npm test",
            "sh test.sh",
            "pytest; ./more.sh",
            "pytest | tail",
            "mocha --reporter tap",
            "true",
        ] {
            assert_eq!(meant(script), None, "{script}");
        }
    }
}
