// Written by `git rapid harness install opencode`; `git rapid harness uninstall opencode` removes it.
// Asks git-rapid before and after each tool call. When git-rapid cannot be asked, the call is refused.
import { spawnSync } from "node:child_process";

const ask = (event, directory, input) => {
  const answer = spawnSync("git-rapid", ["hook", "harness", "opencode", event], {
    cwd: directory,
    input: JSON.stringify({ hook_event_name: event, cwd: directory, ...input }),
    encoding: "utf8",
    timeout: 30000,
  });
  return { status: answer.error ? 2 : (answer.status ?? 2), text: answer.stderr || String(answer.error ?? "") };
};

const call = (input, args) => ({
  session_id: input.sessionID,
  tool_use_id: input.callID,
  tool_name: input.tool,
  tool_input: args ?? {},
});

export const GitRapid = async ({ client, directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = ask("pre-tool", directory, call(input, output.args));
    if (answer.status !== 0) throw new Error(answer.text);
  },
  "tool.execute.after": async (input, output) => {
    const answer = ask("post-tool", directory, call(input, input.args));
    if (answer.status !== 0) output.output = `${output.output ?? ""}\n${answer.text}`;
  },
  event: async ({ event }) => {
    if (event.type !== "session.idle") return;
    const id = event.properties?.sessionID;
    const answer = ask("stop", directory, { session_id: id });
    if (answer.status === 2 && id) {
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.text }] } });
    }
  },
});
