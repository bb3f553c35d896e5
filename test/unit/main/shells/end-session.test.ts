import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { endSession, killSession } from "../../../../main/shells/end-session.ts";

/** A process as a shell is between its fork and its first call: in the session and the group of this one. */
function startForked() {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error("sleep did not start");
  return { pid: child.pid, ended: once(child, "exit") };
}

test.runIf(process.platform === "linux").each([
  ["ends", endSession, "SIGHUP"],
  ["is killed", killSession, "SIGKILL"],
])("a shell that leads no session yet %s, and what forked it goes on", async (_what, end, signal) => {
  const { pid, ended } = startForked();
  await end(pid);
  expect(await ended).toEqual([null, signal]);
});
