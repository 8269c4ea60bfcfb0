//! What programs do with their arguments, as far as the guard has to know: shells, interpreters, runners, readers.
//!
//! Not here: git (`git`), and what a command is wrapped in (`wrappers`). A program that is in no list is taken to write.

use super::spelling::Topic;
use super::wrappers;

/// A program's name: no directory, no `.exe`, lower case.
pub(super) fn name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word).to_ascii_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

/// Programs that make a terminal where there is none.
pub(super) fn fakes_a_terminal<'a>(program: &'a str, arguments: &[String]) -> Option<&'a str> {
    let always = [
        "script",
        "expect",
        "unbuffer",
        "faketty",
        "autoexpect",
        "empty",
        "zssh",
        "sexpect",
        "dtach",
        "abduco",
        "rlwrap",
        "ttyd",
        "gotty",
        "reptyr",
    ];
    let has = |test: &dyn Fn(&str) -> bool| arguments.iter().any(|word| test(&word.to_ascii_lowercase()));
    let sometimes = match program {
        "socat" => has(&|word| word.contains("pty")),
        "systemd-run" => has(&|word| word == "--pty" || is_letters_with(word, 't')),
        _ => {
            is_interpreter(program)
                && arguments.iter().zip(arguments.iter().skip(1)).any(|(m, pty)| m == "-m" && pty == "pty")
        }
    };
    (always.contains(&program) || sometimes).then_some(program)
}

/// Programs that keep a terminal of their own, into which text can be typed.
pub(super) fn keeps_a_terminal(program: &str) -> bool {
    ["tmux", "screen", "byobu", "zellij"].contains(&program)
}

/// Whether it is a shell.
pub(super) fn is_shell(program: &str) -> bool {
    ["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"].contains(&program)
}

/// The text that a shell is given with `-c`, alone or among other letters.
pub(super) fn text_of_shell(arguments: &[String]) -> Option<&str> {
    let at =
        arguments.iter().position(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('c'))?;
    // Further options may stand before it.
    let text = arguments.iter().skip(at + 1).find(|word| !word.starts_with(['-', '+']));
    text.map(String::as_str)
}

/// What standard input is to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// Commands, or code.
    Commands,
    /// Something that it works on.
    Data,
}

/// What a program with these arguments takes its standard input for.
pub(super) fn reads_input(program: &str, arguments: &[String]) -> Unread {
    let told = is_shell(program) && text_of_shell(arguments).is_some();
    let options = arguments.iter().all(|word| word.starts_with('-'));
    let code = is_interpreter(program) && !code_of(program, arguments).is_empty();
    match options && !told && !code && (is_shell(program) || is_interpreter(program)) {
        true => Unread::Commands,
        false if runs_its_input(program) && !is_shell(program) => Unread::Commands,
        false => Unread::Data,
    }
}

/// The code among an interpreter's arguments: what stands behind `-c` and `-e`, and what looks like it. What follows a script's
/// name is said to the script.
pub(super) fn code_of<'a>(program: &str, arguments: &'a [String]) -> Vec<&'a str> {
    let mut code = Vec::new();
    let (mut before, mut in_script) = ("", false);
    for word in arguments.iter().map(String::as_str) {
        let is_flagged = ["-c", "-e", "-E", "-r", "-p", "--eval", "--print"].contains(&before);
        let looks_like_it = word.contains([' ', '(', '\n']) || word.starts_with("-c") || word.starts_with("-e");
        if is_flagged || (looks_like_it && !in_script) {
            code.push(word);
        }
        let is_file = word.contains(['.', '/']) && !word.contains([' ', '=']) && !before.starts_with('-');
        in_script |= before == "-m" || (is_file && !program.ends_with("awk") && !word.starts_with('-'));
        before = word;
    }
    code
}

/// Whether words are a command that still waits for the words that decide.
pub(super) fn is_open(words: &[String]) -> bool {
    let Some((program, arguments)) = words.split_first() else { return false };
    let program = name(program);
    let verb = arguments.first().map(String::as_str).unwrap_or_default();
    match program.as_str() {
        "git" => ["", "rapid", "update-ref", "symbolic-ref", "push"].contains(&verb),
        "git-rapid" => true,
        _ => is_shell(&program) || is_interpreter(&program),
    }
}

/// Whether it may do what its input speaks of: change the files that a patch names, or run what it is told to decide.
pub(super) fn takes_in(program: &str, arguments: &[String], topic: Topic) -> bool {
    let verb = arguments.first().map(String::as_str).unwrap_or_default();
    let patches =
        ["patch", "ed", "ex", "red"].contains(&program) || (program == "git" && ["apply", "am"].contains(&verb));
    // What is only kept in a file is not run yet.
    let runs = program != "tee" && program != "git" && runs_words(program, arguments) && !BUILDERS.contains(&program);
    patches || (runs && topic == Topic::Decision)
}

