import { expect, test } from "vitest";
import { type Pty, spawnPty } from "../../../../main/shells/pty.ts";
import { until } from "../../../support/until.ts";

const PLACE = { cwd: "/", cols: 80, rows: 24, environment: { PATH: process.env.PATH ?? "" } };

function started(script: string): { pty: Pty; output: () => string; exit: () => unknown } {
  const pty = spawnPty({ program: "/bin/sh", args: ["-c", script], ...PLACE });
  let output = "";
  let exit: unknown;
  pty.onData((bytes) => {
    output += bytes.toString("latin1");
  });
  pty.onExit((ended) => {
    exit = ended;
  });
  return { pty, output: () => output, exit: () => exit };
}

test("what a program has printed before its end is received whole, also where nobody read since", async () => {
  const { pty, output, exit } = started("read go; seq 1 2000; printf 'the end'");
  pty.hold(true);
  pty.input.push(Buffer.from("go\n"));
  await until("the end of the program", () => exit() !== undefined);
  expect(exit()).toEqual({ exitCode: 0, signal: null });
  expect(output().replaceAll("\r", "")).toMatch(/^go\n1\n2\n[\s\S]*\n2000\nthe end$/);
});

test("a process that outlives the program and goes on printing does not keep the terminal open", async () => {
  const { exit } = started("trap '' HUP; (yes 2>/dev/null &) ; sleep 0.2; exit 3");
  await until("the end of the program", () => exit() !== undefined);
  expect(exit()).toEqual({ exitCode: 3, signal: null });
});
