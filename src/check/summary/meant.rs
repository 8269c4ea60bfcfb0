//! Which runner a command names: `python3 -m unittest` prints no summary of mocha, and one that stands there is a test's.
//!
//! And where a runner is named, also behind a pipe or by make before it starts it, that runner must have shown something.
//!
//! Only a cheap extra, like `command`: it can take a pass away, never give one, and failures count whoever prints them. It
//! says nothing where a command is not plain: behind make, npm and scripts any runner may be, and an option that chooses a
//! reporter may choose any format.

use super::finding::{Findings, Notice};
use super::runner::Lines;
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

/// More commands whose runner prints a total. Beside it they may print others: here no session is given up.
const ALSO: &[(&[&str], &[Runner])] = &[
    (&["cargo", "test"], &[Runner::CargoTest]),
    (&["cargo", "t"], &[Runner::CargoTest]),
    (&["dotnet", "test"], &[Runner::Dotnet]),
    (&["swift", "test"], &[Runner::Xctest, Runner::SwiftTesting]),
    (&["mix", "test"], &[Runner::Exunit]),
    (&["dart", "test"], &[Runner::Dart]),
    (&["flutter", "test"], &[Runner::Dart]),
    (&["playwright", "test"], &[Runner::Playwright]),
    (&["behave"], &[Runner::Behave]),
    (&["trial"], &[Runner::Trial]),
    (&["busted"], &[Runner::Busted, Runner::Googletest]),
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

/// Gives up green sessions of runners that the command does not name, and says so where the runner that it names shows nothing.
pub(super) fn keep(command: &[String], lines: &Lines<'_>, findings: &mut Findings) {
    let script = command.join(" ");
    if let Some(meant) = meant(&script) {
        let before = findings.sessions.len();
        findings.sessions.retain(|session| session.counts.failed > 0 || meant.contains(&session.runner));
        if findings.sessions.len() < before {
            findings.outer_notice(Uncounted::None, FOREIGN);
            if findings.sessions.is_empty() {
                findings.red(usize::MAX, FOREIGN);
            }
        }
    }
    let shown = |group: &[Runner]| {
        let of = |runner: Runner| group.contains(&runner) || runner.is_format() || runner == Runner::Tap;
        let uncounted = |notice: &Notice| notice.runner.is_some_and(of) && notice.why == Uncounted::NoCounts;
        findings.sessions.iter().any(|session| of(session.runner)) || findings.notices.iter().any(uncounted)
    };
    // Where something explains already why nothing ran, there is no total to miss.
    let explained =
        findings.sessions.is_empty() && findings.notices.iter().any(|notice| notice.why > Uncounted::NoCounts);
    // Beside other totals a word that is no command may be the name of anything.
    let named = named(&script, !findings.sessions.is_empty());
    let echoed = lines.iter().map(|line| echoed(line)).filter(|group| !group.is_empty());
    if !explained && named.chain(echoed).any(|group| !shown(group)) {
        findings.red(usize::MAX, NO_TOTAL);
    }
}

const FOREIGN: &str = "the summary in the output is not of the runner that the command names";
const NO_TOTAL: &str = "a runner was to be started that prints a total when it ends, and there is none";

/// The runners that the commands of a script name, also behind what hides their output; `strict`: only as the command itself.
fn named(script: &str, strict: bool) -> impl Iterator<Item = &'static [Runner]> {
    let parts = script.split(['\n', ';', '|', '&', '(', ')']);
    let words = parts.map(|part| part.split_whitespace().map(bare).skip_while(is_before).collect::<Vec<&str>>());
    words.filter_map(move |words| match strict {
        true => starting(&words, true),
        false => (0..words.len()).find_map(|at| starting(words.get(at..)?, true)),
    })
}

/// The runners of a command that make, npm or a shell shows before it runs it.
fn echoed(line: &str) -> &'static [Runner] {
    let command = line.trim_start_matches(['>', '+', '$', ' ']);
    if line.len() > LONGEST || !COMMANDS.iter().chain(ALSO).any(|(words, _)| may_begin(command, words)) {
        return &[];
    }
    let words: Vec<&str> = command.split_whitespace().map(bare).skip_while(is_before).collect();
    starting(&words, false).unwrap_or_default()
}

/// Nobody types longer commands.
const LONGEST: usize = 500;

/// A cheap look before the words are taken apart.
fn may_begin(command: &str, words: &[&str]) -> bool {
    words.iter().all(|word| command.contains(word))
}

fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', '(', ')'])
}

fn is_before(word: &&str) -> bool {
    BEFORE.contains(word) || word.is_empty() || word.contains('=')
}

/// The runners that a script names; nothing where anything else may print.
fn meant(script: &str) -> Option<Vec<Runner>> {
    if script.contains(['$', '`', '<', '>']) || REPORTING.iter().any(|part| script.contains(part)) {
        return None;
    }
    let mut all = Vec::new();
    for part in script.split(['\n', ';', '|', '&']) {
        let words: Vec<&str> = part.split_whitespace().map(bare).skip_while(is_before).collect();
        match words.first() {
            None => {}
            Some(word) if SILENT.contains(word) => {}
            Some(_) => all.extend_from_slice(runners(&words)?),
        }
    }
    (!all.is_empty()).then_some(all)
}

fn runners(words: &[&str]) -> Option<&'static [Runner]> {
    COMMANDS.iter().find(|(start, _)| begins(words, start, false)).map(|(_, runners)| *runners)
}

/// The runners of the command that these words are; with `options`, other words may stand among those that name it.
fn starting(words: &[&str], options: bool) -> Option<&'static [Runner]> {
    COMMANDS.iter().chain(ALSO).find(|(start, _)| begins(words, start, options)).map(|(_, runners)| *runners)
}

fn begins(words: &[&str], start: &[&str], options: bool) -> bool {
    let (Some((first, rest)), Some((program, others))) = (start.split_first(), words.split_first()) else {
        return false;
    };
    let program = program.rsplit('/').next().unwrap_or(program);
    let program = if program.starts_with("python3") { "python" } else { program };
    let follow = || if options { rest.iter().all(|word| others.contains(word)) } else { others.starts_with(rest) };
    *first == program && follow()
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

    #[test]
    fn a_runner_is_named_behind_anything() {
        for (script, runner) in [
            ("sh -c python3 -m unittest discover -s t 2>&1 | tail -1", Runner::Unittest),
            ("timeout 60 python3 -W error -m pytest -qq > log", Runner::Pytest),
            ("cd sub; cargo test --workspace", Runner::CargoTest),
            ("(pytest)", Runner::Pytest),
        ] {
            assert_eq!(named(script, false).next().unwrap_or_default().first(), Some(&runner), "{script}");
        }
        assert_eq!(echoed("> jest --ci"), [Runner::Jest]);
        assert_eq!(echoed("+ CI=1 python3 -m unittest"), [Runner::Unittest]);
        for script in ["sh test.sh", "make test", "npm test", "cargo build", "python3 tests.py"] {
            assert_eq!(named(script, false).next(), None, "{script}");
            assert!(echoed(script).is_empty(), "{script}");
        }
    }
}
