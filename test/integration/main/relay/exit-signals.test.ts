import { expect, test } from "vitest";
import { runningProcesses } from "../../../support/processes.ts";
import { startTestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

test.each([
  ["SIGKILL", 137],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGSEGV", 139],
] as const)("a shell that %s ended says so everywhere", async (signal, exitCode) => {
  await using relay = await startTestRelay();
  await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell");
  const [{ pid } = { pid: 0 }] = await relay.command<{ pid: number }[]>("getShells");
  // bash ignores SIGTERM at its prompt.
  await relay.command("runCommand", { command: "exec sleep 1000", wait: false });
  await until("sleep", async () =>
    (await runningProcesses()).some((one) => one.pid === pid && one.command.includes("sleep 1000")),
  );
  process.kill(pid, signal);
  expect(await relay.command("waitFor", { id, exit: true })).toMatchObject({ kind: "exit", exitCode, signal });
  expect(await relay.command("getShells")).toMatchObject([{ id, running: false, exitCode, signal }]);
  const { text } = await relay.get(`../events?follow=false&types=shell.exited`);
  expect(text).toContain(`"data":{"shellId":${id},"exitCode":${exitCode},"signal":"${signal}"}`);
  await relay.restart();
  await relay.join();
  expect(await relay.command("getShells")).toMatchObject([{ id, running: false, exitCode, signal }]);
});

test("a shell that ended by itself has no signal, whatever its code", async () => {
  await using relay = await startTestRelay();
  await relay.join();
  const { shellId: id } = await relay.command<{ shellId: number }>("createShell", { command: "exit 137" });
  expect(await relay.command("waitFor", { id, exit: true })).toMatchObject({ exitCode: 137, signal: null });
  expect(await relay.command("getShells")).toMatchObject([{ exitCode: 137, signal: null }]);
});

test("a command has the code that its shell reports, and a signal only where the shell itself ended with it", async () => {
  await using relay = await startTestRelay();
  await relay.join();
  await relay.command("createShell");
  const run = (command: string) => relay.command("runCommand", { command, wait: true });
  expect(await run("sh -c 'kill -9 $$'")).toMatchObject({ exitCode: 137, signal: null });
  expect(await run("sh -c 'exit 143'")).toMatchObject({ exitCode: 143, signal: null });
  expect(await run("false")).toMatchObject({ exitCode: 1, signal: null });
  expect(await run("sh -c 'exit 255'")).toMatchObject({ exitCode: 255, signal: null });
  expect(await run("exec sh -c 'kill -9 $$'")).toMatchObject({ exitCode: 137, signal: "SIGKILL" });
});
