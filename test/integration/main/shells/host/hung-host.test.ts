import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { processStart } from "../../../../../main/system/processes/process-start.ts";
import { BUSY_ON_SIGUSR2 } from "../../../../support/busy-host.ts";
import { runningProcesses } from "../../../../support/processes.ts";
import { until } from "../../../../support/until.ts";
import { hear, startShellsLab, wish } from "./shells-lab.ts";

const run = { timeoutMs: 20_000 };
const within = { withinMs: 500 };
const late = { code: "shell_host_timeout" };

/** How long something takes to be refused for the host's silence, in milliseconds. */
async function refusedAfter(call: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await expect(call).rejects.toMatchObject(late);
  return performance.now() - startedAt;
}

describe("a host that stands still", () => {
  test("every call has its deadline, and what was told as late is not done afterwards", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    await host.spawn(wish);
    await host.run({ shell: 1, line: "true", ...run });
    const { pid } = lab.host();
    process.kill(pid, "SIGSTOP");
    const marker = join(lab.folder, "marker");
    const took = await Promise.all([
      refusedAfter(host.read({ shell: 1 }, within)),
      refusedAfter(host.screen({ shell: 1 }, within)),
      refusedAfter(host.write(1, `touch ${marker}-written\r`, within)),
      refusedAfter(host.type({ shell: 1, line: `touch ${marker}-typed` }, within)),
      refusedAfter(host.resize({ shell: 1, cols: 100, rows: 30 }, within)),
      refusedAfter(host.spawn({ ...wish, id: 2, command: `touch ${marker}-spawned` }, within)),
      refusedAfter(host.close({ shell: 1 }, within)),
    ]);
    for (const ms of took) expect(Math.abs(ms - 500)).toBeLessThan(400);
    const waits = await Promise.all([
      refusedAfter(host.run({ shell: 1, line: `touch ${marker}-run`, timeoutMs: 500 })),
      refusedAfter(host.waitFor({ shell: 1, text: "never", timeoutMs: 500 })),
    ]);
    for (const ms of waits) expect(ms).toBeLessThan(2500);
    process.kill(pid, "SIGCONT");

    expect(await host.run({ shell: 1, line: "stty size", ...run })).toMatchObject({ output: "24 80\r\n" });
    expect(["written", "typed", "spawned", "run"].filter((what) => existsSync(`${marker}-${what}`))).toEqual([]);
    expect(host.list().map(({ id }) => id)).toEqual([1]);
    shells.keep();
    await shells.close();
    const again = await lab.open();
    expect(again.hostFor("s").list()).toMatchObject([{ id: 1, exit: null }]);
    await again.close();
  });

  test("a shell whose start is answered too late is ended and forgotten", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open({ node: [BUSY_ON_SIGUSR2] });
    const host = shells.hostFor("s");
    const events = hear(host);
    await host.spawn(wish);
    // So little time that the host is likely to be at it when the time is over.
    let late = 0;
    for (let id = 2; id < 40; id++) {
      await host.spawn({ ...wish, id }, { withinMs: 1 + (id % 12) }).catch(() => {
        late += 1;
      });
    }
    expect(late).toBeGreaterThan(0);
    const known = host.list().map(({ id }) => id);
    await until("the others to be gone", async () => {
      const inHost = (await runningProcesses()).filter(({ parent }) => parent === lab.host().pid);
      return inHost.length === known.length;
    });
    expect(events.filter((event) => event.kind === "exited" || event.kind === "lost")).toEqual([]);
    await shells.close();
  });

  for (const [how, stop, go] of [
    ["stopped", "SIGSTOP", "SIGCONT"],
    ["in a busy loop of 9 s", "SIGUSR2", undefined],
  ] as const) {
    test(`${how}: it is told as hung after 5 s, and as well when it goes on, with its shells`, {
      tags: "slow",
    }, async () => {
      await using lab = await startShellsLab();
      const shells = await lab.open({ node: [BUSY_ON_SIGUSR2] });
      const host = shells.hostFor("s");
      const events = hear(host);
      await host.spawn(wish);
      await host.run({ shell: 1, line: "x=kept", ...run });
      const { pid } = lab.host();
      const startedAt = performance.now();
      process.kill(pid, stop);
      await until("the trouble", () => lab.troubles.length > 0);
      expect(performance.now() - startedAt).toBeGreaterThan(3900);
      expect(performance.now() - startedAt).toBeLessThan(7500);
      expect(lab.troubles).toEqual([expect.stringContaining(`(${pid}) has not answered for`)]);
      expect(lab.log.join("\n")).toContain("shell-host restart");
      expect(shells.status()).toMatchObject({ state: "hung", pid });
      if (go !== undefined) process.kill(pid, go);
      const { output } = await host.run({ shell: 1, line: "echo $x", ...run });
      expect(output).toBe("kept\r\n");
      expect(lab.troubles).toEqual([expect.anything(), undefined]);
      expect(shells.status()).toMatchObject({ state: "running", pid });
      expect(events.filter(({ kind }) => kind === "exited" || kind === "lost")).toEqual([]);
      await shells.close();
    });
  }

  test("restarted while it hangs: its shells are told as lost and named, nothing of them runs on, another host serves", async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    const events = hear(host);
    await host.spawn(wish);
    await host.run({ shell: 1, line: "nohup sleep 4711 > /dev/null 2>&1 & disown; trap '' HUP", ...run });
    const left = async () => (await runningProcesses()).filter(({ command }) => command === "sleep 4711");
    await until("the program", async () => (await left()).length === 1);
    const { pid } = lab.host();
    process.kill(pid, "SIGSTOP");
    const open = refusedOr(host.read({ shell: 1 }, { withinMs: 60_000 }));
    await shells.restart();
    expect(await open).toBe("shells_unreachable");
    expect(processStart(pid)).toBeUndefined();
    expect(events.at(-1)).toEqual({ kind: "lost", id: 1 });
    expect(lab.log.join("\n")).toContain("shells that ended with it: 1 of session s");
    expect(await left()).toEqual([]);
    expect(shells.status()).toMatchObject({ state: "running", silentMs: 0 });
    await host.spawn({ ...wish, id: 2 });
    expect(await host.run({ shell: 2, line: "echo new", ...run })).toMatchObject({ output: "new\r\n" });
    await shells.close();
  });

  test("killed while it hangs: what was waited for is refused at once, and the trouble is over", {
    tags: "slow",
  }, async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    await host.spawn(wish);
    process.kill(lab.host().pid, "SIGSTOP");
    const open = refusedOr(host.read({ shell: 1 }, { withinMs: 60_000 }));
    await until("the trouble", () => lab.troubles.length > 0);
    process.kill(lab.host().pid, "SIGKILL");
    expect(await open).toBe("shells_unreachable");
    await until("the end of the trouble", () => lab.troubles.length > 1);
    expect(lab.troubles[1]).toBeUndefined();
    await host.spawn({ ...wish, id: 2 });
    await shells.close();
  });

  test("a flood of input to it is refused at 16 MiB, and costs no shell", { tags: "slow" }, async () => {
    await using lab = await startShellsLab();
    const shells = await lab.open();
    const host = shells.hostFor("s");
    await host.spawn(wish);
    await host.run({ shell: 1, line: "x=kept", ...run });
    const { pid } = lab.host();
    process.kill(pid, "SIGSTOP");
    const piece = "x".repeat(1024 * 1024);
    const answers = Array.from({ length: 100 }, () => refusedOr(host.write(1, piece, { withinMs: 2000 })));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["shell_host_timeout"]));
    process.kill(pid, "SIGCONT");
    await until("it to have read", async () => (await refusedOr(host.info({ shell: 1 }))) === "done");
    expect((await host.run({ shell: 1, line: "echo $x", ...run })).output).toBe("kept\r\n");
    expect(lab.host().pid).toBe(pid);
    await shells.close();
  });
});

