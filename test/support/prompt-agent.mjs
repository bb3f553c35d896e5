// An agent as a terminal and its files show it: draws an input, takes pastes, queues prompts during a turn, asks in a
// dialog, and writes the transcript of the agent whose name it runs under.
// Usage: <node under the agent's name> prompt-agent.mjs <claude|codex|gemini>. A prompt says what its turn does:
//   [busy MS] works that long        [ask MS] asks in a dialog for that long, in the turn
//   [swallow] is taken from the input and recorded nowhere, as a command of the agent's own is
//   [tokens N] costs that many tokens of input (claude)
//   [quit] ends the program without recording the prompt      [slow MS] is recorded so much later
// SIGUSR2 opens a dialog for 250 ms at any time. Enter in a dialog is written to the file dialog-answers in the home folder.
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [kind] = process.argv.slice(2);
const home = process.env.HOME;
const cwd = realpathSync(process.cwd());
const born = Date.now().toString(16).padStart(12, "0");
// Codex names its threads by the time of their birth.
const sessionId = kind !== "codex" ? randomUUID() : `${born.slice(0, 8)}-${born.slice(8)}-7${randomUUID().slice(15)}`;
const now = () => new Date().toISOString();
const transcript = { claude, codex, gemini }[kind]();
const markers = { claude: "❯ ", codex: "› ", gemini: " > " };

let input = "";
let history = [];
const queue = [];
let isBusy = false;
let dialog;
let pasting;

function claude() {
  const folder = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, ".claude", "sessions"), { recursive: true });
  const main = join(folder, `${sessionId}.jsonl`);
  const own = join(home, ".claude", "sessions", `${process.pid}.json`);
  const procStart = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")[19];
  const words = { idle: "idle", working: "busy", blocked: "waiting" };
  const line = (record) =>
    appendFileSync(main, `${JSON.stringify({ parentUuid: null, isSidechain: false, ...record })}\n`);
  const more = () => ({ uuid: randomUUID(), timestamp: now(), sessionId, cwd });
  return {
    status: (state) =>
      writeFileSync(
        own,
        JSON.stringify({
          pid: process.pid,
          sessionId,
          cwd,
          procStart,
          status: words[state],
          statusUpdatedAt: Date.now(),
        }),
      ),
    user: (text) =>
      line({ promptId: randomUUID(), type: "user", message: { role: "user", content: recorded(text) }, ...more() }),
    answer: (text, tokens) => {
      const usage = { input_tokens: tokens, output_tokens: 1 };
      const message = {
        id: `msg_${randomUUID()}`,
        role: "assistant",
        model: "claude-sonnet-4-6",
        content: [{ type: "text", text }],
        stop_reason: "end_turn",
        usage,
      };
      line({ message, type: "assistant", ...more() });
    },
    quit: () => rmSync(own, { force: true }),
  };
}

/** Claude Code puts long pastes between tags. */
function recorded(text) {
  return text.length > 800 ? `\n\n<pasted_content id="1a2b">\n${text}\n</pasted_content>\n` : text;
}

function codex() {
  const folder = join(home, ".codex", "sessions", ...now().slice(0, 10).split("-"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `rollout-${now().slice(0, 19).replaceAll(":", "-")}-${sessionId}.jsonl`);
  let ordinal = 0;
  const line = (type, payload) =>
    appendFileSync(file, `${JSON.stringify({ timestamp: now(), ordinal: ordinal++, type, payload })}\n`);
  line("session_meta", {
    session_id: sessionId,
    id: sessionId,
    timestamp: now(),
    cwd,
    source: "cli",
    thread_source: "user",
    history_mode: "paginated",
  });
  openSync(file, "r");
  const item = (type, text) =>
    line("event_msg", {
      type: "item_completed",
      thread_id: sessionId,
      item: { type, id: randomUUID(), content: [{ type: type === "UserMessage" ? "text" : "Text", text }] },
    });
  return {
    status: () => undefined,
    user: (text) => item("UserMessage", text),
    answer: (text) => item("AgentMessage", text),
    quit: () => undefined,
  };
}

function gemini() {
  const folder = join(home, ".gemini", "tmp", "slug", "chats");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, ".gemini", "projects.json"), JSON.stringify({ projects: { [cwd]: "slug" } }));
  const file = join(folder, `session-${now().slice(0, 16).replace(":", "-")}-${sessionId.slice(0, 8)}.jsonl`);
  const line = (record) => appendFileSync(file, `${JSON.stringify(record)}\n`);
  line({ sessionId, projectHash: "", startTime: now(), lastUpdated: now(), kind: "main" });
  return {
    status: () => undefined,
    user: (text) => line({ id: randomUUID(), timestamp: now(), type: "user", content: [{ text }] }),
    answer: (text) =>
      line({
        id: randomUUID(),
        timestamp: now(),
        type: "gemini",
        content: text,
        thoughts: [],
        tokens: { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: 2 },
        model: "gemini-2.5-pro",
      }),
    quit: () => undefined,
  };
}

