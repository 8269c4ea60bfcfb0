//! Words in front of a command that run it: `env`, `timeout 60`, `npx`, `poetry run` … Not here: shells and interpreters.

use super::programs::name;

/// A wrapper: its words, its options that take a value, and how many words of its own come before the command.
struct Wrapper {
    words: &'static [&'static str],
    with_value: &'static [&'static str],
    own: usize,
    /// Files of the tree that say what the command's name means.
    files: &'static [&'static str],
}

const fn plain(words: &'static [&'static str], with_value: &'static [&'static str], own: usize) -> Wrapper {
    Wrapper { words, with_value, own, files: &[] }
}

const fn runner(
    words: &'static [&'static str],
    with_value: &'static [&'static str],
    files: &'static [&'static str],
) -> Wrapper {
    Wrapper { words, with_value, own: 0, files }
}

const WRAPPERS: &[Wrapper] = &[
    plain(&["env"], &["-u", "--unset", "-C", "--chdir"], 0),
    plain(&["timeout"], &["-s", "--signal", "-k", "--kill-after"], 1),
    plain(&["gtimeout"], &["-s", "--signal", "-k", "--kill-after"], 1),
    plain(&["nice"], &["-n", "--adjustment"], 0),
    plain(&["ionice"], &["-c", "-n", "-p"], 0),
    plain(&["nohup"], &[], 0),
    plain(&["time"], &["-f", "-o", "--format", "--output"], 0),
    plain(&["command"], &[], 0),
    plain(&["exec"], &["-a"], 0),
    plain(&["setsid"], &[], 0),
    plain(&["stdbuf"], &["-i", "-o", "-e"], 0),
    plain(&["unbuffer"], &[], 0),
    plain(&["xvfb-run"], &["-s", "--server-args", "-n", "--server-num", "-e", "-f", "-p", "-w"], 0),
    plain(&["dbus-run-session"], &["--config-file", "--dbus-daemon"], 0),
    plain(&["sudo"], &["-u", "-g", "-C", "-h", "-p"], 0),
    plain(&["taskset"], &[], 1),
    plain(&["flock"], &["-w", "-E"], 1),
    plain(&["catchsegv"], &[], 0),
    plain(&["cross-env"], &[], 0),
    plain(&["cross-env-shell"], &[], 0),
    plain(&["dotenv"], &["-e", "-c", "-v", "-f"], 0),
    plain(&["npx"], &["-p", "--package"], 0),
    plain(&["bunx"], &["-p", "--package"], 0),
    plain(&["npm", "exec"], &["-p", "--package"], 0),
    plain(&["npm", "x"], &["-p", "--package"], 0),
    plain(&["pnpm", "exec"], &[], 0),
    plain(&["pnpm", "dlx"], &[], 0),
    plain(&["yarn", "exec"], &[], 0),
    plain(&["yarn", "dlx"], &["-p", "--package"], 0),
    plain(&["bun", "x"], &[], 0),
    plain(&["uvx"], &["--from", "--with", "-p", "--python"], 0),
    plain(&["pipx", "run"], &["--spec", "--python"], 0),
    plain(&["c8"], &["-r", "--reporter", "-o", "--reports-dir"], 0),
    plain(&["nyc"], &["-r", "--reporter"], 0),
    plain(&["bundle", "exec"], &[], 0),
    plain(&["opam", "exec"], &["--switch"], 0),
    plain(&["direnv", "exec"], &[], 1),
    plain(&["mise", "exec"], &[], 0),
    plain(&["conda", "run"], &["-n", "-p", "--name", "--prefix", "--cwd"], 0),
    plain(&["micromamba", "run"], &["-n", "-p"], 0),
    plain(&["stack", "exec"], &[], 0),
    plain(&["dune", "exec"], &["--root"], 0),
    plain(&["uv", "run"], &["--with", "-p", "--python", "--extra", "--group", "--env-file", "--package"], 0),
    runner(&["poetry", "run"], &[], &["pyproject.toml#tool.poetry.scripts"]),
    runner(&["pipenv", "run"], &[], &["Pipfile"]),
    runner(&["pdm", "run"], &["-p", "--project"], &["pyproject.toml#tool.pdm.scripts"]),
    runner(&["hatch", "run"], &[], &["pyproject.toml#tool.hatch.envs", "hatch.toml"]),
    runner(&["rye", "run"], &[], &["pyproject.toml#tool.rye.scripts"]),
    runner(&["pixi", "run"], &["-e", "--environment"], &["pixi.toml", "pyproject.toml#tool.pixi"]),
];

/// A command with its wrapper taken away.
pub(super) struct Unwrapped<'a> {
    pub(super) command: Vec<String>,
    /// Files of the tree that say what the command's name means.
    pub(super) files: &'a [&'a str],
    /// A text that the wrapper splits by itself (`env -S`).
    pub(super) text: Option<String>,
    /// The directory that it changes to.
    pub(super) dir: Option<String>,
}

/// Takes one wrapper away, or the variables that are set before a command; `None` where there is none.
pub(super) fn unwrap(words: &[String]) -> Option<Unwrapped<'static>> {
    let assigned = words.iter().take_while(|word| is_assignment(word)).count();
    if assigned > 0 {
        let command = words.iter().skip(assigned).cloned().collect();
        return Some(Unwrapped { command, files: &[], text: None, dir: None });
    }
    let wrapper = WRAPPERS.iter().find(|wrapper| {
        let own = wrapper.words.iter().zip(words).enumerate();
        words.len() >= wrapper.words.len()
            && own.into_iter().all(|(at, (known, word))| if at == 0 { name(word) == *known } else { word == known })
    })?;
    let mut rest = words.iter().skip(wrapper.words.len()).peekable();
    let (mut own, mut dir) = (wrapper.own, None);
    while let Some(word) = rest.peek().map(|word| word.as_str()) {
        match word {
            "--" => drop(rest.next()),
            "-S" | "--split-string" if wrapper.words == ["env"] => {
                let text = rest.skip(1).cloned().collect::<Vec<_>>().join(" ");
                return Some(Unwrapped { command: Vec::new(), files: &[], text: Some(text), dir });
            }
            "-c" | "--call" if matches!(wrapper.words, ["npx" | "cross-env-shell", ..] | ["npm", ..]) => {
                return Some(Unwrapped { command: Vec::new(), files: &[], text: rest.nth(1).cloned(), dir });
            }
            // A module: the rest is for whatever runs Python.
            "-m" | "--module" if wrapper.words == ["uv", "run"] => {
                let command = ["python".to_owned(), "-m".to_owned()].into_iter().chain(rest.skip(1).cloned()).collect();
                return Some(Unwrapped { command, files: wrapper.files, text: None, dir });
            }
            "-C" | "--chdir" | "--cwd" if wrapper.with_value.contains(&word) && wrapper.words != ["sudo"] => {
                rest.next();
                dir = rest.next().cloned();
            }
            word if word.starts_with("--chdir=") => {
                dir = word.split_once('=').map(|(_, place)| place.to_owned());
                rest.next();
            }
            word if wrapper.with_value.contains(&word) => drop((rest.next(), rest.next())),
            word if word.starts_with('-') && word.len() > 1 => drop(rest.next()),
            word if is_assignment(word) => drop(rest.next()),
            _ if own > 0 => {
                own -= 1;
                rest.next();
            }
            _ => break,
        }
    }
    Some(Unwrapped { command: rest.cloned().collect(), files: wrapper.files, text: None, dir })
}

/// Whether a word sets a variable: `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