/// Whether a variable names what a program runs.
pub(super) fn runs_variable(name: &str) -> bool {
    ["EDITOR", "PAGER", "_COMMAND", "ASKPASS", "BASH_ENV", "EXTERNAL_DIFF"].iter().any(|end| name.ends_with(end))
        || name == "ENV"
}

/// Whether the word behind `option` may be text that a program runs.
pub(super) fn is_told(program: &str, option: &str) -> bool {
    match () {
        () if BUILDERS.contains(&program) => ["-c", "-s", "-x", "--call", "--exec", "--shell"].contains(&option),
        () if is_shell(program) || is_interpreter(program) => false,
        () => true,
    }
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
        "mawk",
        "tclsh",
        "osascript",
    ]
    .contains(&bare)
}

/// Whether its standard input is commands.
pub(super) fn runs_its_input(program: &str) -> bool {
    is_shell(program) || ["at", "batch", "crontab", "ssh", "source", ".", "parallel", "su", "make"].contains(&program)
}

/// Whether it is a word that stands at the head of a command of its own, wherever it is found.
pub(super) fn heads_a_command(word: &str, of: &str) -> bool {
    let word = name(word);
    let known = ["git", "git-rapid", "eval", "unset", "source"].contains(&word.as_str())
        || is_shell(&word)
        || removes(&word)
        || (is_interpreter(&word) && !word.ends_with("awk"))
        || wrappers::is_one(&word);
    known || (RUNNERS.contains(&of) && fakes_a_terminal(&word, &[]).is_some())
}

/// Programs that are told a command to run.
const RUNNERS: &[&str] =
    &["find", "fd", "fdfind", "tmux", "screen", "systemd-run", "at", "su", "runuser", "git", "git-rapid"];

/// Programs whose words are only said to somebody.
pub(super) fn only_says(program: &str) -> bool {
    ["gh", "glab", "hub", "curl", "wget", "notify-send", "say", "mail", "logger", "wall"].contains(&program)
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
        "find" | "fd" | "fdfind" => !has(&["-delete", "-exec", "-ok", "-fprint", "-fls", "-x", "-X", "--exec"]),
        "sort" => !has(&["-o", "--output"]),
        "yq" => !has(&["-i", "--inplace"]),
        // The second of two is written.
        "xxd" | "uniq" => arguments.iter().filter(|word| !word.starts_with('-')).count() < 2,
        "awk" | "gawk" | "mawk" => {
            !has(&["-i"])
                && !arguments.iter().any(|word| ["system(", "|", "print >", ">"].iter().any(|sign| word.contains(sign)))
        }
        _ => READERS.contains(&program) || BUILDERS.contains(&program),
    }
}

/// Letters of options run together, like `-ni`, up to a value that stands behind them.
fn is_letters_with(word: &str, letter: char) -> bool {
    let letters = word.strip_prefix('-').unwrap_or_default();
    letters.chars().take_while(char::is_ascii_alphabetic).any(|c| c == letter)
}

/// Whether it may run its arguments as commands of their own: what only reads or only speaks does not, git does with a few
/// verbs, and what builds and tests does too.
pub(super) fn runs_words(program: &str, arguments: &[String]) -> bool {
    match program {
        "git" => ["submodule", "bisect", "rebase", "difftool", "mergetool", "for-each-repo"]
            .iter()
            .any(|verb| arguments.iter().any(|word| word == verb)),
        "git-rapid" => false,
        _ => BUILDERS.contains(&program) || !(only_reads(program, arguments) || only_says(program)),
    }
}

/// What builds and tests: it writes where it is told by files, not by its arguments.
const BUILDERS: &[&str] = &["cargo", "npm", "npx", "pnpm", "yarn", "make", "pytest", "go"];

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
    "od",
    "hexdump",
    "strings",
    "cut",
    "tr",
    "nl",
    "true",
    "false",
    "sleep",
    "tac",
    "rev",
    "column",
    "comm",
    "base64",
    "for",
    "case",
    "in",
    "return",
    "exit",
    "printenv",
];

/// The arguments that a program may write to: all of them, but for one that copies, whose last is where it copies to.
pub(super) fn targets<'a>(program: &str, arguments: &'a [String]) -> &'a [String] {
    let copies = ["cp", "rsync", "scp"].contains(&program);
    // It could also make a link, or be told where in an option.
    let elsewhere = |word: &String| word.starts_with("--") || (word.starts_with('-') && word.contains(['t', 'l', 's']));
    match arguments.len().checked_sub(1) {
        Some(last) if copies && !arguments.iter().any(elsewhere) => arguments.get(last..).unwrap_or_default(),
        _ => arguments,
    }
}

/// Whether it takes files away or gives them another name, so that a directory above what is protected counts too.
pub(super) fn removes(program: &str) -> bool {
    ["rm", "rmdir", "mv", "ln", "unlink", "shred", "trash", "truncate"].contains(&program)
}
