// Behaves like one of the agents as far as /proc and its files show: run under that agent's name, obeys typed lines.
// Usage: <agent name> stand-in.mjs <kind> <transcript to play> ; lines: "play", "wait", "quit".
import { appendFileSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [kind, played] = process.argv.slice(2);
const home = process.env.HOME;
const cwd = realpathSync(process.cwd());
const lines = readFileSync(played, "utf8").trimEnd().split("\n");
const sessionId = /"(?:sessionId|id)":"([0-9a-f-]{36})"/.exec(lines[0])[1];
const actors = { claude, codex, gemini };
const actor = actors[kind]();
createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "play") actor.play();
  if (line === "wait") actor.wait?.();
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
