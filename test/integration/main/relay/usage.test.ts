import { expect, test } from "vitest";
import type { ShellUsage } from "../../../../core/protocol/shell-usage.ts";
import { processStart } from "../../../../main/system/processes/process-start.ts";
import { startRestoreLab } from "../../../support/restore-lab.ts";
import { until } from "../../../support/until.ts";

test("each shell's processes, processor and memory are shown, and what an ended agent left running, which is ended on request only", async () => {
  await using lab = await startRestoreLab();
  await lab.start();
  const { shellId: busy } = await lab.command<{ shellId: number }>("createShell", { cwd: lab.home });
  const { shellId: calm } = await lab.command<{ shellId: number }>("createShell", { cwd: lab.home });
  await lab.say(busy, "while :; do :; done");
  const loads = async () => {
    const all = await lab.get<ShellUsage[]>("usage");
    return [all.find(({ shellId }) => shellId === busy), all.find(({ shellId }) => shellId === calm)] as const;
  };
  const isBusy = async () => {
    const [one, other] = await loads();
    return (one?.cpuPercent ?? 0) > 20 && (other?.cpuPercent ?? 100) < 10;
  };
  await until("the load of the busy shell", isBusy);
  const [, quiet] = await loads();
  expect(quiet).toMatchObject({ title: "bash", count: 1, processes: [{ name: "bash" }], leftBehind: [] });
  expect(quiet?.memoryBytes).toBeGreaterThan(1024 * 1024);
  expect(quiet?.memoryBytes).toBeLessThan(200 * 1024 * 1024);

  await lab.claude(calm);
  await lab.say(calm, "tool -p server");
  await until("the tool's process", async () => ((await loads())[1]?.count ?? 0) >= 3);
  expect((await loads())[1]?.leftBehind).toEqual([]);
  await until("the relay to have seen the tool", async () => (await lab.agents())[0]?.children?.length === 1);
  await lab.say(calm, "quit");
  const left = await until("what is left behind", async () => (await loads())[1]?.leftBehind[0]);
  expect(left).toMatchObject({ name: "node", agentType: "claude" });
  expect(processStart(left.pid)).toBeDefined();
  expect(await lab.post("left-behind/end", { dryRun: true })).toMatchObject([{ pid: left.pid }]);
  expect(processStart(left.pid)).toBeDefined();
  await expect(lab.post("left-behind/end", { pid: process.pid })).rejects.toThrow("was left behind");
  expect(await lab.post("left-behind/end", { pid: left.pid })).toMatchObject([{ pid: left.pid, name: "node" }]);
  expect(processStart(left.pid)).toBeUndefined();
  expect((await loads())[1]?.leftBehind).toEqual([]);
});
