/**
 * Contents of the session screenshots: a small project with a history, and programs with typical output.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
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
exec ~/.tools/vitest 9999
`;

const server = String.raw`
clear
printf '\033[36m➜\033[0m  orders \033[1mv2.4.0\033[0m on \033[4mhttp://localhost:4100\033[0m\n\n'
for line in "200 GET /orders 12" "201 POST /orders 31" "200 GET /orders/8812 8" "409 POST /orders/8812/pay 17" "200 GET /prices 3" "200 GET /health 1" "201 POST /orders 28" "200 POST /orders/8813/pay 64" "200 GET /orders 11" "200 GET /health 1"; do
  set -- $line
  colour=32; [ $1 = 409 ] && colour=33
  printf '\033[2m14:20:0%d\033[0m \033['$colour'm%s\033[0m %-4s %-18s \033[2m%3d ms\033[0m\n' $(( $4 % 10 )) $1 $2 $3 $4
done
exec ~/.tools/orders 9999
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
  // Programs that only wait, under the names that stand in the title bars.
  mkdirSync(path.join(home, ".tools"), { recursive: true });
  const sleep = execFileSync("sh", ["-c", "command -v sleep"], { encoding: "utf8" }).trim();
  for (const name of ["vitest", "orders"]) copyFileSync(sleep, path.join(home, ".tools", name));
  const agentFile = path.join(home, ".tools", "@anthropic-ai", "claude-code", "cli.mjs");
  mkdirSync(path.dirname(agentFile), { recursive: true });
  copyFileSync(new URL("agent-stand-in.mjs", import.meta.url), agentFile);
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
