/**
 * What the pictures of the session show: a small project with a history, and programs that draw what such programs draw.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const COMMITS = [
  ["Ann Berg", "Set up the project"],
  ["Ann Berg", "Read orders from the queue"],
  ["Lin Osei", "Add the price table"],
  ["Ann Berg", "Retry a payment at most three times"],
  ["Lin Osei", "Round totals half to even"],
  ["Marek Sol", "Answer 409 where an order is paid twice"],
  ["Ann Berg", "Keep the queue when the store is down"],
  ["Lin Osei", "Price table: read it once, not per order"],
  ["Marek Sol", "Log which rule refused a payment"],
  ["Ann Berg", "Name the order in every error"],
  ["Lin Osei", "Test totals with a hundred random orders"],
  ["Marek Sol", "Let the health check see the queue"],
];

const test = String.raw`
clear
printf '\033[2m> orders@2.4.0 test\033[0m\n\n'
for name in "orders/read 14 182" "orders/total 31 96" "payments/retry 9 341" "payments/refuse 12 77" "prices/table 22 54" "http/health 5 61" "http/orders 27 412"; do
  set -- $name
  printf ' \033[32m✓\033[0m %-16s \033[2m%2d tests\033[0m \033[33m%4d ms\033[0m\n' $1 $2 $3
done
printf '\n \033[1mTest files\033[0m  \033[32m7 passed\033[0m (7)\n \033[1m     Tests\033[0m  \033[32m120 passed\033[0m (120)\n \033[1m  Duration\033[0m  1.22s\n\n \033[42;30m PASS \033[0m \033[2mWaiting for file changes…\033[0m\n'
exec sleep 9999
`;

const server = String.raw`
clear
printf '\033[36m➜\033[0m  orders \033[1mv2.4.0\033[0m on \033[4mhttp://localhost:4100\033[0m\n\n'
for line in "200 GET /orders 12" "201 POST /orders 31" "200 GET /orders/8812 8" "409 POST /orders/8812/pay 17" "200 GET /prices 3" "200 GET /health 1" "201 POST /orders 28" "200 POST /orders/8813/pay 64" "200 GET /orders 11" "200 GET /health 1"; do
  set -- $line
  colour=32; [ $1 = 409 ] && colour=33
  printf '\033[2m14:20:0%d\033[0m \033['$colour'm%s\033[0m %-4s %-18s \033[2m%3d ms\033[0m\n' $(( $4 % 10 )) $1 $2 $3 $4
done
exec sleep 9999
`;

/** Stands in for an agent that waits for its user: the path, and the file of its state, are those of the real one. */
const agent = `
const { mkdirSync, writeFileSync } = require("node:fs");
const folder = process.env.HOME + "/.claude/sessions";
mkdirSync(folder, { recursive: true });
const state = { sessionId: "5f0c1d8e-3a52-4d0e-9c35-7a1f6f1f2b11", cwd: process.cwd(), status: "waiting", waitingFor: "permission", startedAt: Date.now(), updatedAt: Date.now() };
writeFileSync(folder + "/" + process.pid + ".json", JSON.stringify(state));
const [dim, bold, green, red, amber, end] = ["2", "1", "32", "31", "33", "0"].map((code) => "[" + code + "m");
process.stdout.write("[2J[H" + [
  dim + "> " + end + "The total of order 8812 is off by a cent. Find out why.",
  "",
  green + "●" + end + " " + bold + "Read" + end + " src/orders/total.ts " + dim + "96 lines" + end,
  green + "●" + end + " " + bold + "Run" + end + " npm test -- orders/total",
  dim + "  31 passed: no test has a price of half a cent." + end,
  green + "●" + end + " " + bold + "Edit" + end + " src/orders/total.ts",
  red + "  - const cents = Math.round(price * 100);" + end,
  green + "  + const cents = halfToEven(price * 100);" + end,
  "",
  amber + "Run npm test again?" + end,
  "  " + bold + "❯ Yes" + end,
  "    Yes, and do not ask again",
  "    No, and tell me what to do instead",
].join("
"));
setInterval(() => {}, 60_000);
`;

/** Makes the project and its programs in a home folder; answers the command lines of the tiles, by what they show. @param {string} home */
export function makeProject(home) {
  const project = path.join(home, "orders");
  mkdirSync(project, { recursive: true });
  writeFileSync(path.join(home, ".bashrc"), "PS1='\\[\\e[36m\\]\\w\\[\\e[0m\\] $ '\n");
  writeFileSync(path.join(home, ".hushlogin"), "");
  /** @type {(args: string[], env?: object) => string} */
  const git = (args, env = {}) =>
    execFileSync("git", args, { cwd: project, encoding: "utf8", env: { PATH: process.env.PATH, HOME: home, ...env } });
  git(["init", "--quiet", "--initial-branch", "main"]);
  for (const [index, [name, subject]] of COMMITS.entries()) {
    const date = new Date(Date.UTC(2026, 2, 2 + index, 9, 40)).toISOString();
    const mail = "team@example.com";
    git(["commit", "--quiet", "--allow-empty", "-m", String(subject)], {
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: mail,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: mail,
      GIT_COMMITTER_DATE: date,
    });
  }
  git(["tag", "v2.3.0", "HEAD~4"]);
  writeFileSync(path.join(home, "test.sh"), test);
  writeFileSync(path.join(home, "server.sh"), server);
  const agentFile = path.join(home, ".tools", "@anthropic-ai", "claude-code", "cli.cjs");
  mkdirSync(path.dirname(agentFile), { recursive: true });
  writeFileSync(agentFile, agent);
  const log =
    "git log --color --date=short --pretty='%C(yellow)%h%C(reset) %s%C(auto)%d %C(dim)%an, %ad%C(reset)' | cat";
  return {
    project,
    log: `clear; ${log}`,
    test: `bash ~/test.sh`,
    server: `bash ~/server.sh`,
    agent: `node ${agentFile}`,
  };
}
