// A small agent that speaks the Agent Client Protocol over its standard streams, in place of a real one. What a prompt says
// decides what its turn does:
//   ask WORD     asks for permission, and makes the file WORD if it is allowed; its tool's end follows
//   keep WORD    as ask, but nothing is told of the tool afterwards
//   choose N     asks with N options, and says which it got
//   twice        asks two questions at once, with the same JSON-RPC id
//   busy         says that it works, and goes on until it is cancelled
//   mute         tells nothing until it is cancelled        fail    answers with an error
//   quit         ends the program in the middle of the turn
//   files        asks the client to read a file, and says what it answers
//   noise        sends what is no message of the protocol, then says that it is still there
// Any other prompt is said again. Every request that it gets is written to the file that ACP_LOG names.
import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const SESSION = "session-of-the-agent";
const waiting = new Map();
let ids = 0;
let cancel = () => {};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (sessionUpdate, more) =>
  send({ method: "session/update", params: { sessionId: SESSION, update: { sessionUpdate, ...more } } });
const say = (text) => update("agent_message_chunk", { content: { type: "text", text } });

function request(method, params, id = `agent-${++ids}`) {
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const OPTIONS = [
  { optionId: "allow", name: "Allow once", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

function permission(toolCallId, title, options = OPTIONS, id = undefined) {
  const toolCall = { toolCallId, title, kind: "execute", rawInput: { command: title } };
  return request("session/request_permission", { sessionId: SESSION, toolCall, options }, id);
}

const turns = {
  async ask(word, tells = true) {
    const id = `call-${++ids}`;
    update("tool_call", { toolCallId: id, title: `touch ${word}`, kind: "execute", status: "pending" });
    const { result } = await permission(id, `touch ${word}`);
    const { outcome, optionId } = result?.outcome ?? {};
    if (outcome !== "selected") return "cancelled";
    const isAllowed = optionId !== "reject";
    if (isAllowed) writeFileSync(word, "");
    if (tells) update("tool_call_update", { toolCallId: id, status: isAllowed ? "completed" : "failed" });
    say(`Got ${optionId}.`);
    return "end_turn";
  },
  keep: (word) => turns.ask(word, false),
  async choose(count) {
    const options = Array.from({ length: Number(count) }, (_, index) => ({
      optionId: `o-${index + 1}`,
      name: `Option ${index + 1}`,
      kind: "allow_once",
    }));
    const { result } = await permission(`call-${++ids}`, "Which one?", options);
    say(`Got ${result?.outcome?.optionId ?? "nothing"}.`);
    return "end_turn";
  },
  async twice() {
    const first = permission("call-a", "first", OPTIONS, "same");
    const second = permission("call-b", "second", OPTIONS, "same");
    await Promise.race([first, second]);
    say("One was answered.");
    return "end_turn";
  },
  async busy() {
    say("Working.");
    await new Promise((resolve) => (cancel = resolve));
    return "cancelled";
  },
  async mute() {
    await new Promise((resolve) => (cancel = resolve));
    return "cancelled";
  },
  async fail() {
    throw new Error("the model is away");
  },
  quit: () => process.exit(3),
  async files() {
    const { error } = await request("fs/read_text_file", { sessionId: SESSION, path: "/etc/passwd" });
    say(`Got error ${error?.code}.`);
    return "end_turn";
  },
  async noise() {
    process.stdout.write("this is no JSON\n[1, 2]\nnull\n");
    send({ id: "unknown", result: {} });
    send({ method: "session/update", params: { sessionId: SESSION, update: 7 } });
    send({ method: "session/update", params: { sessionId: "another", update: { sessionUpdate: "plan" } } });
    send({ method: "no/such", params: {} });
    update("from_the_future", { content: [] });
    say("\u001b[2J\u001b]0;title\u0007Still \u202ethere.");
    return "end_turn";
  },
};

async function prompted(text) {
  const [word, argument] = text.split(/\s+/);
  if (Object.hasOwn(turns, word)) return turns[word](argument);
  say(`You said: ${text}`);
  return "end_turn";
}

async function answer({ method, params }) {
  switch (method) {
    case "initialize":
      return { protocolVersion: 1, agentCapabilities: {}, authMethods: [] };
    case "session/new":
      return { sessionId: SESSION };
    case "session/prompt":
      return { stopReason: await prompted(params.prompt[0].text) };
    default:
      throw new Error(`no method ${method}`);
  }
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (process.env.ACP_LOG && message.method) {
      appendFileSync(process.env.ACP_LOG, `${JSON.stringify({ method: message.method, params: message.params })}\n`);
    }
    if (message.method === undefined) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    } else if (message.id === undefined) {
      if (message.method === "session/cancel") cancel();
    } else {
      answer(message).then(
        (result) => send({ id: message.id, result }),
        (error) => send({ id: message.id, error: { code: -32603, message: error.message } }),
      );
    }
  })
  .on("close", () => process.exit(0));
