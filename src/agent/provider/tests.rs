//! Calls of providers, argument by argument.

use super::{Call, Prompt, Provider};
use crate::story::Role;
use crate::story::config::ProviderConfig;
use std::collections::BTreeMap;

fn provider(name: &str) -> Provider {
    Provider::named(name, &BTreeMap::new()).expect("it is built in")
}

fn line(provider: &Provider, instructions: Option<&str>, model: Option<&str>) -> String {
    let call = Call { prompt: "do it", prompt_file: "/p", instructions, model, directory: "/d" };
    provider.args(&call).join(" ")
}

#[test]
fn the_built_in_providers_take_the_prompt_on_standard_input() {
    let cases = [
        (
            "pi",
            ".pi/skills/developer/SKILL.md",
            "-p --no-session --append-system-prompt .pi/skills/developer/SKILL.md --model m",
        ),
        (
            "claude",
            ".claude/agents/developer.md",
            "-p --append-system-prompt-file .claude/agents/developer.md --permission-mode bypassPermissions --model m",
        ),
        (
            "codex",
            ".agents/skills/developer/SKILL.md",
            "exec --sandbox workspace-write -c approval_policy=never --model m -",
        ),
        ("opencode", ".opencode/agents/developer.md", "run --auto --agent developer --model m"),
    ];
    for (name, file, expected) in cases {
        let provider = provider(name);
        assert_eq!(provider.prompt(), Prompt::Stdin, "{name}");
        assert_eq!(provider.instruction_paths(Role::Developer).first().map(String::as_str), Some(file));
        assert_eq!(line(&provider, Some(file), Some("m")), expected);
    }
}

#[test]
fn an_option_without_a_value_is_left_out_with_its_name() {
    assert_eq!(line(&provider("pi"), None, None), "-p --no-session");
    assert_eq!(line(&provider("claude"), None, None), "-p --permission-mode bypassPermissions");
    assert_eq!(line(&provider("codex"), None, None), "exec --sandbox workspace-write -c approval_policy=never -");
    assert_eq!(line(&provider("opencode"), Some(".opencode/commands/dev.md"), None), "run --auto");
}

#[test]
fn instructions_that_no_argument_carries_go_in_front_of_the_prompt() {
    assert!(!provider("claude").instructions_in_prompt(".claude/agents/po.md"));
    assert!(provider("codex").instructions_in_prompt(".agents/skills/po/SKILL.md"));
    assert!(!provider("opencode").instructions_in_prompt(".opencode/agents/po.md"));
    assert!(provider("opencode").instructions_in_prompt(".opencode/commands/po.md"));
}

#[test]
fn names_are_forgiving_and_unknown_ones_are_none() {
    assert_eq!(provider("Claude-Code").name, "claude");
    assert_eq!(provider("CODEX").name, "codex");
    assert_eq!(provider("claude_code").name, "claude");
    assert_eq!(Provider::named("gpt", &BTreeMap::new()), None);
    assert_eq!(Provider::names().collect::<Vec<_>>(), ["pi", "claude", "codex", "opencode"]);
}

#[test]
fn a_configured_provider_overrides_one_and_adds_one() {
    let seed = ["-p", "{prompt}", "--skill", "{instructions}", "--no-session"];
    let ours = ProviderConfig {
        binary: Some("/opt/pi".to_owned()),
        args: Some(seed.map(str::to_owned).to_vec()),
        instructions: Some("roles/{role}.md".to_owned()),
    };
    let more = ProviderConfig { args: Some(vec!["--file={prompt_file}".to_owned()]), ..ProviderConfig::default() };
    let configured = BTreeMap::from([("pi".to_owned(), ours), ("mine".to_owned(), more)]);
    let pi = Provider::named("pi", &configured).expect("it is known");
    assert_eq!((pi.binary.as_str(), pi.prompt()), ("/opt/pi", Prompt::Argument));
    assert_eq!(line(&pi, Some("roles/qa.md"), None), "-p do it --skill roles/qa.md --no-session");
    assert_eq!(pi.instruction_paths(Role::QaEngineer), ["roles/qa-engineer.md", "roles/qa_engineer.md", "roles/qa.md"]);
    let mine = Provider::named("mine", &configured).expect("it is configured");
    assert_eq!((mine.binary.as_str(), mine.prompt()), ("mine", Prompt::File));
    assert_eq!(line(&mine, None, None), "--file=/p");
}

#[test]
fn what_stands_in_a_prompt_is_not_taken_for_a_place() {
    let echo = ProviderConfig { args: Some(vec!["{prompt} {x} {".to_owned()]), ..ProviderConfig::default() };
    let echo = Provider::named("echo", &BTreeMap::from([("echo".to_owned(), echo)])).expect("it is configured");
    let call = Call { prompt: "{model}{prompt}", model: Some("m"), ..Call::default() };
    assert_eq!(echo.args(&call), ["{model}{prompt} {x} {"]);
}
