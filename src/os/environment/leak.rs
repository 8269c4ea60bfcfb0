//! Which variables of git must not reach a program that works somewhere else, and which are the person's own.
//!
//! Not here: removing them (`Environment::without_git`). Git exports its bindings to every hook, and from there they
//! reach whatever the hook starts: a test that runs `git init` in a temporary directory then writes into *this*
//! repository, and a commit made there carries *this* commit's author. `git rev-parse --local-env-vars` names only part
//! of them, and each version of git adds some; so everything that begins with `GIT_` is a leak unless it is listed as
//! kept. Names like `GITHUB_TOKEN` don't begin with `GIT_` and are never touched.

use std::ffi::OsStr;

/// What a leaked variable would bind a child to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leak {
    /// Another repository, working copy, object store or view of refs.
    Repository,
    /// Another index.
    Index,
    /// Somebody's name, mail address and date.
    Author,
    /// Another configuration than that of the place where the child works.
    Configuration,
    /// A trace file or stream, which would mix with the child's output.
    Trace,
    /// The hook's own situation: its editor, its pager, what it was called for.
    Situation,
    /// Begins with `GIT_` and is not known; newer gits add such names, so it goes.
    Unknown,
}

/// Names, or beginnings of names where they end in `*`, and what they bind to. Everything here goes.
const LEAKS: &[(&str, Leak)] = &[
    ("GIT_ALTERNATE_OBJECT_DIRECTORIES", Leak::Repository),
    ("GIT_COMMON_DIR", Leak::Repository),
    ("GIT_DEFAULT_HASH", Leak::Repository),
    ("GIT_DEFAULT_REF_FORMAT", Leak::Repository),
    ("GIT_DIR", Leak::Repository),
    ("GIT_GRAFT_FILE", Leak::Repository),
    ("GIT_IMPLICIT_WORK_TREE", Leak::Repository),
    ("GIT_INTERNAL_*", Leak::Repository),
    ("GIT_NAMESPACE", Leak::Repository),
    ("GIT_NO_REPLACE_OBJECTS", Leak::Repository),
    ("GIT_OBJECT_DIRECTORY", Leak::Repository),
    ("GIT_PREFIX", Leak::Repository),
    ("GIT_QUARANTINE_PATH", Leak::Repository),
    ("GIT_REPLACE_REF_BASE", Leak::Repository),
    ("GIT_SHALLOW_FILE", Leak::Repository),
    ("GIT_SUPER_PREFIX", Leak::Repository),
    ("GIT_TEMPLATE_DIR", Leak::Repository),
    ("GIT_WORK_TREE", Leak::Repository),
    ("GIT_INDEX_FILE", Leak::Index),
    ("GIT_INDEX_VERSION", Leak::Index),
    ("GIT_OPTIONAL_LOCKS", Leak::Index),
    ("GIT_AUTHOR_*", Leak::Author),
    ("GIT_COMMITTER_*", Leak::Author),
    ("GIT_ATTR_*", Leak::Configuration),
    ("GIT_CONFIG", Leak::Configuration),
    ("GIT_CONFIG_*", Leak::Configuration),
    ("GIT_GLOB_PATHSPECS", Leak::Configuration),
    ("GIT_ICASE_PATHSPECS", Leak::Configuration),
    ("GIT_LITERAL_PATHSPECS", Leak::Configuration),
    ("GIT_NOGLOB_PATHSPECS", Leak::Configuration),
    ("GIT_CURL_VERBOSE", Leak::Trace),
    ("GIT_REDIRECT_*", Leak::Trace),
    ("GIT_TRACE*", Leak::Trace),
    ("GIT_EDITOR", Leak::Situation),
    ("GIT_EXTERNAL_DIFF", Leak::Situation),
    ("GIT_MERGE_*", Leak::Situation),
    ("GIT_PAGER*", Leak::Situation),
    ("GIT_PROTOCOL*", Leak::Situation),
    ("GIT_PUSH_*", Leak::Situation),
    ("GIT_REFLOG_ACTION", Leak::Situation),
    ("GIT_SEQUENCE_EDITOR", Leak::Situation),
    // `git merge` tells its drivers the names of the heads in variables named after the commits.
    ("GITHEAD_*", Leak::Situation),
];

/// What a person or a CI sets on purpose and no hook does. These name no repository, index, author or trace, and a
/// check or a push without them fails where the same command in the person's shell works.
const KEPT: &[&str] = &[
    // How the person reaches their remotes.
    "GIT_ALLOW_PROTOCOL",
    "GIT_ASKPASS",
    "GIT_HTTP_*",
    "GIT_PROXY_*",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_*",
    "GIT_TERMINAL_PROMPT",
    // How far git looks for a repository, and where git itself is installed.
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
    // What a CI server tells builds about their checkout; git reads none of them.
    "GIT_BRANCH",
    "GIT_COMMIT",
    "GIT_LOCAL_BRANCH",
    "GIT_PREVIOUS_COMMIT",
    "GIT_PREVIOUS_SUCCESSFUL_COMMIT",
    "GIT_URL",
];

/// What the variable of this name would leak; none when it may reach a child.
pub fn of(name: &OsStr) -> Option<Leak> {
    let bytes = name.as_encoded_bytes();
    if !bytes.starts_with(b"GIT") || KEPT.iter().any(|kept| names(kept, bytes)) {
        return None;
    }
    let known = LEAKS.iter().find(|(listed, _)| names(listed, bytes)).map(|(_, leak)| *leak);
    known.or(bytes.starts_with(b"GIT_").then_some(Leak::Unknown))
}

/// Whether a table's name, or its beginning where it ends in `*`, is this variable's.
fn names(listed: &str, name: &[u8]) -> bool {
    match listed.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning.as_bytes()),
        None => name == listed.as_bytes(),
    }
}
