//! The reference of the configuration holds every key that is read, and nothing that is refused.

use git_rapid::domain::config::Config;
use git_rapid::domain::json::Value;
use git_rapid::domain::policy::Policy;
use git_rapid::mission::MissionConfig;
use git_rapid::story::config::StoryConfig;
use regex::Regex;
use std::path::Path;

const PAGE: &str = include_str!("../../../docs/configuration.md");

/// The blocks of the page that are configuration.
fn blocks() -> Vec<&'static str> {
    PAGE.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn what_the_reference_shows_is_read() {
    assert_eq!(blocks().len(), 4, "four blocks");
    for block in blocks() {
        let config = Config::parse(block).unwrap_or_else(|error| panic!("{error:?} in\n{block}"));
        StoryConfig::of_tables(&config.stories).unwrap_or_else(|error| panic!("{error:?} in\n{block}"));
        MissionConfig::read(config.mission.as_ref()).unwrap_or_else(|error| panic!("{error:?} in\n{block}"));
        if let Some(policy) = &config.policy {
            Policy::default().tightened(policy).unwrap_or_else(|error| panic!("{error:?} in\n{block}"));
        }
    }
}

#[test]
fn what_is_shown_as_left_out_is_what_holds_without_it() {
    for block in blocks() {
        let kept = block.lines().filter(|line| !line.contains("e.g.") && !line.contains('…'));
        let only = kept.filter(|line| !line.starts_with("ruleset = ")).collect::<Vec<_>>().join("\n");
        let unlike = ["approvers", "developer", "providers"].iter().any(|table| only.contains(&format!("{table}.")));
        if unlike || only.contains("[approvers]") {
            continue;
        }
        let (shown, bare) = (Config::parse(&only).unwrap(), Config::default());
        assert_eq!(Config { policy: None, mission: None, ..shown }, bare, "{only}");
    }
    let without_examples = |block: usize| -> Config {
        let kept = blocks()[block].lines().filter(|line| !line.contains("e.g."));
        Config::parse(&kept.collect::<Vec<_>>().join("\n")).unwrap()
    };
    let mission = MissionConfig::read(without_examples(2).mission.as_ref()).unwrap();
    assert_eq!(mission, MissionConfig::read(None).unwrap());
    let stories = StoryConfig::of_tables(&without_examples(3).stories).unwrap();
    let bare = StoryConfig::default();
    assert_eq!(stories.settings, bare.settings);
    assert_eq!(stories.directories, bare.directories);
    assert_eq!(stories.hook_timeout_seconds, bare.hook_timeout_seconds);
    assert_eq!(stories.groom_max_iterations, bare.groom_max_iterations);
    assert_eq!((stories.git_enabled, stories.git_commit), (bare.git_enabled, bare.git_commit));
}

#[test]
fn every_key_that_is_read_is_in_the_reference() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let reads = Regex::new(
        r#"\.(?:text|texts|flag|number|count|table|take)\("([a-z_]+)"\)|(?:limit)?\("([a-z_]+)", (?:&mut |[01], )"#,
    )
    .unwrap();
    let mut keys = 0;
    for file in
        ["domain/config.rs", "mission/limits.rs", "story/config.rs", "story/config/agents.rs", "story/config/limits.rs"]
    {
        let source = std::fs::read_to_string(top.join(file)).unwrap();
        for found in reads.captures_iter(&source) {
            let key = found.get(1).or(found.get(2)).unwrap().as_str();
            keys += 1;
            assert!(PAGE.contains(key), "'{key}' of src/{file} is in docs/configuration.md");
        }
    }
    let Value::Object(policy) = Policy::default().to_value() else { panic!("the policy is an object") };
    for key in policy.keys().filter(|key| *key != "schema_version") {
        keys += 1;
        assert!(PAGE.contains(key.as_str()), "'{key}' of the policy is in docs/configuration.md");
    }
    assert!(keys > 50, "the sources are read: {keys}");
}
