/**
 * Prints or does one thing without end, as fast as its terminal takes it: `node loud-program.mjs WAY`. `WAYS` names them.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PIECE_BYTES = 64 * 1024;
const FILES = 100_000;
const TRANSCRIPT_BYTES_PER_TURN = 1024 * 1024;

/**
 * What is printed, of which the terminal gets one after the other: a program that counts prints different things.
 *
 * @type {Readonly<Record<string, (n: number) => string>>}
 */
const PRINTED = {
  bells: () => "\x07",
  titles: (n) => `\x1b]0;title ${n % 97}\x07`,
  notifications: (n) => `\x1b]9;note ${n}\x07`,
  progress: (n) => `\x1b]9;4;1;${n % 100}\x07`,
  states: (n) => `\x1b]7501;state=${n % 2 ? "working" : "idle"}:app=loud\x07`,
  tasks: (n) => `\x1b]7501;state=working:app=loud:id=task${n}\x07`,
  folders: (n) => `\x1b]7;file:///tmp/folder-${n % 97}\x07`,
  "forged prompts": (n) => `\x1b]133;A\x07\x1b]133;D;${n % 256}\x07`,
  "forged marks": (n) => `\x1b]7133;${n + 1};0123456789abcdef;D;0\x07`,
  "cursor queries": () => "\x1b[6n",
  "device queries": () => "\x1b[c",
  "colour queries": () => "\x1b]10;?\x07",
  repeats: () => "a\x1b[9999b\x1b[9999L\x1b[6n",
  "carriage returns": () => "\r",
  lines: (n) => `${n} the quick brown fox jumps over the lazy dog\n`,
  images: (n) => `\x1bPq#0;2;${n % 100};0;0${"#0~~~~$-".repeat(100)}\x1b\\`,
  clears: () => "\x1b[3J\x1b[2J\x1b[H",
  links: (n) => `\x1b]8;id=${n};https://example.org/${n}\x07link\x1b]8;;\x07`,
  modes: () => "\x1b[?1049h\x1b[?2004h\x1b[?1h\x1b[?1l\x1b[?2004l\x1b[?1049l",
  clipboards: () => `\x1b]52;c;${"QUJD".repeat(1000)}\x07`,
  "unfinished strings": () => "\x1bP",
  "wide letters": () => "🙂漢字é\u0301",
};

/** @type {Readonly<Record<string, () => void>>} */
const DONE = {
  forks() {
    for (;;) spawnSync("/bin/true");
  },
  resizes() {
    for (let n = 0; ; n += 1) spawnSync("stty", ["cols", String(40 + (n % 97))], { stdio: "inherit" });
  },
  files() {
    const { project } = claimAgent();
    for (let n = 0; n < FILES; n += 1) writeFileSync(path.join(project, `${n}.jsonl`), "");
    // It touches them from then on.
    for (let n = 0; ; n = (n + 1) % FILES) writeFileSync(path.join(project, `${n}.jsonl`), "{}\n");
  },
  "a transcript": () => {
    const { project, sessionId } = claimAgent();
    const piece = `${transcriptLine(sessionId)}\n`;
    const pieces = piece.repeat(Math.ceil(TRANSCRIPT_BYTES_PER_TURN / piece.length));
    const everyMs = 1000 / (50 / (pieces.length / 1e6));
    setInterval(() => appendFileSync(path.join(project, `${sessionId}.jsonl`), pieces), everyMs);
  },
};

export const WAYS = [...Object.keys(PRINTED), ...Object.keys(DONE)];

const [, started = "", way = ""] = process.argv;
if (started === fileURLToPath(import.meta.url)) {
  const print = PRINTED[way];
  if (print !== undefined) printWithoutEnd(print);
  else DONE[way]?.();
}

/** @param {(n: number) => string} print */
function printWithoutEnd(print) {
  for (let n = 0; ; ) {
    let piece = "";
    for (; piece.length < PIECE_BYTES; n += 1) piece += print(n);
    writeWhole(Buffer.from(piece));
  }
}

/** @param {Buffer} bytes */
function writeWhole(bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
  }
}

/** Stands in for Claude Code: the relay finds it by the folder of its program. */
function claimAgent() {
  const home = path.join(process.env.HOME ?? "", ".claude");
  const cwd = process.cwd();
  const sessionId = "11111111-2222-4333-8444-555555555555";
  const project = path.join(home, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(project, { recursive: true });
  mkdirSync(path.join(home, "sessions"), { recursive: true });
  const state = { sessionId, cwd, status: "busy", startedAt: Date.now(), updatedAt: Date.now() };
  writeFileSync(path.join(home, "sessions", `${process.pid}.json`), JSON.stringify(state));
  writeFileSync(path.join(project, `${sessionId}.jsonl`), `${transcriptLine(sessionId)}\n`);
  return { project, sessionId };
}

/** @param {string} sessionId */
function transcriptLine(sessionId) {
  const usage = { input_tokens: 12, output_tokens: 4, cache_read_input_tokens: 40, cache_creation_input_tokens: 0 };
  return JSON.stringify({
    type: "assistant",
    uuid: "u",
    sessionId,
    cwd: process.cwd(),
    timestamp: new Date().toISOString(),
    requestId: `req_${sessionId}`,
    message: {
      id: "msg",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: "The quick brown fox jumps over the lazy dog. ".repeat(40) }],
      usage,
    },
  });
}