function report(state) {
  transcript.status(state);
  process.stdout.write(`\u001b]7501;app=${kind === "claude" ? "claude-code" : kind};state=${state}\u001b\\`);
}

function draw() {
  const { rows = 24 } = process.stdout;
  const shown =
    input.length > 800
      ? {
          claude: "[Pasted text #1]",
          codex: `[Pasted Content ${input.length} chars]`,
          gemini: "[Pasted Text: 9 lines]",
        }[kind]
      : input;
  const box =
    dialog === undefined
      ? ["─".repeat(20), markers[kind] + shown.split("\n").join("\n  "), "─".repeat(20), "  ? for shortcuts"]
      : ["Do you want to proceed?", `${markers[kind]}1. Yes`, "  2. No", "Esc to cancel"];
  const lines = [...history, ...box].join("\n").split("\n");
  process.stdout.write(`\u001b[H\u001b[2J${lines.slice(-(rows - 1)).join("\r\n")}`);
}

function wait(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const directive = (text, name) => Number(new RegExp(`\\[${name} (\\d+)\\]`).exec(text)?.[1] ?? 0);

async function ask(milliseconds) {
  report("blocked");
  dialog = true;
  draw();
  await wait(milliseconds);
  dialog = undefined;
  report(isBusy ? "working" : "idle");
  draw();
}

async function turn(text) {
  isBusy = true;
  report("working");
  await wait(directive(text, "slow"));
  transcript.user(text);
  history.push(`${markers[kind]}${text.slice(0, 60).replaceAll("\n", " ")}`);
  draw();
  await wait(20 + directive(text, "busy"));
  const asked = directive(text, "ask");
  if (asked > 0) await ask(asked);
  transcript.answer("Done.", directive(text, "tokens") || 1);
  history = [...history, "● Done."].slice(-40);
  isBusy = false;
  const next = queue.shift();
  if (next !== undefined) return turn(next);
  report("idle");
  draw();
}

function enter() {
  if (dialog !== undefined) {
    appendFileSync(join(home, "dialog-answers"), "1\n");
    return;
  }
  const text = input.trim();
  input = "";
  if (text.includes("[quit]")) end();
  else if (text === "" || text.includes("[swallow]")) draw();
  else if (isBusy) {
    queue.push(text);
    draw();
  } else void turn(text);
}

function end() {
  transcript.quit();
  process.stdout.write("\u001b[?2004l\r\n");
  process.exit(0);
}

function take(data) {
  let rest = data;
  while (rest !== "") rest = pasting === undefined ? takeKey(rest) : takePasted(rest);
  draw();
}

/** Returns what follows the part of a paste. */
function takePasted(data) {
  const stop = data.indexOf("\u001b[201~");
  pasting += stop < 0 ? data : data.slice(0, stop);
  if (stop < 0) return "";
  if (dialog === undefined) input += pasting.replaceAll("\r", "\n");
  pasting = undefined;
  return data.slice(stop + 6);
}

/** Returns what follows the first key. */
function takeKey(data) {
  if (data.startsWith("\u001b[200~")) {
    pasting = "";
    return data.slice(6);
  }
  const [key] = data;
  if (key === "\r") enter();
  else if (key === "\u0003") end();
  else if (key === "\u0015") input = "";
  else if (key === "\u007f") input = input.slice(0, -1);
  else if (key >= " " && dialog === undefined) input += key;
  return data.slice(key.length);
}

process.on("SIGUSR2", () => void ask(250));
process.on("SIGTERM", end);
process.stdout.on("resize", draw);
process.stdin.setRawMode(true);
process.stdin.setEncoding("utf8");
process.stdin.on("data", take);
process.stdout.write("\u001b[?2004h");
report("idle");
draw();
