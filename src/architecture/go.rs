//! Go: the import declarations at the head of a file, and the modules of the repository.

use super::{
    cursor::Cursor,
    escape::unescape,
    path,
    project::Project,
    reference::{Reference, Target},
};
use std::collections::BTreeMap;

/// One imported package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import {
    pub(super) line: u32,
    pub(super) path: String,
}

enum Token<'a> {
    Name(&'a str),
    Text(String),
    Mark(char),
}

/// Reads the imports of a file. They end where the first other declaration begins.
pub(super) fn read(text: &str) -> Vec<Import> {
    let mut cursor = Cursor::new(text);
    let mut imports = Vec::new();
    let mut grouped = false;
    // `import`, and the alias behind it, announce a path.
    let mut announced = false;
    while let Some((line, token)) = next(&mut cursor) {
        match token {
            Token::Text(path) if announced || grouped => {
                imports.push(Import { line, path });
                announced = false;
            }
            Token::Mark('(') if announced => (grouped, announced) = (true, false),
            Token::Mark(')') if grouped => grouped = false,
            Token::Name("import") if !grouped => announced = true,
            Token::Name("func" | "type" | "var" | "const") if !grouped => break,
            _ => {}
        }
    }
    imports
}

fn next<'a>(cursor: &mut Cursor<'a>) -> Option<(u32, Token<'a>)> {
    loop {
        cursor.take_while(char::is_whitespace);
        let line = cursor.line();
        if cursor.eat("//") {
            cursor.skip_line();
        } else if cursor.eat("/*") {
            cursor.skip_past("*/");
        } else if let Some(name) = cursor.name() {
            return Some((line, Token::Name(name)));
        } else {
            return match cursor.bump()? {
                '"' => Some((line, Token::Text(unescape(quoted(cursor, '"'))))),
                '\'' => {
                    quoted(cursor, '\'');
                    Some((line, Token::Mark('\'')))
                }
                '`' => {
                    let text = cursor.take_while(|c| c != '`');
                    cursor.bump();
                    Some((line, Token::Text(text.replace('\r', ""))))
                }
                mark => Some((line, Token::Mark(mark))),
            };
        }
    }
}

/// What stands up to the closing quote, or to the end of the line where there is none.
fn quoted<'a>(cursor: &mut Cursor<'a>, quote: char) -> &'a str {
    let start = cursor.at();
    loop {
        match cursor.peek() {
            Some('\\') => {
                cursor.bump();
                cursor.bump();
            }
            Some(c) if c != quote && c != '\n' => drop(cursor.bump()),
            _ => break,
        }
    }
    let text = cursor.since(start);
    if cursor.peek() == Some(quote) {
        cursor.bump();
    }
    text
}

/// The modules of the repository, by path, and the files of its packages, by directory.
pub(super) struct Modules {
    modules: BTreeMap<String, String>,
    packages: BTreeMap<String, Vec<String>>,
}

impl Modules {
    pub(super) fn of(project: &Project) -> Modules {
        let found = project.manifests("go.mod").filter_map(|(dir, text)| Some((module_of(text)?, dir.to_owned())));
        let mut packages: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in project.files().filter(|file| file.ends_with(".go") && !file.ends_with("_test.go")) {
            packages.entry(path::parent(file).to_owned()).or_default().push(file.to_owned());
        }
        Modules { modules: found.collect(), packages }
    }

    pub(super) fn resolve(&self, file: &str, import: &Import) -> Reference {
        let directory = match import.path.starts_with("./") || import.path.starts_with("../") {
            true => path::resolve(path::parent(file), &import.path),
            false => self.directory(&import.path),
        };
        let target = match directory {
            // A package that has no file yet still lies where its files would.
            Some(directory) => match self.packages.get(&directory) {
                Some(files) => Target::Files(files.clone()),
                None => Target::file(path::join(&directory, "package.go")),
            },
            None => Target::module(&import.path),
        };
        Reference::new(import.line, target)
    }

    /// The directory of a package of this repository: below the module with the longest path that it begins with.
    fn directory(&self, package: &str) -> Option<String> {
        let above = path::upwards(package).filter(|module| !module.is_empty());
        let (module, directory) = above.filter_map(|module| self.modules.get_key_value(module)).next()?;
        let below = path::below(package, module).unwrap_or_default();
        path::resolve(directory, below)
    }
}

/// The module path that a `go.mod` declares.
fn module_of(text: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words =
        lines.flat_map(str::split_whitespace).skip_while(|word| *word != "module" && *word != "module(").skip(1);
    let word = words.find(|word| *word != "(")?;
    let path = word.trim_matches(|c| matches!(c, '"' | '`' | '(' | ')'));
    (!path.is_empty()).then(|| path.to_owned())
}
