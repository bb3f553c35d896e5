import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startShellsLab, wish } from "../integration/main/shells/host/shells-lab.ts";

test.skipIf(process.platform !== "linux")(
  "listeners that never read cost the shell host no memory, however much is printed",
  async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    await host.spawn(wish);
    await host.run({ shell: 1, line: "seq 1 1000000 > /dev/null", timeoutMs: 30_000 });
    // Not `run`, which keeps the output that it answers.
    const printed = async (lines: number) => {
      const { offset } = await host.type({ shell: 1, line: `seq 1 ${lines}; echo do''ne` });
      await host.waitFor({ shell: 1, text: "^done$", since: offset, timeoutMs: 100_000 });
    };
    for (let index = 0; index < 8; index += 1) {
      host.subscribe(1, { from: "now", window: 256 * 1024, deliver: () => undefined });
    }
    // Fills what is bounded: the log, the windows, and what the engine keeps for itself.
    await printed(2_000_000);
    const before = residentMb(lab.host().pid);
    await printed(6_000_000);
    expect(residentMb(lab.host().pid) - before).toBeLessThan(40);
    await shells.close();
  },
);

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}
