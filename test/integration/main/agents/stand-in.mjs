// Behaves like one of the agents as far as /proc and its files show: run under that agent's name, obeys typed lines.
// Usage: <agent name> stand-in.mjs <kind> <transcript to play> [more words] ; lines: "play", "wait", "quit", "say <OSC>",
// "tool <command>" (runs it without a terminal, as agents' tools do) and "tell <line>" (to that command).
// The kinds that end in "-late" show nothing of their session before "play", as an agent that is over at once.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [kind, played] = process.argv.slice(2);
const home = process.env.HOME;
const cwd = realpathSync(process.cwd());
const lines = readFileSync(played, "utf8").trimEnd().split("\n");
const sessionId = /"(?:sessionId|id)":"([0-9a-f-]{36})"/.exec(lines[0])[1];
const actors = { claude, codex, gemini, "claude-late": claudeLate, "codex-late": codexLate, "gemini-late": geminiLate };
const actor = actors[kind]?.() ?? {};
let tool;
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "play") actor.play?.();
  if (line.startsWith("say ")) process.stdout.write(`\u001b]${line.slice(4)}\u001b\\`);
  if (line === "wait") actor.wait?.();
  if (line.startsWith("tool ")) {
    tool = spawn("sh", ["-c", line.slice(5)], { detached: true, stdio: ["pipe", "pipe", "inherit"] });
    tool.stdout.on("data", (data) => process.stdout.write(`tool: ${data}`));
  }
  if (line.startsWith("tell ")) tool.stdin.write(`${line.slice(5)}\n`);
  if (line === "quit") {
    actor.quit?.();
    process.exit(0);
  }
});
process.stdout.write("stand-in ready\n");

function claude() {
  const folder = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(home, ".claude", "sessions"), { recursive: true });
  const file = join(home, ".claude", "sessions", `${process.pid}.json`);
  const procStart = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")[19];
  const say = (status) =>
    writeFileSync(
      file,
      JSON.stringify({ pid: process.pid, sessionId, cwd, procStart, status, statusUpdatedAt: Date.now() }),
    );
  say("idle");
  return {
    play() {
      say("busy");
      appendFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
      say("idle");
    },
    wait: () => say("waiting"),
    quit: () => rmSync(file),
  };
}

function codex() {
  const folder = join(home, ".codex", "sessions", "2026", "11", "21");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `rollout-2026-11-21T02-57-03-${sessionId}.jsonl`);
  writeFileSync(file, `${lines[0]}\n`);
  openSync(file, "r"); // kept open, as the real one does
  return { play: () => appendFileSync(file, `${lines.slice(1).join("\n")}\n`) };
}

function gemini() {
  const folder = join(home, ".gemini", "tmp", "slug", "chats");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, ".gemini", "projects.json"), JSON.stringify({ projects: { [cwd]: "slug" } }));
  const file = join(folder, `session-2026-11-21T02-57-${sessionId.slice(0, 8)}.jsonl`);
  const header = { ...JSON.parse(lines[0]), startTime: new Date().toISOString() };
  writeFileSync(file, `${JSON.stringify(header)}\n`);
  return { play: () => appendFileSync(file, `${lines.slice(1).join("\n")}\n`) };
}

/** Up to 2.0 there is no file that names the session. */
function claudeLate() {
  const folder = join(home, ".claude", "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  const play = () => {
    mkdirSync(folder, { recursive: true });
    const now = lines.map((line) => line.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date().toISOString()}"`));
    writeFileSync(join(folder, `${sessionId}.jsonl`), `${now.join("\n")}\n`);
  };
  return { play };
}

/** A thread is born with the process, in the folder that it runs in, whatever the transcript to play says. */
function codexLate() {
  const play = () => {
    const now = new Date();
    const born = now.getTime().toString(16).padStart(12, "0");
    const id = `${born.slice(0, 8)}-${born.slice(8)}-7${sessionId.slice(15)}`;
    const [year, month, day] = now.toISOString().slice(0, 10).split("-");
    const folder = join(home, ".codex", "sessions", year, month, day);
    mkdirSync(folder, { recursive: true });
    const head = JSON.parse(lines[0]);
    head.timestamp = now.toISOString();
    Object.assign(head.payload, { id, session_id: id, cwd });
    const text = [JSON.stringify(head), ...lines.slice(1)].join("\n");
    writeFileSync(
      join(folder, `rollout-${now.toISOString().slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`),
      `${text}\n`,
    );
  };
  return { play };
}

function geminiLate() {
  return { play: () => gemini().play() };
}
