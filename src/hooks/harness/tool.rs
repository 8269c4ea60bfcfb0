//! What a tool can do, by its name: read, write, run, or nobody knows.
//!
//! Not here: its message (`call`). A name that is not known is neither trusted nor refused: its message is looked at.

/// What a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing but read.
    Reads,
    /// Write files.
    Writes,
    /// Run commands or code.
    Runs,
    /// It is not known.
    Unknown,
}

/// What a tool of this name can do.
pub(super) fn kind(tool: &str) -> Kind {
    let own = plain(tool.rsplit("__").next().unwrap_or(tool));
    let own = own.as_str();
    match () {
        () if READERS.contains(&own) => Kind::Reads,
        // What came of something that runs already, or its end.
        () if FOLLOWERS.contains(&own) => Kind::Unknown,
        () if WRITERS.contains(&own) => Kind::Writes,
        () if ["get", "list", "search", "describe"].iter().any(|verb| own.starts_with(verb)) => Kind::Unknown,
        () if RUNNERS.iter().any(|part| own.contains(part)) => Kind::Runs,
        () => Kind::Unknown,
    }
}

/// Whether it is a tool of git-rapid's own server, which refuses for itself.
pub(super) fn is_own(tool: &str) -> bool {
    plain(tool).contains("gitrapid")
}

/// A name without what stands between its words, in lower case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

const READERS: &[&str] = &[
    "read",
    "view",
    "viewfile",
    "readfile",
    "readtextfile",
    "readmediafile",
    "readmultiplefiles",
    "readmanyfiles",
    "readnotebook",
    "notebookread",
    "glob",
    "grep",
    "ls",
    "list",
    "listdir",
    "listdirectory",
    "directorytree",
    "find",
    "search",
    "searchfiles",
    "searchfilecontent",
    "codebasesearch",
    "filesearch",
    "findfiles",
    "greps",
    "grepsearch",
    "getfileinfo",
    "webfetch",
    "websearch",
    "viewimage",
    "lsp",
];

const FOLLOWERS: &[&str] = &[
    "bashoutput",
    "killshell",
    "killbash",
    "killterminal",
    "closeterminal",
    "awaitterminal",
    "terminallastcommand",
    "terminalselection",
    "writestdin",
    "shelloutput",
    "commandstatus",
];

const WRITERS: &[&str] = &[
    "write",
    "writefile",
    "writetofile",
    "edit",
    "editfile",
    "editfiles",
    "multiedit",
    "notebookedit",
    "editnotebook",
    "editnotebookfile",
    "applypatch",
    "patch",
    "replace",
    "replacefilecontent",
    "multireplacefilecontent",
    "replacestringinfile",
    "inserteditintofile",
    "strreplace",
    "searchreplace",
    "createfile",
    "deletefile",
    "movefile",
    "renamefile",
];

const RUNNERS: &[&str] = &["bash", "shell", "terminal", "exec", "command", "powershell", "python", "repl"];
