/**
 * Shows, on a plain pseudo-terminal and without Patchbay, that bash drops the first key after an interrupt that comes
 * while it draws its prompt: `echo` becomes `cho`. Usage: node tools/bash-lost-key.mjs [TURNS] [PROMPT_COMMAND]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";

const QUIET_MS = 60;
const [turns = "250", hooks = ""] = process.argv.slice(2);
const env = { PATH: process.env.PATH, HOME: "/nonexistent", PS1: "$ ", PROMPT_COMMAND: hooks };
const bash = spawn("bash", ["--norc", "--noprofile", "-i"], { name: "xterm-256color", cols: 80, rows: 24, env });
let output = "";
bash.onData((text) => {
  output += text;
});

let lost = 0;
await sleep(500);
for (let turn = 0; turn < Number(turns); turn++) {
  bash.write("\r");
  await sleep(Math.random() * 3);
  bash.write("\u0003");
  await quiet();
  output = "";
  bash.write("echo key-$((1+1))\r");
  await quiet();
  if (output.includes("cho: command not found") && !output.includes("key-2")) lost++;
}
bash.kill();
console.log(`bash dropped the first key of ${lost} of ${turns} lines (PROMPT_COMMAND=${JSON.stringify(hooks)})`);

async function quiet() {
  for (let before = -1; before !== output.length; await sleep(QUIET_MS)) before = output.length;
}
