import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { ShellId } from "../../../../../core/protocol/ids.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import { processHandlers } from "../../../../../main/relay/operations/processes.ts";
import type { LeftProcess } from "../../../../../main/relay/session/ports.ts";
import { smallSession } from "../small-session.ts";

const caller = userCaller("ann", "127.0.0.1");
const { signal } = new AbortController();

test("sessions that are asked in turn are each measured since their own last time", async () => {
  await using one = smallSession();
  await using other = smallSession();
  const busy = spawn(process.execPath, ["-e", "for(;;);"]);
  const calm = spawn("sleep", ["1000"]);
  try {
    const leftOf = (pid = 0): LeftProcess[] => [
      { shellId: ShellId.parse(1), agentType: "claude", pid, name: "left", since: 0 },
    ];
    let left = leftOf();
    const { getShellUsage } = processHandlers({ leftBehind: { list: () => left, end: async () => [] } });
    const loads = async (lab: typeof one, pid: number | undefined) => {
      left = leftOf(pid);
      const shells = await getShellUsage({ session: lab.session.id }, { caller, session: lab.session, signal });
      return shells.flatMap(({ leftBehind }) => leftBehind.map(({ cpuPercent }) => cpuPercent));
    };
    await loads(one, busy.pid);
    expect(await loads(other, calm.pid)).toEqual([0]);
    const [again] = await loads(one, busy.pid);
    expect(again).toBeGreaterThan(10);
  } finally {
    for (const child of [busy, calm]) child.kill("SIGKILL");
  }
});
