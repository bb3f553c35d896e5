#!/usr/bin/env node
// Claude Code as far as its files and its process show: says in sessions/<pid>.json which session it is in, and keeps a
// transcript. Lines: "ask TEXT" (a prompt, and "answer to TEXT"), "resume ID", "tool ARGS" (itself as a tool, with these
// arguments), "quit". Each start is noted in $HOME/starts.jsonl. STAND_IN_SLOW: milliseconds before it shows a session.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const home = process.env.CLAUDE_CONFIG_DIR ?? join(process.env.HOME, ".claude");
const words = process.argv.slice(2);
const cwd = process.cwd();
const folder = join(home, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
const file = join(home, "sessions", `${process.pid}.json`);
const argument = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const transcriptOf = (id) => join(folder, `${id}.jsonl`);
let session = argument("--resume") ?? argument("--session-id") ?? randomUUID();

appendFileSync(
  join(process.env.HOME, "starts.jsonl"),
  `${JSON.stringify({ pid: process.pid, words, cwd, home, session, given: process.env.GIVEN })}\n`,
);
if (argument("--resume") !== undefined && !existsSync(transcriptOf(session))) {
  process.stdout.write(`No conversation found with session ID: ${session}\n`);
  process.exit(1);
}
setTimeout(show, Number(process.env.STAND_IN_SLOW ?? 0));

function show() {
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, "sessions"), { recursive: true });
  work(session);
  if (words.includes("-p")) return say(words.at(-1));
  createInterface({ input: process.stdin }).on("line", (line) => {
    const [verb, ...rest] = line.trim().split(" ");
    const text = rest.join(" ");
    if (verb === "ask") say(text);
    if (verb === "resume") work(text);
    if (verb === "tool") spawn(process.execPath, [process.argv[1], ...rest], { detached: true, stdio: "pipe" });
    if (verb === "quit") {
      rmSync(file);
      process.exit(0);
    }
  });
}

function work(id) {
  session = id;
  const procStart = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")[19];
  writeFileSync(
    file,
    JSON.stringify({ pid: process.pid, sessionId: id, cwd, procStart, status: "idle", statusUpdatedAt: Date.now() }),
  );
  process.stdout.write(`in ${id}\n`);
}

function say(text) {
  const at = () => new Date().toISOString();
  const known = existsSync(transcriptOf(session))
    ? readFileSync(transcriptOf(session), "utf8").trimEnd().split("\n")
    : [];
  const last = known.length === 0 ? null : JSON.parse(known.at(-1)).uuid;
  const common = { isSidechain: false, userType: "external", cwd, sessionId: session, version: "2.1.330" };
  const user = {
    parentUuid: last,
    ...common,
    type: "user",
    message: { role: "user", content: text },
    uuid: randomUUID(),
    timestamp: at(),
  };
  const message = {
    model: "claude-sonnet-4-6",
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: `answer to ${text}` }],
    stop_reason: "end_turn",
    usage: { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 },
  };
  const answer = {
    parentUuid: user.uuid,
    ...common,
    type: "assistant",
    message,
    requestId: `req_${randomUUID()}`,
    uuid: randomUUID(),
    timestamp: at(),
  };
  appendFileSync(transcriptOf(session), `${JSON.stringify(user)}\n${JSON.stringify(answer)}\n`);
  process.stdout.write(`said ${text}\n`);
  if (words.includes("-p")) setTimeout(() => process.exit(0), 60_000);
}
