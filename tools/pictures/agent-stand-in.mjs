/**
 * Stands in for Claude Code in the screenshots: it waits for its user. The relay recognizes it by its folder, and reads
 * its state from the file that it writes, as with the real program.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const home = path.join(process.env.HOME ?? "", ".claude");
const folder = path.join(home, "sessions");
mkdirSync(folder, { recursive: true });
const sessionId = "5f0c1d8e-3a52-4d0e-9c35-7a1f6f1f2b11";

// Usage of two models, so that shares are visible.
const answers = /** @type {const} */ ([
  ["claude-haiku-4-5", 9_800, 14_100, 36_000],
  ["claude-opus-4-5", 18_400, 9_200, 412_000],
]).map(([model, input_tokens, output_tokens, cache_read_input_tokens], index) => ({
  type: "assistant",
  uuid: `00000000-0000-4000-8000-00000000000${index}`,
  sessionId,
  cwd: process.cwd(),
  timestamp: new Date(Date.now() + index).toISOString(),
  requestId: `req_${index}`,
  message: {
    id: `msg_${index}`,
    role: "assistant",
    model,
    content: [{ type: "text", text: "Found it." }],
    usage: { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens: 0 },
  },
}));
const project = path.join(home, "projects", process.cwd().replace(/[^A-Za-z0-9]/g, "-"));
mkdirSync(project, { recursive: true });
writeFileSync(
  path.join(project, `${sessionId}.jsonl`),
  answers.map((answer) => `${JSON.stringify(answer)}\n`).join(""),
);

const state = {
  sessionId,
  cwd: process.cwd(),
  status: "waiting",
  waitingFor: "permission",
  startedAt: Date.now(),
  updatedAt: Date.now(),
};
writeFileSync(path.join(folder, `${process.pid}.json`), JSON.stringify(state));

/** @param {number} code @param {string} text */
const sgr = (code, text) => `\x1b[${code}m${text}\x1b[0m`;
const lines = [
  `${sgr(2, ">")} The total of order 8812 is off by a cent. Find out why.`,
  "",
  `${sgr(32, "●")} ${sgr(1, "Read")} src/orders/total.ts ${sgr(2, "96 lines")}`,
  `${sgr(32, "●")} ${sgr(1, "Run")} npm test -- orders/total`,
  sgr(2, "  31 passed: no test has a price of half a cent."),
  `${sgr(32, "●")} ${sgr(1, "Edit")} src/orders/total.ts`,
  sgr(31, "  - const cents = Math.round(price * 100);"),
  sgr(32, "  + const cents = halfToEven(price * 100);"),
  "",
  sgr(33, "Run npm test again?"),
  `  ${sgr(1, "❯ Yes")}`,
  "    Yes, and do not ask again",
  "    No, and tell me what to do instead",
];
process.stdout.write(`\x1b[2J\x1b[H\x1b[?25l${lines.join("\r\n")}\r\n`);
process.stdin.resume();
