//! Real agents work a story: the program of a provider as it is installed, called with our arguments. A stand-in for its model
//! answers on loopback, so no account is needed.

use super::{Project, story};
use crate::harness::{Output, World, step_aside};
use crate::harnesses::real::{Model, messages_that_run, responses_that_run};
use git_rapid::agent::provider::Provider;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the model has its agent do: one step, whatever the state. Beside the project a sandbox lets it write to its temporary files only.
const STEP: &str = "f=.regista/stories/STORY-001.md; echo \"$(pwd)\" >> ../tmp/steps; \
    case \"$(sed -n '/^## Status/{n;p;q}' $f)\" in *Ready*) to='In Review';; *'In Review'*) to='Business Review';; *) to=Done;; esac; \
    sed -i \"/^## Status/{n;s/.*/**$to**/}\" $f; echo \"- 2026-01-01 | Dev | hecho ñ $to\" >> $f\n";

/// Where a program is, if it is here and answers.
fn found(program: &str) -> Option<PathBuf> {
    let all = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&all).map(|directory| directory.join(program)).find(|path| path.is_file());
    found.filter(|path| {
        Output::of_any(std::process::Command::new(path).arg("--version")).is_some_and(|output| output.code == 0)
    })
}

/// Where a program is that `.ci/run` installs.
fn installed(program: &str) -> Option<PathBuf> {
    let found = found(program);
    if found.is_none() {
        step_aside(&format!("{program} is not installed here"));
    }
    found
}

/// A story from Tests Ready to Done by this program.
fn worked(program: PathBuf, provider: &str, instructions: &str, set: impl Fn(&Project, &mut std::process::Command)) {
    let project = Project::sound("p");
    project.write(
        ".regista/config.toml",
        format!("[agents]\nprovider = \"{provider}\"\n[limits]\nagent_timeout_seconds = 120\n"),
    );
    for role in ["developer", "reviewer", "product_owner", "qa_engineer"] {
        project.write(
            &instructions.replace("ROLE", role),
            format!("---\nname: {role}\ndescription: d\n---\nYou are the {role} of the house.\n"),
        );
    }
    project.write("step.sh", STEP);
    project.story("STORY-001", story("STORY-001", "Tests Ready", ""));
    let mut command = project.command(&["run", "--json"]);
    let old = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{old}", program.parent().unwrap().display()));
    set(&project, &mut command);
    let ended = Output::of(&mut command).ends(0);
    let text = std::fs::read_to_string(project.top().join(".regista/stories/STORY-001.md")).unwrap();
    assert!(text.contains("**Done**") && text.matches("hecho ñ").count() == 3, "{ended}\n{text}");
    let steps = std::fs::read_to_string(project.world().path("tmp/steps")).unwrap();
    assert_eq!(steps.lines().count(), 3, "each turn worked once: {steps}");
    assert!(steps.lines().all(|place| place == project.top().canonicalize().unwrap().to_str().unwrap()), "{steps}");
}

fn claude_steps(body: &str) -> String {
    messages_that_run(&["sh step.sh"], body)
}

fn codex_steps(body: &str) -> String {
    responses_that_run(&["sh step.sh"], body)
}

#[test]
fn claude_code_works_a_story_to_done() {
    let Some(program) = installed("claude") else { return };
    let model = Model::new(claude_steps);
    worked(program, "claude", ".claude/agents/ROLE.md", |_, command| {
        command
            .env("ANTHROPIC_BASE_URL", format!("http://127.0.0.1:{}", model.port))
            .env("ANTHROPIC_API_KEY", "sk-ant-none");
        command
            .env("IS_SANDBOX", "1")
            .env("DISABLE_AUTOUPDATER", "1")
            .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    });
    let heard = model.heard();
    for text in [
        "You are the developer of the house",
        "You are the reviewer of the house",
        "File: .regista/stories/STORY-001.md",
    ] {
        assert!(heard.contains(text), "{text}: {}", heard.chars().take(20_000).collect::<String>());
    }
}

#[test]
fn codex_works_a_story_to_done() {
    let Some(program) = installed("codex") else { return };
    let model = Model::new(codex_steps);
    worked(program, "codex", ".agents/skills/ROLE/SKILL.md", |project, command| {
        let home = project.world().path("home/.codex");
        std::fs::create_dir_all(&home).unwrap();
        let settings = format!(
            "model = \"stand-in\"\nmodel_provider = \"stand_in\"\n[model_providers.stand_in]\nname = \"stand-in\"\n\
             base_url = \"http://127.0.0.1:{}/v1\"\nwire_api = \"responses\"\nenv_key = \"STAND_IN\"\n",
            model.port
        );
        std::fs::write(home.join("config.toml"), settings).unwrap();
        command.env("STAND_IN", "none");
    });
    let heard = model.heard();
    for text in ["You are the developer of the house", "File: .regista/stories/STORY-001.md"] {
        assert!(heard.contains(text), "{text}: {}", heard.chars().take(20_000).collect::<String>());
    }
}

#[test]
fn every_option_of_ours_is_in_the_programs_own_help() {
    let world = World::new();
    for (name, command) in [("pi", &[][..]), ("claude", &[]), ("codex", &["exec"]), ("opencode", &["run"])] {
        // The two that are driven above are a must in `.ci/run`; the others are looked at where they happen to be.
        if found(name).is_none() {
            eprintln!("stepping aside: {name} is not installed here");
            continue;
        }
        let help = Output::of(world.command(name, world.top()).args(command).arg("--help"));
        let help = format!("{}{}", help.stdout, help.stderr);
        let provider = Provider::named(name, &BTreeMap::new()).unwrap();
        for option in provider.args.iter().filter(|arg| arg.len() > 1 && arg.starts_with('-')) {
            // One program writes two options as one: `--append-system-prompt[-file]`.
            let short = option.trim_end_matches("-file");
            assert!(help.contains(option) || help.contains(&format!("{short}[-file]")), "{name} {option}: {help}");
        }
    }
}
