//! What is written, merged and taken out again.

use super::ALL;
use crate::harness::{Repo, World, project};
use std::collections::BTreeMap;
use std::path::Path;

/// Every file of the working copy and of git's private `harness` directory, with its bytes; directories too.
pub(super) fn everything(repo: &Repo) -> BTreeMap<String, Vec<u8>> {
    let mut seen = BTreeMap::new();
    let mut open = vec![repo.path().to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(repo.path()).unwrap().display().to_string();
            let ours = !name.starts_with(".git/") || name.starts_with(".git/rapid/harness");
            match path.is_dir() {
                true if name == ".git" || ours || name == ".git/rapid" => {
                    if ours && name != ".git" {
                        seen.insert(format!("{name}/"), Vec::new());
                    }
                    open.push(path);
                }
                false if ours => drop(seen.insert(name, std::fs::read(&path).unwrap())),
                _ => {}
            }
        }
    }
    seen
}

/// Settings of a person, in every place that is merged into, with comments and an odd layout where the format has them.
fn settings(repo: &Repo) {
    repo.write(".claude/settings.json", "{\"model\":\"opus\",\n\t\"hooks\": {\"PreToolUse\": [{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\",\"command\":\"./mine.sh\"}]}], \"Stop\":[]}, \"permissions\": {\"allow\":[\"Bash(ls)\"]}}");
    repo.write(".codex/hooks.json", "{}\n");
    repo.write(".codex/config.toml", "# mine\nmodel = \"o5\"  # the good one\n\n[mcp_servers.other]\ncommand = \"x\"");
    repo.write(
        ".cursor/hooks.json",
        "{\n  \"version\": 1,\n  \"hooks\": { \"stop\": [ { \"command\": \"./bell\" } ] }\n}\n",
    );
    repo.write(
        ".vscode/mcp.json",
        "{\n\t// servers of the team\n\t\"servers\": {\n\t\t\"a\": { \"command\": \"a\" }, // the first\n\t},\n}\n",
    );
    repo.write(".gemini/settings.json", "{\r\n  \"theme\": \"dark\"\r\n}\r\n");
    repo.write(".mcp.json", "{\"mcpServers\":{}}");
    repo.write("opencode.json", "// opencode\n{ \"$schema\": \"https://opencode.ai/config.json\" }\n");
}

#[test]
fn what_was_installed_is_taken_out_to_the_last_byte() {
    let world = World::new();
    for (name, existing) in [("empty", false), ("settled", true)] {
        let repo = project(&world, name);
        if existing {
            settings(&repo);
        }
        let before = everything(&repo);
        for harness in ALL {
            for options in [&[][..], &["--mcp"]] {
                repo.rapid(&[&["harness", "install", harness], options].concat()).ok().says("installed");
                let once = everything(&repo);
                assert_ne!(once, before);
                repo.rapid(&[&["harness", "install", harness], options].concat()).ok().says("is installed already");
                assert_eq!(everything(&repo), once, "{harness} installs once");
                repo.rapid(&["harness", "uninstall", harness]).ok().says("is as it was before");
                let after = everything(&repo);
                assert!(after == before, "{harness} {options:?} {name}: {:?}", differences(&before, &after));
            }
        }
        repo.rapid(&["harness", "uninstall", "claude"]).ok().says("was not installed here");
        // All at once, out in the same order and in another: some share a directory.
        let backwards: Vec<&str> = ALL.into_iter().rev().collect();
        for order in [&ALL[..], &backwards] {
            for harness in ALL {
                repo.rapid(&["harness", "install", harness, "--mcp"]).ok();
            }
            for harness in order {
                repo.rapid(&["harness", "uninstall", harness]).ok();
            }
            assert!(everything(&repo) == before, "{name}: {:?}", differences(&before, &everything(&repo)));
        }
    }
}

