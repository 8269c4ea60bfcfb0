// Written by `git rapid harness install pi`; `git rapid harness uninstall pi` removes it.
// Asks git-rapid before and after each tool call. When git-rapid cannot be asked, the call is refused.
import { spawnSync } from "node:child_process";

const ask = (event: string, cwd: string, input: object) => {
  const answer = spawnSync("git-rapid", ["hook", "harness", "pi", event], {
    cwd,
    input: JSON.stringify({ hook_event_name: event, cwd, ...input }),
    encoding: "utf8",
    timeout: 30000,
  });
  const status = answer.error ? 2 : (answer.status ?? 2);
  return { status, told: answer.stdout ?? "", text: answer.stderr || String(answer.error ?? "") };
};

const call = (event: any) => ({
  session_id: process.env.PI_SESSION_ID ?? String(process.pid),
  tool_use_id: event.toolCallId,
  tool_name: event.toolName,
  tool_input: event.input ?? {},
});

export default function (pi: any) {
  const at = (ctx: any) => ctx?.cwd ?? process.cwd();
  pi.on("tool_call", async (event: any, ctx: any) => {
    const answer = ask("pre-tool", at(ctx), call(event));
    if (answer.status !== 0) return { block: true, reason: answer.text };
  });
  pi.on("tool_result", async (event: any, ctx: any) => {
    const answer = ask("post-tool", at(ctx), call(event));
    if (answer.status !== 0) return { content: [...(event.content ?? []), { type: "text", text: answer.text }] };
  });
  pi.on("before_agent_start", async (event: any, ctx: any) => {
    const answer = ask("session-start", at(ctx), {});
    if (answer.told.trim()) return { systemPrompt: `${event.systemPrompt ?? ""}\n\n${answer.told}` };
  });
  pi.on("agent_settled", async (_event: any, ctx: any) => {
    const answer = ask("stop", at(ctx), { session_id: process.env.PI_SESSION_ID ?? String(process.pid) });
    if (answer.status === 2 && ctx?.hasUI) pi.sendUserMessage?.(answer.text);
  });
}
