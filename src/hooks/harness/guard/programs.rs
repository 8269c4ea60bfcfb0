//! What programs do with their arguments, as far as the guard has to know: wrappers, shells, interpreters, readers.
//!
//! Not here: git (`git`). A program that is in no list is taken to write.

use super::{Denied, PLAIN, unsets};

/// A program's name: no directory, no `.exe`, lower case.
pub(super) fn name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

/// The command without what it is wrapped in (`env`, `sudo`, `timeout 5`, `xargs` …).
pub(super) fn unwrap(words: &[String]) -> Result<Vec<String>, Denied> {
    let mut words: Vec<String> = words.to_vec();
    // Each round takes at least one word away.
    while let Some(first) = words.first() {
        let wrapper = name(first);
        let Some((_, with_value)) = WRAPPERS.iter().find(|(known, _)| *known == wrapper) else { break };
        let mut rest = words.iter().skip(1).peekable();
        while let Some(word) = rest.peek() {
            let word = word.as_str();
            if wrapper == "env" {
                match word {
                    "-i" | "-" | "--ignore-environment" => {
                        return Err(Denied::new("'env -i' would take away what says that an agent is at work", PLAIN));
                    }
                    "-u" | "--unset" => rest.clone().nth(1).map_or(Ok(()), |name| unsets(name))?,
                    "-S" | "--split-string" => {
                        let text = rest.clone().nth(1).cloned().unwrap_or_default();
                        return Ok(text.split_whitespace().map(str::to_owned).collect());
                    }
                    _ => {}
                }
                if let Some(name) =
                    word.strip_prefix("--unset=").or_else(|| word.strip_prefix("-u").filter(|name| !name.is_empty()))
                {
                    unsets(name)?;
                }
                if let Some((name, value)) = word.split_once('=').filter(|_| !word.starts_with('-')) {
                    super::sets(name, value)?;
                    rest.next();
                    continue;
                }
            }
            if with_value.contains(&word) {
                rest.next();
                rest.next();
            } else if word.starts_with('-') && word.len() > 1 {
                rest.next();
            } else {
                break;
            }
        }
        let mut rest: Vec<String> = rest.cloned().collect();
        // `timeout 5 cmd`, `flock FILE cmd`: one word of its own before the command.
        if matches!(wrapper.as_str(), "timeout" | "flock" | "chroot" | "taskset") && !rest.is_empty() {
            rest.remove(0);
        }
        words = rest;
    }
    Ok(words)
}

/// Wrappers, and their options that take the next word with them.
const WRAPPERS: &[(&str, &[&str])] = &[
    ("env", &["-u", "--unset", "-C", "--chdir"]),
    ("command", &[]),
    ("builtin", &[]),
    ("exec", &["-a"]),
    ("nohup", &[]),
    ("setsid", &[]),
    ("nice", &["-n"]),
    ("ionice", &["-c", "-n", "-p"]),
    ("time", &[]),
    ("timeout", &["-k", "-s", "--kill-after", "--signal"]),
    ("stdbuf", &["-i", "-o", "-e"]),
    ("sudo", &["-u", "-g", "-C"]),
    ("doas", &["-u"]),
    ("xargs", &["-I", "-n", "-P", "-L", "-d", "-a", "-s"]),
    ("busybox", &[]),
    ("flock", &["-w", "-E"]),
    ("unshare", &[]),
    ("chroot", &[]),
    ("strace", &["-o", "-e"]),
    ("watch", &["-n"]),
    ("parallel", &["-j"]),
];

/// Programs that make a terminal where there is none.
pub(super) fn fakes_a_terminal<'a>(program: &'a str, arguments: &[String]) -> Option<&'a str> {
    let always = ["script", "expect", "unbuffer", "faketty", "autoexpect", "empty", "zssh"];
    let socat = program == "socat" && arguments.iter().any(|word| word.to_ascii_lowercase().contains("pty"));
    (always.contains(&program) || socat).then_some(program)
}

/// Whether it is a shell.
pub(super) fn is_shell(program: &str) -> bool {
    ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"].contains(&program)
}

/// The text that a shell is given with `-c`, alone or among other letters.
pub(super) fn text_of_shell(arguments: &[String]) -> Option<&str> {
    let at =
        arguments.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))?;
    arguments.get(at + 1).map(String::as_str)
}

/// Whether a shell with these arguments reads its commands from standard input.
pub(super) fn reads_input(arguments: &[String]) -> bool {
    arguments.iter().all(|word| word.starts_with('-')) && text_of_shell(arguments).is_none()
}

/// Whether it runs code in a language of its own.
pub(super) fn is_interpreter(program: &str) -> bool {
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    [
        "python",
        "pypy",
        "node",
        "nodejs",
        "deno",
        "bun",
        "perl",
        "ruby",
        "php",
        "lua",
        "awk",
        "gawk",
        "tclsh",
        "osascript",
    ]
    .contains(&bare)
}

/// Whether it is known to write nothing but its output.
pub(super) fn only_reads(program: &str, arguments: &[String]) -> bool {
    let has = |options: &[&str]| arguments.iter().any(|word| options.iter().any(|option| word.starts_with(option)));
    match program {
        // Judged where git is judged.
        "git" | "git-rapid" => true,
        "sed" | "gsed" => {
            !has(&["-i", "--in-place", "-n -i"]) && !arguments.iter().any(|word| is_letters_with(word, 'i'))
        }
        "find" | "fd" => !has(&["-delete", "-exec", "-ok", "-fprint", "-fls", "-x", "-X", "--exec"]),
        "sort" => !has(&["-o", "--output"]),
        _ => READERS.contains(&program),
    }
}

/// Letters of options run together, like `-ni`, up to a value that stands behind them.
fn is_letters_with(word: &str, letter: char) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.chars().take_while(char::is_ascii_alphabetic).any(|c| c == letter)
}

/// Whether it may run its arguments as commands of their own: what only reads does not, git does with a few verbs.
pub(super) fn runs_words(program: &str, arguments: &[String]) -> bool {
    match program {
        "git" => ["submodule", "bisect", "rebase", "difftool", "mergetool"]
            .iter()
            .any(|verb| arguments.iter().any(|word| word == verb)),
        _ => !only_reads(program, arguments),
    }
}

const READERS: &[&str] = &[
    "cat",
    "bat",
    "ls",
    "eza",
    "exa",
    "tree",
    "head",
    "tail",
    "less",
    "more",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "ag",
    "wc",
    "diff",
    "cmp",
    "stat",
    "file",
    "du",
    "df",
    "test",
    "[",
    "[[",
    "echo",
    "printf",
    "pwd",
    "which",
    "type",
    "realpath",
    "readlink",
    "basename",
    "dirname",
    "sha256sum",
    "sha1sum",
    "md5sum",
    "shasum",
    "jq",
    "yq",
    "xxd",
    "od",
    "hexdump",
    "strings",
    "cut",
    "tr",
    "uniq",
    "nl",
    "true",
    "false",
    "sleep",
    "cargo",
    "npm",
    "make",
    "pytest",
    "for",
    "case",
    "in",
];

/// Whether it takes files away, so that a directory above what is protected counts too.
pub(super) fn removes(program: &str) -> bool {
    ["rm", "rmdir", "mv", "unlink", "shred", "trash", "truncate"].contains(&program)
}