pub(super) fn differences(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = before.keys().chain(after.keys());
    names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

#[test]
fn what_a_person_wrote_stays_with_its_order_and_comments() {
    let repo = project(&World::new(), "work");
    settings(&repo);
    for harness in ALL {
        repo.rapid(&["harness", "install", harness, "--mcp"]).ok();
    }
    let read = |path: &str| std::fs::read_to_string(repo.path().join(path)).unwrap();
    let claude: serde_json::Value = serde_json::from_str(&read(".claude/settings.json")).unwrap();
    assert_eq!(claude["permissions"]["allow"][0], "Bash(ls)");
    let before = claude["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(before[0]["hooks"][0]["command"], "./mine.sh", "theirs comes first");
    assert_eq!(before[1]["hooks"][0]["command"], "git-rapid hook harness claude pre-tool");
    assert_eq!(before[1]["hooks"][0]["onFailure"], "block");
    assert_eq!(before[1]["matcher"], "*");
    let text = read(".claude/settings.json");
    let (model, hooks, permissions) = (text.find("model"), text.find("hooks"), text.find("permissions"));
    assert!(model < hooks && hooks < permissions, "the order of keys stays:\n{text}");
    assert!(
        read(".vscode/mcp.json").contains("// servers of the team")
            && read(".vscode/mcp.json").contains("// the first")
    );
    assert!(read("opencode.json").starts_with("// opencode\n"));
    let codex = read(".codex/config.toml");
    assert!(codex.starts_with("# mine\nmodel = \"o5\"  # the good one\n"));
    let table: toml::Table = codex.parse().unwrap();
    assert_eq!(table["mcp_servers"]["git-rapid"]["args"][0].as_str(), Some("mcp"));
    assert!(read(".gemini/settings.json").contains("\r\n"), "line ends stay");
    let cursor: serde_json::Value = serde_json::from_str(&read(".cursor/hooks.json")).unwrap();
    assert_eq!((&cursor["version"], &cursor["hooks"]["stop"][0]["command"]), (&1.into(), &"./bell".into()));
    assert_eq!(cursor["hooks"]["preToolUse"][0]["failClosed"], true);
    assert_eq!(cursor["hooks"]["stop"][1]["loop_limit"], 3);
}

#[test]
fn what_stands_as_installed_is_said_to_whatever_the_persons_file_looks_like() {
    let world = World::new();
    let odd = [
        (
            ".claude/settings.json",
            "{\n  // mine\n  \"model\": \"opus\", /* the good one */\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"./bell\", }, ], },\n    ],\n  },\n}\n",
        ),
        (".codex/hooks.json", "{ \"hooks\": { \"PreToolUse\": [], }, }"),
        (".cursor/hooks.json", "{\n\t\"version\": 1, // asked for\n\t\"hooks\": {},\n}\n"),
        (".agents/hooks.json", "// empty\n{}\n"),
        (".gemini/settings.json", "{\n  \"hooks\": {\n    \"AfterTool\": [\n      // none yet\n    ],\n  },\n}\n"),
        (".github/hooks/git-rapid.json", "{\"version\": 1,}"),
    ];
    let repo = project(&world, "work");
    odd.iter().for_each(|(path, text)| repo.write(path, text));
    let before = everything(&repo);
    for harness in ALL {
        repo.rapid(&["harness", "install", harness, "--mcp"]).ok();
    }
    let status = repo.rapid(&["harness", "status"]).ok();
    assert_eq!(status.stdout.matches("guard: installed, never seen").count(), 8, "{status}");
    assert!(!status.stdout.contains("differs"), "{status}");
    for harness in ALL {
        repo.rapid(&["harness", "uninstall", harness]).ok();
    }
    assert!(everything(&repo) == before, "{:?}", differences(&before, &everything(&repo)));
}

#[test]
fn an_installation_that_failed_is_no_guard() {
    let repo = project(&World::new(), "work");
    repo.write(".codex/hooks.json", "{\"hooks\": [");
    repo.write(".claude/skills/rapid-next/SKILL.md", "my own\n");
    repo.write(".cursor/hooks.json", "{\"version\": 1, \"hooks\": {\"stop\": 3}, \"note\": \"git-rapid is not here\"}");
    for harness in ["codex", "claude", "cursor"] {
        assert_ne!(repo.rapid(&["harness", "install", harness]).code, 0, "{harness}");
    }
    repo.rapid(&["harness", "status"]).ok().says("no harness is installed here");
    // A file lies where the last of them would need a directory: the others are taken out again.
    repo.write(".opencode/plugins", "not a directory\n");
    let before = everything(&repo);
    let failed = repo.rapid(&["harness", "install", "opencode"]);
    assert_ne!(failed.code, 0);
    assert!(failed.says("nothing of it was kept").stderr.contains(".opencode/plugins"));
    assert!(everything(&repo) == before, "{:?}", differences(&before, &everything(&repo)));
    let list = repo.rapid(&["harness", "list"]).ok();
    assert_eq!(list.stdout.matches("installed: no").count(), 8, "{list}");
}

#[test]
fn a_clone_and_an_edited_file_lose_only_what_is_ours() {
    let world = World::new();
    let repo = project(&world, "work");
    settings(&repo);
    repo.commit("settings of a person");
    for harness in ALL {
        repo.rapid(&["harness", "install", harness, "--mcp"]).ok();
    }
    repo.commit("the harnesses");
    // A clone never saw the installation.
    let clone = world.clone_of(&repo, "clone");
    for harness in ALL {
        clone.rapid(&["harness", "uninstall", harness]).ok();
    }
    let rest = clone.sh("grep -rl git-rapid --exclude-dir=.git . || true");
    assert_eq!(rest.line(), "", "nothing of ours is left");
    let claude: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(clone.path().join(".claude/settings.json")).unwrap()).unwrap();
    assert_eq!(claude["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "./mine.sh");
    assert_eq!((&claude["model"], claude["permissions"].is_object()), (&"opus".into(), true));
    assert!(!clone.path().join(".agents").exists(), "empty directories go");
    // Here a person goes on editing afterwards.
    let path = repo.path().join(".claude/settings.json");
    let text = std::fs::read_to_string(&path).unwrap().replace("opus", "haiku");
    std::fs::write(&path, text).unwrap();
    repo.rapid(&["harness", "uninstall", "claude"]).ok();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("haiku") && text.contains("./mine.sh") && !text.contains("git-rapid"), "{text}");
}

#[test]
fn nothing_of_somebody_else_is_replaced() {
    let repo = project(&World::new(), "work");
    repo.write(".claude/skills/rapid-next/SKILL.md", "my own\n");
    let untouched = everything(&repo);
    repo.rapid(&["harness", "install", "claude"]).ends(1).names("RAPID1631").says("rapid-next");
    assert_eq!(everything(&repo), untouched, "nothing was written");
    repo.sh("rm -r .claude && mkdir elsewhere && ln -s elsewhere .claude");
    repo.rapid(&["harness", "install", "claude"]).ends(1).names("RAPID1631").says("symbolic link");
    assert!(!repo.path().join("elsewhere/settings.json").exists());
    for (text, why) in [
        ("{\"hooks\": [", "not JSON"),
        ("[]", "no object"),
        ("{\"hooks\": 3}", "no object"),
        ("{\"hooks\": {\"Stop\": {}}}", "no list"),
    ] {
        repo.write(".codex/hooks.json", text);
        let untouched = everything(&repo);
        repo.rapid(&["harness", "install", "codex"]).ends(2).names("RAPID1632").says(why);
        assert_eq!(everything(&repo), untouched, "{text}");
    }
    repo.write(".codex/hooks.json", "{}");
    repo.write(".codex/config.toml", "[mcp_servers.git-rapid]\ncommand = \"other\"\n");
    repo.rapid(&["harness", "install", "codex", "--mcp"]).ends(2).names("RAPID1632");
    repo.rapid(&["harness", "install", "emacs"]).ends(2).names("RAPID1630").says("claude, codex");
}

#[test]
fn init_installs_harnesses_and_list_and_show_tell_of_them() {
    let repo = project(&World::new(), "work");
    let done = repo.rapid(&["init", "--harness", "claude", "--harness", "pi", "--json"]).ok().json();
    assert_eq!(done.get("harnesses").unwrap().canonical(), "[\"claude\",\"pi\"]");
    let skill = std::fs::read_to_string(repo.path().join(".claude/skills/rapid-bugfix/SKILL.md")).unwrap();
    assert!(skill.starts_with("---\nname: rapid-bugfix\ndescription: "), "{skill}");
    assert!(skill.contains("$ARGUMENTS") && skill.contains("git rapid start bugfix --spec-file FILE --harness claude"));
    assert!(!skill.contains("{{"), "every placeholder is filled");
    let list = repo.rapid(&["harness", "list"]).ok();
    assert_eq!(list.stdout.matches("installed: yes").count(), 2, "{list}");
    assert_eq!(list.stdout.matches("installed: no").count(), 6, "{list}");
    repo.rapid(&["harness", "show", "claude"]).ok().says(".claude/settings.json").says("repository.read");
    std::fs::remove_file(repo.path().join(".claude/skills/rapid-next/SKILL.md")).unwrap();
    repo.rapid(&["harness", "list"]).ok().says("installed: in part");
    for harness in ALL {
        let shown = repo.rapid(&["harness", "show", harness, "--json"]).ok().json();
        assert_eq!(shown.get("shortcuts").unwrap().as_list().unwrap().len(), 7, "{harness}");
    }
}

#[test]
fn every_shortcut_is_what_its_harness_reads() {
    let repo = project(&World::new(), "work");
    for harness in ALL {
        repo.rapid(&["harness", "install", harness]).ok();
    }
    let all = everything(&repo);
    let shortcuts: Vec<_> = all.iter().filter(|(path, _)| path.contains("rapid-") && !path.ends_with('/')).collect();
    assert_eq!(shortcuts.len(), 8 * 7);
    for (path, bytes) in shortcuts {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(!text.contains("{{") || text.contains("{{args}}") && path.starts_with(".gemini"), "{path}:\n{text}");
        assert!(text.lines().count() < 40 && text.contains("git rapid"), "{path}");
        if path.ends_with(".toml") {
            let table: toml::Table = text.parse().unwrap();
            assert!(table["prompt"].as_str().unwrap().contains("git rapid"), "{path}");
        } else if !path.starts_with(".cursor") {
            let (front, _) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
            let about = front.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
            assert!(about.len() < 100 && !about.contains(':'), "{path}: {about}");
            let folder = Path::new(path).parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
            let name = front.lines().find_map(|line| line.strip_prefix("name: "));
            assert!(name.is_none_or(|name| name == folder), "{path}");
        }
    }
}
