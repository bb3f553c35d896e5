// Stub of the OpenAI chat completions API (streaming) for Qwen Code and GitHub Copilot CLI.
//   node openai-chat-stub.mjs --port 8804 --log /tmp/truth.jsonl

import { args, body, json, logCall, logger, plan, serve, sleep, sse } from "./common.mjs";

const a = args(8804);
const log = logger(a.log);
let n = 0;

const textOf = ({ content }) =>
  typeof content === "string" ? content : (content || []).map((part) => part.text || "").join("\n");

/** The last prompt, and how many steps of its plan are done. */
function state(messages) {
  let prompt = "";
  let step = 0;
  let open = false;
  for (const message of messages) {
    if (message.role === "user") {
      prompt = textOf(message);
      step = 0;
    }
    if (message.role === "tool" && !open) step += 1;
    open = message.role === "tool";
  }
  return { prompt, step };
}

function usageFor(k) {
  const prompt = 1500 + 100 * k;
  const completion = 50 + 5 * k;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 500 + 50 * k },
  };
}

/** A call of the agent's own tool for commands. */
function shellCall(tools, command, k) {
  const names = tools.map((tool) => tool.function?.name);
  const name = ["run_shell_command", "bash", "shell"].find((one) => names.includes(one)) || "bash";
  const given = { command, description: "A command of the stub", is_background: false };
  return { id: `call_stub${k}`, type: "function", function: { name, arguments: JSON.stringify(given) } };
}

async function completions(r, b) {
  n += 1;
  const k = n;
  const { prompt, step } = state(b.messages || []);
  // Qwen Code asks so what the user may type next, and records nothing of it.
  const side = /^\[SUGGESTION MODE/.test(prompt);
  const { steps, say } = plan(prompt);
  const now = steps[step];
  logCall(log, r, { k, side });
  if (now?.op === "FAIL" && !side) {
    log({ api: "openai-chat", k, model: b.model, status: Number(now.arg) });
    return json(r, Number(now.arg), { error: { message: `stub failure ${now.arg}`, type: "server_error" } });
  }
  if (now?.op === "SLOW") await sleep(Number(now.arg));
  if (r.destroyed) return;
  const calls = now && ["RUN", "ASK"].includes(now.op) ? [shellCall(b.tools || [], now.arg, k)] : [];
  const text = calls.length > 0 ? `Step ${step + 1}: I will use a tool.` : say;
  const finish = calls.length > 0 ? "tool_calls" : "stop";
  const usage = usageFor(k);
  log({
    api: "openai-chat",
    k,
    side,
    model: b.model,
    step,
    op: now?.op || "SAY",
    usage,
    promptHead: prompt.slice(0, 60),
  });
  const head = { id: `chatcmpl-stub${k}`, created: Math.floor(Date.now() / 1000), model: b.model };
  if (!b.stream) {
    const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    const choices = [{ index: 0, message, finish_reason: finish }];
    return json(r, 200, { ...head, object: "chat.completion", choices, usage });
  }
  const chunk = { ...head, object: "chat.completion.chunk" };
  const raw = sse(r);
  const tell = (delta, finish_reason = null) => raw("", { ...chunk, choices: [{ index: 0, delta, finish_reason }] });
  tell({ role: "assistant", content: "" });
  for (const piece of text.match(/.{1,24}/gs) || []) {
    tell({ content: piece });
    await sleep(a.delay);
  }
  if (calls.length > 0) tell({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
  tell({}, finish);
  raw("", { ...chunk, choices: [], usage });
  r.end("data: [DONE]\n\n");
}

serve(a, async (q, r) => {
  const { pathname } = new URL(q.url, "http://x");
  const b = q.method === "POST" ? await body(q) : {};
  if (pathname.endsWith("/chat/completions") && q.method === "POST") return completions(r, b);
  log({ api: "openai-chat", other: `${q.method} ${pathname}` });
  if (pathname.endsWith("/models")) return json(r, 200, { object: "list", data: [] });
  json(r, 404, { error: { message: "stub: no such route", type: "invalid_request_error" } });
});
