// @module-tag slow
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readHostFile } from "../../../../main/shells/host/host-file.ts";
import { runningProcesses } from "../../../support/processes.ts";
import { until } from "../../../support/until.ts";

const checkout = fileURLToPath(new URL("../../../..", import.meta.url));

test.each(["SIGTERM", "SIGINT"] as const)("a benchmark stopped by %s leaves no process and no file", async (signal) => {
  // A short name: the path of a Unix socket must not be longer than 107 bytes.
  const folder = mkdtempSync(path.join(tmpdir(), "pb-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bench = spawn(process.execPath, [path.join(checkout, "tools", "bench", "bench.mjs"), "stall"], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "ignore",
  });
  onTestFinished(() => void bench.kill("SIGKILL"));
  const exited = once(bench, "exit");
  const hostFileIn = (name: string) => readHostFile(path.join(folder, name, "data", "shell-host.json"));
  const found = () =>
    readdirSync(folder)
      .map(hostFileIn)
      .find((file) => file !== undefined);
  // It may have to build first.
  const host = await until("the process that holds the benchmark's shells", found, 45_000);
  const before = (await runningProcesses()).filter(({ command }) => command.includes(folder));
  expect(before.map(({ pid }) => pid)).toContain(host.pid);

  bench.kill(signal);
  expect((await exited)[0]).toBe(signal === "SIGTERM" ? 143 : 130);
  expect((await runningProcesses()).filter(({ command }) => command.includes(folder))).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(path.join(checkout, "tools", "bench")).filter((name) => name.includes(`.${bench.pid}.`))).toEqual(
    [],
  );
});