describe("the end of a relay whose host stands still", { tags: "slow" }, () => {
  test.each(["SIGSTOP", "SIGUSR2"] as const)("takes less than 5 s and leaves nothing (%s)", async (stop) => {
    await using lab = await startShellsLab();
    const shells = await lab.open({ node: [BUSY_ON_SIGUSR2] });
    const host = shells.hostFor("s");
    const { pid: shell } = await host.spawn(wish);
    await host.run({ shell: 1, line: "trap '' HUP", ...run });
    const { pid } = lab.host();
    process.kill(pid, stop);
    const startedAt = performance.now();
    shells.prepareClose();
    await host.dispose();
    await shells.close();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    await until("the end of both", () => [pid, shell].every((one) => processStart(one) === undefined));
  });

  test("leaves the host and its shells where they are to live on", async () => {
    await using lab = await startShellsLab();
    const first = await lab.open();
    await first.hostFor("s").spawn(wish);
    const { pid } = lab.host();
    process.kill(pid, "SIGSTOP");
    first.keep();
    const startedAt = performance.now();
    await first.hostFor("s").dispose();
    await first.close();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    process.kill(pid, "SIGCONT");
    const second = await lab.open();
    expect(second.hostFor("s").list()).toMatchObject([{ id: 1, exit: null }]);
    await second.close();
  });
});

/** The code of the refusal, or "done". */
function refusedOr(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
}
