/**
 * Stands in for Claude Code at work: appends a call to its transcript every second, and, while there is a file `titles` in
 * its home, changes its title ten times a second. The relay recognizes it by the folder of its program, and reads what it
 * writes as it reads the real program's files.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const EVERY_MS = 1_000;
const TITLE_EVERY_MS = 100;
const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";

const home = join(process.env.HOME ?? "", ".claude");
const sessionId = randomUUID();
const cwd = process.cwd();
const project = join(home, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
mkdirSync(project, { recursive: true });
mkdirSync(join(home, "sessions"), { recursive: true });
const state = { sessionId, cwd, status: "busy", startedAt: Date.now(), updatedAt: Date.now() };
writeFileSync(join(home, "sessions", `${process.pid}.json`), JSON.stringify(state));

setInterval(() => {
  const line = {
    type: "assistant",
    uuid: randomUUID(),
    sessionId,
    cwd,
    timestamp: new Date().toISOString(),
    requestId: `req_${randomUUID()}`,
    message: {
      id: `msg_${randomUUID()}`,
      role: "assistant",
      model: "claude-opus-4-5",
      content: [{ type: "text", text: "The quick brown fox jumps over the lazy dog. ".repeat(40) }],
      usage: { input_tokens: 12, output_tokens: 400, cache_read_input_tokens: 40_000, cache_creation_input_tokens: 0 },
    },
  };
  appendFileSync(join(project, `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
}, EVERY_MS);

let turn = 0;
setInterval(() => {
  if (!existsSync(join(process.env.HOME ?? "", "titles"))) return;
  turn += 1;
  process.stdout.write(`\x1b]0;${SPINNER[turn % SPINNER.length]} step ${turn}\x07`);
}, TITLE_EVERY_MS);
