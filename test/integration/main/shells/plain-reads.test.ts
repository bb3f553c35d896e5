import { expect, test } from "vitest";
import { startTestHost, type TestHost } from "./test-host.ts";

const MIB = 1024 * 1024;
const SIZE = 4 * MIB;
/** On average. A slice is 5 ms of our own, or up to 12 ms of the terminal's parser. */
const LONGEST_TURN_MS = 25;

test.each([
  ["lines that move", String.raw`yes "$(printf 'not this\r\033[Kline')"`],
  ["carriage returns", String.raw`tr '\0' '\r' </dev/zero`],
  ["movements on one line", String.raw`yes "$(printf '\033[K')" | tr -d '\n'`],
  ["bytes that are no UTF-8", String.raw`tr '\0' '\377' </dev/zero`],
])(
  "plain reads of 4 MiB of %s give the shells a turn every 25 ms, with the memory of one",
  { tags: "slow" },
  async (_what, program) => {
    await using lab = startTestHost();
    const id = await printed(lab, program);
    const before = memory();
    // This process's own time: on a busy machine it has only a share of each second.
    const start = process.cpuUsage();
    let most = 0;
    let turns = 0;
    let isOver = false;
    const watch = () => {
      turns += 1;
      most = Math.max(most, memory() - before);
      if (!isOver) setImmediate(watch);
    };
    watch();
    const [first, ...others] = Array.from({ length: 20 }, () => lab.host.read({ shell: id, plain: true }));
    const rest = Promise.allSettled(others);
    const read = await first;
    const { user, system } = process.cpuUsage(start);
    const took = (user + system) / 1000;
    isOver = true;
    await lab.host.forget({ shell: id });
    await rest;
    expect(read).toMatchObject({ missed: 0, output: expect.any(String) });
    expect(turns).toBeGreaterThan(Math.max(2, took / LONGEST_TURN_MS));
    expect(most).toBeLessThan(10 * SIZE);
  },
);

test("a short plain read is not behind long ones", async () => {
  await using lab = startTestHost();
  const id = await printed(lab, "yes 'a line'");
  const order: string[] = [];
  const long = Array.from({ length: 3 }, () =>
    lab.host.read({ shell: id, plain: true }).then(() => order.push("long")),
  );
  const short = lab.host.read({ shell: id, plain: true, maxBytes: 1000 }).then(() => order.push("short"));
  await Promise.all([...long, short]);
  expect(order[0]).toBe("short");
});

test("plain reads that wait for their turn have copied nothing of the output", async () => {
  await using lab = startTestHost();
  const id = await printed(lab, "yes 'a line'");
  const before = memory();
  const reads = Array.from({ length: 3 }, () => lab.host.read({ shell: id, plain: true }));
  expect(memory() - before).toBeLessThan(SIZE);
  await Promise.all(reads);
});

test("a wait searches 4 MiB of carriage returns, and finds what comes after them", async () => {
  await using lab = startTestHost();
  const id = await printed(lab, String.raw`tr '\0' '\r' </dev/zero`);
  await lab.host.run({ shell: id, line: "echo wh''ole", timeoutMs: 10_000 });
  const found = await lab.host.waitFor({ shell: id, text: "wh[o]le", since: 0, timeoutMs: 30_000 });
  expect(found).toMatchObject({ kind: "text", matched: "whole" });
});

/** Memory outside of the garbage-collected heap: copies of the output, and the terminals' rows. */
function memory(): number {
  return process.memoryUsage().arrayBuffers;
}

/** A shell that has printed 4 MiB of what a program prints for ever. */
async function printed({ host, open }: TestHost, program: string): Promise<number> {
  const id = await open("/bin/bash");
  await host.run({ shell: id, line: "stty raw -echo", timeoutMs: 10_000 });
  await host.run({ shell: id, line: `${program} | head -c ${SIZE}`, timeoutMs: 60_000 });
  return id;
}
