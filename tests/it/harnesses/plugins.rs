//! The plugins for OpenCode and pi, loaded by node and called as their harnesses call them.

use crate::harness::{Loop, Output, Repo, World, project, step_aside};

fn node(repo: &Repo, script: &str, path: Option<&str>) -> Option<Output> {
    std::fs::write(repo.path().join("drive.mjs"), script).unwrap();
    let mut command = repo.world().command("node", repo.path());
    command.arg("drive.mjs");
    if let Some(path) = path {
        command.env("PATH", path);
    }
    let output = Output::of_any(&mut command);
    if output.is_none() {
        step_aside("node is not installed here");
    }
    output
}

const OPENCODE: &str = r#"
import { GitRapid } from "./plugin.mjs";
const client = { session: { prompt: async (sent) => console.log("PROMPT", sent.path.id, sent.body.parts[0].text) } };
const hooks = await GitRapid({ client, directory: process.cwd() });
const call = async (command) => {
  const input = { tool: "bash", sessionID: "s", callID: "c" };
  try {
    await hooks["tool.execute.before"](input, { args: { command } });
    const output = { output: "fine" };
    await hooks["tool.execute.after"]({ ...input, args: { command } }, output);
    console.log("RAN", output.output);
  } catch (error) {
    console.log("THREW", error.message);
  }
};
await call("ls");
await call("git rapid approve gate.x");
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
"#;

const PI: &str = r#"
import plugin from "./plugin.mjs";
const on = {};
const sent = [];
plugin({ on: (name, run) => (on[name] = run), sendUserMessage: (text) => sent.push(text) });
const ctx = { cwd: process.cwd(), hasUI: true };
const call = async (command) => {
  const event = { toolName: "bash", toolCallId: "c", input: { command } };
  const before = await on.tool_call(event, ctx);
  if (before?.block) return console.log("THREW", before.reason);
  const after = await on.tool_result({ ...event, content: [{ type: "text", text: "fine" }] }, ctx);
  console.log("RAN", after?.content?.[1]?.text ?? "fine");
};
await call("ls");
await call("git rapid approve gate.x");
console.log("BEGAN", (await on.before_agent_start({ systemPrompt: "You are pi." }, ctx))?.systemPrompt);
await on.agent_settled({}, ctx);
console.log("PROMPT", sent.join(" "));
"#;

/// A project with the plugin as a module that node takes, types struck out.
fn ready(harness: &str, path: &str) -> Repo {
    let repo = project(&World::new(), "work");
    repo.rapid(&["harness", "install", harness]).ok();
    let text = std::fs::read_to_string(repo.path().join(path)).unwrap();
    let text = [": string", ": object", ": any"].iter().fold(text, |text, kind| text.replace(kind, ""));
    repo.write("plugin.mjs", &text);
    Loop::start(&repo, "Add a greeting");
    repo
}

#[test]
fn both_plugins_ask_the_guard_and_refuse_when_it_cannot_be_asked() {
    for (harness, path, script) in
        [("opencode", ".opencode/plugins/git-rapid.js", OPENCODE), ("pi", ".pi/extensions/git-rapid.ts", PI)]
    {
        let repo = ready(harness, path);
        let Some(seen) = node(&repo, script, None) else { return };
        let seen = seen.ok().says("RAN fine").says("THREW git-rapid[RAPID1634]").says("RAPID1636");
        assert_eq!(seen.stdout.matches("PROMPT").count(), 1, "{seen}");
        if harness == "pi" {
            assert!(
                seen.stdout.contains("BEGAN You are pi.") && seen.stdout.contains("is active: a feature"),
                "{seen}"
            );
        }
        repo.rapid(&["harness", "status"]).ok().says(&format!("{harness} guard: active"));
        // Where the program is missing nothing runs.
        let bare = repo.world().path("tmp");
        let found = Output::of(repo.world().command("sh", repo.path()).args(["-c", "command -v node"])).ok().line();
        std::os::unix::fs::symlink(found, bare.join("node")).unwrap();
        let without = node(&repo, script, bare.to_str()).unwrap();
        assert!(!without.stdout.contains("RAN"), "{without}");
        assert_eq!(without.stdout.matches("THREW").count(), 2, "{without}");
    }
}
