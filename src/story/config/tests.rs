//! Both forms of the configuration, and what each refuses.

use super::{Commit, StoryConfig};
use crate::diagnostics::Code;
use crate::domain::config::{Config, line_of};
use crate::story::prompt::Language;
use crate::story::{Hook, Role, Unblock};

const SEED: &str = r#"
[project]
stories_dir = "./backlog/"
story_pattern = "**/S-*.md"
[agents]
provider = "claude"
[agents.product_owner]
skill = ".claude/agents/po-custom.md"
[agents.developer]
provider = "codex"
model = "m"
[limits]
max_iterations = 7
max_reject_cycles = 4
agent_timeout_seconds = 60
groom_max_iterations = 2
inject_feedback_on_retry = false
[hooks]
post_dev = "make test"
post_qa = " "
[git]
enabled = false
[stack]
test_command = "make test"
"#;

fn ours(text: &str) -> Result<StoryConfig, Code> {
    let config = Config::parse(text).map_err(|error| error.code)?;
    StoryConfig::of_tables(&config.stories).map_err(|error| error.code)
}

#[test]
fn the_old_file_and_its_tables_in_ours_say_the_same() {
    let (old, unread) = StoryConfig::of_regista(SEED).expect("it reads");
    assert_eq!(unread, []);
    let tables: String = SEED.lines().map(|line| line.replacen('[', "[story.", 1) + "\n").collect();
    assert_eq!(ours(&tables), Ok(old.clone()));
    assert_eq!(old.directories.stories, "backlog");
    assert_eq!(old.directories.epics, ".regista/epics");
    assert_eq!((old.agents.provider(Role::Developer), old.agents.model(Role::Developer)), ("codex", Some("m")));
    assert_eq!(old.agents.provider(Role::Reviewer), "claude");
    assert_eq!(old.agents.instructions(Role::ProductOwner), Some(".claude/agents/po-custom.md"));
    assert_eq!((old.settings.max_iterations, old.settings.max_reject_cycles), (7, 4));
    assert_eq!((old.settings.agent_timeout_seconds, old.hook_timeout_seconds), (60, 60));
    assert_eq!(old.groom_max_iterations, 2);
    assert!(!old.settings.inject_feedback_on_retry && !old.git_enabled);
    assert_eq!(old.settings.hooks.iter().copied().collect::<Vec<_>>(), [Hook::PostDev]);
    assert_eq!(old.commands, [("test".to_owned(), "make test".to_owned())]);
}

#[test]
fn an_empty_file_gives_the_defaults_of_the_contract() {
    let (config, _) = StoryConfig::of_regista("").expect("it reads");
    assert_eq!(config, StoryConfig::default());
    assert_eq!(config.settings.max_reject_cycles, 3);
    assert_eq!(config.settings.max_wall_time_seconds, 28_800);
    assert_eq!(config.directories.pattern, "STORY-*.md");
    assert_eq!(config.agents.provider(Role::ProductOwner), "pi");
    assert_eq!(ours(""), Ok(StoryConfig::default()));
}

#[test]
fn ours_has_more_to_say() {
    let text = "[agents]\nprovider = \"mine\"\n[providers.mine]\nargs = []\n[story]\nlanguage = \"es\"\nunblock = \"seed\"\n\
                jobs = 3\n[story.git]\ncommit = \"per-story\"\n";
    let config = ours(text).expect("it reads");
    assert_eq!((config.language, config.settings.unblock), (Language::Spanish, Unblock::Seed));
    assert_eq!((config.settings.jobs, config.git_commit), (3, Commit::PerStory));
    assert_eq!(config.agents.provider(Role::QaEngineer), "mine");
    assert_eq!(config.providers.get("mine").and_then(|mine| mine.args.clone()), Some(Vec::new()));
}

#[test]
fn the_old_file_s_unknown_keys_are_named_with_their_line() {
    let text = "[limits]\nmax_iteratons = 3\n\n[workflow]\na = 1\n";
    let (_, unread) = StoryConfig::of_regista(text).expect("it reads");
    let said: Vec<_> =
        unread.iter().map(|one| (one.key.as_str(), one.near.as_deref(), line_of(text, &one.key))).collect();
    assert_eq!(said, [("limits.max_iteratons", Some("limits.max_iterations"), Some(2)), ("workflow", None, Some(4))]);
}

#[test]
fn ours_refuses_what_it_does_not_know() {
    for (text, code) in [
        ("[story.limits]\nmax_iteratons = 3\n", Code::Rapid1601),
        ("[story]\nlimit = 3\n", Code::Rapid1601),
        ("[story.agents.tester]\n", Code::Rapid1601),
        ("[providers.pi]\nflags = []\n", Code::Rapid1601),
        ("story = 1\n", Code::Rapid1600),
        ("[story.limits]\nmax_iterations = -1\n", Code::Rapid1600),
        ("[story.limits]\nmax_iterations = 4294967296\n", Code::Rapid1600),
        ("[story.project]\nstories_dir = \"../elsewhere\"\n", Code::Rapid1600),
        ("[story.project]\nstory_pattern = \"[\"\n", Code::Rapid1600),
        ("[story]\nunblock = \"never\"\n", Code::Rapid1600),
        ("[story]\nlanguage = \"fr\"\n", Code::Rapid1600),
        ("[story.git]\ncommit = \"always\"\n", Code::Rapid1600),
        ("[agents]\nprovider = \"pi\"\n[story.agents]\nprovider = \"pi\"\n", Code::Rapid1600),
        ("[providers.pi]\nbinary = \" \"\n", Code::Rapid1600),
    ] {
        assert_eq!(ours(text), Err(code), "{text}");
    }
    for text in ["[limits]\nmax_iterations = -1\n", "[agents]\ndeveloper = \"path\"\n", "[git]\nenabled = 1\n", "[["] {
        assert_eq!(StoryConfig::of_regista(text).map_err(|error| error.code), Err(Code::Rapid1600), "{text}");
    }
}
