//! What a program is told to run by its words: wrappers, shells, interpreters, and which room knows the others.

use super::{Resolver, files, wrappers};
use crate::diagnostics::Result;

/// An interpreter: its names, its options that take a value, and those whose value is the program itself.
struct Interpreter {
    names: &'static [&'static str],
    with_value: &'static [&'static str],
    inline: &'static [&'static str],
}

const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "fish", "busybox"];

const INTERPRETERS: &[Interpreter] = &[
    Interpreter { names: &["python", "pypy"], with_value: &["-W", "-X", "--check-hash-based-pycs"], inline: &["-c"] },
    Interpreter {
        names: &["node", "nodejs", "tsx", "ts-node"],
        with_value: &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "-C",
            "--conditions",
            "--env-file",
            "--test-reporter",
            "--test-reporter-destination",
            "--test-name-pattern",
        ],
        inline: &["-e", "--eval", "-p", "--print"],
    },
    Interpreter { names: &["ruby"], with_value: &["-r", "-I", "-C", "-E"], inline: &["-e"] },
    Interpreter { names: &["perl"], with_value: &["-I", "-M"], inline: &["-e", "-E"] },
    Interpreter { names: &["php"], with_value: &["-d", "-c", "-z"], inline: &["-r"] },
    Interpreter { names: &["lua", "luajit"], with_value: &["-l"], inline: &["-e"] },
    Interpreter {
        names: &["tclsh", "Rscript", "julia", "osascript", "pwsh"],
        with_value: &["-File"],
        inline: &["-e", "-c"],
    },
];

/// A program's name: no directory; of Python without the version.
pub(super) fn name(word: &str) -> &str {
    let name = word.rsplit('/').next().unwrap_or(word);
    for python in ["python", "pypy"] {
        if name.strip_prefix(python).is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.')) {
            return python;
        }
    }
    name
}

impl Resolver<'_> {
    pub(super) fn program(&mut self, words: &[String], dir: &str) -> Result<()> {
        if let Some(inner) = wrappers::unwrap(words) {
            for file in inner.files {
                self.setting(dir, file)?;
            }
            let place = match &inner.dir {
                None => Some(dir.to_owned()),
                Some(to) => files::join(dir, to),
            };
            let Some(dir) = place else {
                self.unresolved(inner.dir.as_deref().unwrap_or_default());
                return Ok(());
            };
            return match &inner.text {
                Some(text) => self.shell(text, &dir),
                None => self.command(&inner.command, &dir),
            };
        }
        let Some((program, rest)) = words.split_first() else { return Ok(()) };
        if program.contains(['$', '`', '*']) {
            self.unresolved(program);
            return Ok(());
        }
        let known = name(program);
        // A file of the tree is what it says, whatever its name.
        if program.contains('/') && self.file(dir, program, false)? {
            return self.settings(known, rest, dir).map(drop);
        }
        if SHELLS.contains(&known) {
            return self.shell_program(rest, dir);
        }
        if let Some(interpreter) = INTERPRETERS.iter().find(|one| one.names.contains(&known)) {
            return self.interpreter(interpreter, known, rest, dir);
        }
        match known {
            "make" | "gmake" => self.make(rest, dir),
            "just" => self.just(rest, dir),
            "npm" | "pnpm" | "yarn" | "bun" => self.package_runner(known, rest, dir),
            "npm-run-all" | "npm-run-all2" | "run-s" | "run-p" | "concurrently" => self.several_scripts(rest, dir),
            "coverage" if rest.first().is_some_and(|word| word == "run") => {
                let rest: Vec<String> = rest.iter().skip(1).filter(|word| !word.starts_with("--")).cloned().collect();
                self.setting(dir, ".coveragerc")?;
                self.command(&[vec!["python".to_owned()], rest].concat(), dir)
            }
            _ => {
                let told = self.settings(known, rest, dir)?;
                // In the working copy, not in the tree, and nothing that is known by its name.
                if !told && program.contains('/') && !program.starts_with('/') {
                    self.unresolved(program);
                }
                Ok(())
            }
        }
    }

    /// A shell: a text after `-c`, or a file.
    fn shell_program(&mut self, words: &[String], dir: &str) -> Result<()> {
        let (mut text, mut options) = (false, true);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--" => options = false,
                "--rcfile" | "--init-file" => {
                    if let Some(file) = words.next() {
                        self.file(dir, file, false)?;
                    }
                }
                long if options && long.starts_with("--") => {}
                flags if options && flags.len() > 1 && flags.starts_with(['-', '+']) => {
                    text |= flags.starts_with('-') && flags.contains('c');
                    if flags.contains(['o', 'O']) {
                        words.next();
                    }
                }
                _ if text => return self.shell(word, dir),
                _ => return self.script(word, words.as_slice(), dir),
            }
        }
        Ok(())
    }

    fn interpreter(&mut self, of: &Interpreter, known: &str, words: &[String], dir: &str) -> Result<()> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let word = word.as_str();
            match word {
                "-m" if known == "python" || known == "pypy" => {
                    let command: Vec<String> = words.as_slice().to_vec();
                    return self.module(&command, dir);
                }
                "--run" if known == "node" => {
                    let script = words.next().cloned().unwrap_or_default();
                    return self.package_script(dir, &script);
                }
                // What follows names tests, no program.
                "--test" if known == "node" => return Ok(()),
                _ if of.inline.contains(&word) => return Ok(()),
                _ if of.with_value.contains(&word) => {
                    if let Some(value) = words.next() {
                        self.file(dir, value, false)?;
                    }
                }
                _ if word.starts_with('-') && word.len() > 1 => {
                    if let Some((_, value)) = word.split_once('=') {
                        self.file(dir, value, false)?;
                    }
                }
                _ => return self.script(word, words.as_slice(), dir),
            }
        }
        Ok(())
    }

    /// A module of Python: one of the tree, or a program.
    fn module(&mut self, command: &[String], dir: &str) -> Result<()> {
        let Some(module) = command.first() else { return Ok(()) };
        let path = module.replace('.', "/");
        let own =
            self.file(dir, &format!("{path}.py"), false)? | self.file(dir, &format!("{path}/__main__.py"), false)?;
        if own { Ok(()) } else { self.command(command, dir) }
    }

    /// The file that an interpreter runs. Where the tree has none of that name, the word may be an option's value, so what
    /// follows is looked at too.
    fn script(&mut self, word: &str, rest: &[String], dir: &str) -> Result<()> {
        let main = format!("{word}/__main__.py");
        if self.file(dir, word, false)? || self.file(dir, &main, false)? {
            return Ok(());
        }
        // `php vendor/bin/phpunit`, `node node_modules/.bin/jest`: a program by another way.
        if word.contains('/') && self.settings(name(word), rest, dir)? {
            return Ok(());
        }
        let mut found = false;
        for word in rest.iter().filter(|word| !word.starts_with('-')) {
            found |= self.file(dir, word, false)?;
        }
        if !found {
            self.unresolved(word);
        }
        Ok(())
    }
}
