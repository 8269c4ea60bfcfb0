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

/// Each key of a table is shown once.
#[test]
fn no_key_is_shown_twice() {
    let mut seen = std::collections::BTreeSet::new();
    for block in blocks() {
        // What another block says already is said again where the one below would not be read without it.
        let own = block.strip_prefix("ruleset = 4\napprovals = \"signed\"\n").unwrap_or(block);
        let mut table = "";
        for line in own.lines() {
            if let Some(name) = line.strip_prefix('[') {
                table = name.split(']').next().unwrap();
                assert!(seen.insert(format!("[{table}]")), "[{table}] is shown twice");
            } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
                assert!(seen.insert(format!("{table}.{key}")), "'{key}' of [{table}] is shown twice");
            }
        }
    }
    assert!(seen.len() > 60, "{seen:?}");
}

/// The rows of a table of the page: what stands in backticks in their first cell.
fn rows(heading: &str) -> Vec<String> {
    let (_, below) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap();
    let below = below.split("\n## ").next().unwrap();
    let cells = below.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned);
    names.collect()
}

fn sources() -> Vec<(std::path::PathBuf, String)> {
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut all = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => directories.push(path),
                false if path.ends_with("tests.rs") || path.to_string_lossy().contains("/tests/") => {}
                false => {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
                    all.push((path, own));
                }
            }
        }
    }
    all
}

/// What is read of git's configuration under `rapid.`, and of the environment, stands in its table once, and nothing else does.
#[test]
fn each_setting_of_git_and_each_variable_stands_in_its_table_once() {
    let key = Regex::new(r#""(rapid\.[a-z]+)""#).unwrap();
    let read = Regex::new(
        r#"(?:\.(?:get|text|path|is_set)|env::var(?:_os)?|part|set)\("([A-Z][A-Z0-9_]+)"|"([A-Z]+_PROJECT_DIR|GIT_(?:OBJECT_DIRECTORY|COMMON_DIR|ALTERNATE_OBJECT_DIRECTORIES|ALLOC_LIMIT))"[,\]]"#,
    )
    .unwrap();
    let mut keys = std::collections::BTreeSet::new();
    let mut variables = std::collections::BTreeSet::new();
    for (path, text) in sources() {
        keys.extend(key.captures_iter(&text).map(|found| found[1].to_owned()));
        let elsewhere =
            ["os/fault.rs", "environment/leak.rs", "ancestry/marks.rs"].iter().any(|own| path.ends_with(own));
        // Only builds for tests read the point at which they fail; a shell's own words are no setting; what leaks from
        // hooks is taken away, and the marks of agents are listed in one place.
        if elsewhere || path.to_string_lossy().contains("/harness/shell") {
            continue;
        }
        let found = read.captures_iter(&text).filter_map(|found| found.get(1).or(found.get(2)));
        variables.extend(found.map(|name| name.as_str().to_owned()));
    }
    // Set for others, and read by the table of marks.
    variables.insert("RAPID_STORY_TURN".to_owned());
    for (heading, read) in [("Git's configuration", keys), ("Environment", variables)] {
        let shown = rows(heading);
        let once: std::collections::BTreeSet<String> = shown.iter().cloned().collect();
        assert_eq!(once.len(), shown.len(), "each once: {shown:?}");
        assert_eq!(once, read, "{heading} of docs/configuration.md");
    }
}
