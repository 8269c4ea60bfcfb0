//! Tests of the environment and of what it keeps from a child.

use super::leak::{self, Leak};
use super::*;

fn environment(names: &[&str]) -> Environment {
    Environment::from_pairs("/somewhere", names.iter().map(|name| (*name, "value")))
}

fn names(environment: &Environment) -> Vec<String> {
    environment.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect()
}

#[test]
fn what_hooks_export_does_not_reach_a_child() {
    let leaked = [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_PREFIX",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_QUARANTINE_PATH",
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_DATE",
        "GIT_COMMITTER_EMAIL",
        "GIT_EDITOR",
        "GIT_TRACE",
        "GIT_TRACE2_EVENT",
        "GIT_TRACE_CURL",
        "GIT_CONFIG",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_KEY_0",
        "GIT_CONFIG_VALUE_0",
        "GIT_CONFIG_PARAMETERS",
        "GIT_REFLOG_ACTION",
        "GIT_PUSH_OPTION_0",
        "GIT_SOMETHING_NEW",
        "GITHEAD_0123456789012345678901234567890123456789",
    ];
    assert_eq!(names(&environment(&leaked).without_git()), Vec::<String>::new());
}

#[test]
fn what_a_person_set_on_purpose_stays() {
    let own = ["GITHUB_TOKEN", "GITLAB_CI", "GIT_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSL_CAINFO", "HOME", "PATH"];
    assert_eq!(names(&environment(&own).without_git()), own);
}

#[test]
fn each_leak_says_what_it_binds_to() {
    let cases = [
        ("GIT_DIR", Some(Leak::Repository)),
        ("GIT_INDEX_FILE", Some(Leak::Index)),
        ("GIT_COMMITTER_DATE", Some(Leak::Author)),
        ("GIT_CONFIG_PARAMETERS", Some(Leak::Configuration)),
        ("GIT_TRACE2_PERF", Some(Leak::Trace)),
        ("GIT_EDITOR", Some(Leak::Situation)),
        ("GIT_DIRT", Some(Leak::Unknown)),
        ("GITTY", None),
        ("git_dir", None),
    ];
    for (name, leak) in cases {
        assert_eq!(leak::of(OsStr::new(name)), leak, "{name}");
    }
}

#[test]
fn every_variable_of_gits_own_list_goes() {
    // `git rev-parse --local-env-vars`, git 2.47.
    let local = "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT \
         GIT_OBJECT_DIRECTORY GIT_DIR GIT_WORK_TREE GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_INDEX_FILE \
         GIT_NO_REPLACE_OBJECTS GIT_REPLACE_REF_BASE GIT_PREFIX GIT_SHALLOW_FILE GIT_COMMON_DIR";
    for name in local.split_whitespace() {
        let leak = leak::of(OsStr::new(name));
        assert!(leak.is_some_and(|leak| leak != Leak::Unknown), "{name}: {leak:?}");
    }
}

#[test]
fn lookups_tell_unset_from_empty() {
    let environment = Environment::from_pairs("/w", [("EMPTY", ""), ("FULL", "x")]);
    assert_eq!(environment.get("EMPTY"), Some(OsStr::new("")));
    assert_eq!((environment.text("EMPTY"), environment.path("EMPTY")), (None, None));
    assert!(!environment.is_set("EMPTY") && environment.is_set("FULL") && !environment.is_set("NONE"));
    assert_eq!(environment.path("FULL"), Some(PathBuf::from("x")));
    assert_eq!(environment.clone().without("FULL").with("A", "b").text("A"), Some("b"));
    assert_eq!(environment.in_directory("/elsewhere").cwd(), Path::new("/elsewhere"));
}

#[test]
fn debug_shows_no_value() {
    let shown = format!("{:?}", Environment::from_pairs("/w", [("API_KEY", "swordfish")]));
    assert!(shown.contains("API_KEY") && !shown.contains("swordfish"));
}

#[test]
fn the_process_has_a_working_directory_and_a_path() {
    let environment = Environment::from_process().expect("a test has a working directory");
    assert!(environment.cwd().is_absolute());
    assert!(environment.is_set("PATH"));
}
