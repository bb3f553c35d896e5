import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { ShellHost } from "../../../../../core/protocol/shell-host.ts";
import { until } from "../../../../support/until.ts";
import { type ShellsLab, startShellsLab, wish } from "./shells-lab.ts";

const MB = 1_000_000;
const digest = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Lines far shorter than what the terminal takes as one, so that all of them must arrive. */
function lines(bytes: number, tag = "line"): string {
  let text = "";
  for (let index = 0; text.length < bytes; index++) text += `${tag} ${index} ${"x".repeat(index % 60)}\n`;
  return text;
}

/** Between two questions: asking without a pause would itself be most of the machine's work. */
const PAUSE_MS = 50;

/** Runs `act` while another shell is asked again and again; fails when it once takes longer than 1 s to answer. */
async function whileOthersAnswer(host: ShellHost, other: number, act: () => Promise<void>): Promise<void> {
  let done = false;
  let slowest = 0;
  let asked = 0;
  const asking = (async () => {
    while (!done) {
      const startedAt = performance.now();
      await host.run({ shell: other, line: "true", timeoutMs: 20_000 });
      await host.read({ shell: other, chunks: 1 });
      slowest = Math.max(slowest, performance.now() - startedAt);
      asked += 1;
      await delay(PAUSE_MS);
    }
  })();
  await act().finally(() => {
    done = true;
  });
  await asking;
  expect(asked).toBeGreaterThan(0);
  expect(slowest).toBeLessThan(1000);
}

/** Shell 1 to write to, shell 2 that must go on. */
async function twoShells(lab: ShellsLab): Promise<{ host: ShellHost; pid: number; close: () => Promise<void> }> {
  const shells = await lab.open();
  const host = shells.hostFor("s");
  const { pid } = await host.spawn(wish);
  await host.spawn({ ...wish, id: 2 });
  for (const id of [1, 2]) await host.run({ shell: id, line: "true", timeoutMs: 20_000 });
  return { host, pid, close: () => shells.close() };
}

async function type(host: ShellHost, text: string): Promise<number> {
  let queued = 0;
  for (let at = 0; at < text.length; at += MB) {
    ({ queued } = await host.write(1, text.slice(at, at + MB).replaceAll("\n", "\r")));
  }
  return queued;
}

/** The program takes the terminal's place of the shell, and is there. */
async function become(host: ShellHost, command: string): Promise<void> {
  const { offset } = await host.type({ shell: 1, line: `echo rea''dy; exec ${command}` });
  await host.waitFor({ shell: 1, text: "^ready$", since: offset, timeoutMs: 20_000 });
}

describe("much input never stops other shells, and all of it arrives", () => {
  for (const size of [1, 30_000, 200_000, 10 * MB]) {
    test(`${size} bytes to \`cat\` in canonical mode`, { tags: size > MB ? ["slow"] : [] }, async () => {
      await using lab = await startShellsLab();
      const { host, close } = await twoShells(lab);
      const file = join(lab.folder, "got");
      await become(host, `cat > ${file}`);
      const text = lines(size);
      await whileOthersAnswer(host, 2, async () => {
        await type(host, text);
        await until("all of it", () => statSync(file).size >= text.length, 60_000);
      });
      expect(digest(readFileSync(file))).toBe(digest(text));
      await close();
    });
  }

  test("200 kB with their echo, to `cat` that prints them again", async () => {
    await using lab = await startShellsLab();
    const { host, close } = await twoShells(lab);
    await become(host, "cat");
    await whileOthersAnswer(host, 2, async () => {
      const { end } = await host.read({ shell: 1, chunks: 1 });
      await type(host, `${lines(200_000)}the end\n`);
      await host.waitFor({ shell: 1, text: "the end\\n(.*\\n)*the end", since: end, timeoutMs: 30_000 });
    });
    await close();
  });

  test("10 MB to a program in raw mode that reads slowly", { tags: "slow" }, async () => {
    await using lab = await startShellsLab();
    const { host, close } = await twoShells(lab);
    const file = join(lab.folder, "got");
    const reader = `stty raw -echo; sleep 0.5; cat > ${file}`;
    await become(host, `sh -c '${reader}'`);
    const text = lines(10 * MB);
    await whileOthersAnswer(host, 2, async () => {
      expect(await type(host, text)).toBeGreaterThan(0);
      await until("all of it", () => statSync(file, { throwIfNoEntry: false })?.size === text.length, 60_000);
    });
    expect(digest(readFileSync(file))).toBe(digest(text.replaceAll("\n", "\r")));
    await close();
  });

  test("200 kB of command lines at a bash prompt, each of which is executed once and in order", {
    // The prompts fork 1500 times, which a busy machine takes a minute for.
    timeout: 200_000,
    tags: "slow",
  }, async () => {
    await using lab = await startShellsLab();
    const { host, close } = await twoShells(lab);
    const file = join(lab.folder, "got");
    const count = 1500;
    await whileOthersAnswer(host, 2, async () => {
      await type(
        host,
        Array.from({ length: count }, (_, index) => `echo ${index} ${"y".repeat(100)} >> ${file}\n`).join(""),
      );
      await until("the last", () => readLines(file).length >= count, 150_000);
    });
    expect(readLines(file).map((line) => Number(line.split(" ")[0]))).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
    await close();
  });
});

describe("a program that does not read", () => {
  test("`sleep`: 70 kB wait, are told as queued, and are executed when it has ended", async () => {
    await using lab = await startShellsLab();
    const { host, close } = await twoShells(lab);
    const file = join(lab.folder, "got");
    await host.type({ shell: 1, line: "sleep 2" });
    await until("sleep to run", async () => (await host.info({ shell: 1 })).foreground === "sleep");
    const text = `${`: ${"a line that does nothing at all ".repeat(10)}\n`.repeat(220)}echo done > ${file}\n`;
    await whileOthersAnswer(host, 2, async () => {
      expect(await type(host, text)).toBeGreaterThan(40_000);
      await until("the last line", () => statSync(file, { throwIfNoEntry: false }) !== undefined, 40_000);
    });
    expect((await host.write(1, "\r")).queued).toBe(0);
    await close();
  });

  test("a stopped program gets all of it when it goes on", async () => {
    await using lab = await startShellsLab();
    const { host, pid, close } = await twoShells(lab);
    const file = join(lab.folder, "got");
    await become(host, `cat > ${file}`);
    process.kill(pid, "SIGSTOP");
    const text = lines(300_000);
    await whileOthersAnswer(host, 2, async () => {
      expect(await type(host, text)).toBeGreaterThan(200_000);
      process.kill(pid, "SIGCONT");
      await until("all of it", () => statSync(file).size >= text.length);
    });
    expect(digest(readFileSync(file))).toBe(digest(text));
    await close();
  });

  test("a Ctrl-C keeps its place behind what was pasted before it", async () => {
    await using lab = await startShellsLab();
    const { host, pid, close } = await twoShells(lab);
    const file = join(lab.folder, "got");
    await become(host, `cat > ${file}`);
    process.kill(pid, "SIGSTOP");
    const text = lines(300_000);
    await type(host, text);
    expect((await host.write(1, "\x03")).queued).toBeGreaterThan(200_000);
    process.kill(pid, "SIGCONT");
    await host.waitFor({ shell: 1, exit: true, timeoutMs: 20_000 });
    expect(await host.info({ shell: 1 })).toMatchObject({ exitCode: 130, signal: 2 });
    // The terminal drops what it holds unread at a Ctrl-C, which is less than 20 kB; that is the rule of every Unix.
    const got = readFileSync(file, "utf8");
    expect([text.startsWith(got), got.length > text.length - 20_000]).toEqual([true, true]);
    await close();
  });

  test("in raw mode: 16 MiB wait, more is refused whole with a reason, and closing the shell drops it all", async () => {
    await using lab = await startShellsLab();
    const { host, close } = await twoShells(lab);
    await become(host, "sh -c 'stty raw -echo; exec sleep 1000'");
    await whileOthersAnswer(host, 2, async () => {
      for (let count = 0; count < 16; count++) await host.write(1, "x".repeat(1024 * 1024));
      const { queued } = await host.write(1, "x");
      await expect(host.write(1, "y".repeat(1024 * 1024))).rejects.toMatchObject({
        code: "input_full",
        message: expect.stringMatching(
          new RegExp(`${queued} bytes wait .*16 MiB.* 0 of these 1048576 bytes were taken`),
        ),
      });
      expect((await host.write(1, "z")).queued).toBe(queued + 1);
      const startedAt = performance.now();
      await host.close({ shell: 1 });
      expect(performance.now() - startedAt).toBeLessThan(5000);
    });
    await expect(host.write(1, "x")).rejects.toMatchObject({ code: "shell_exited" });
    await close();
  });
});

test("two writers at once never mix within a write", async () => {
  await using lab = await startShellsLab();
  const { host, pid, close } = await twoShells(lab);
  const file = join(lab.folder, "got");
  await become(host, `cat > ${file}`);
  const count = 400;
  const line = (tag: string, index: number) => `${tag} ${index} ${tag.repeat((index * 37) % 3000)}\r`;
  const writer = async (tag: string) => {
    for (let index = 0; index < count; index++) {
      if (tag === "a" && index === 100) process.kill(pid, "SIGSTOP");
      if (tag === "b" && index === 300) process.kill(pid, "SIGCONT");
      await host.write(1, line(tag, index));
    }
  };
  await whileOthersAnswer(host, 2, async () => {
    await Promise.all([writer("a"), writer("b")]);
    await until("all of it", () => readLines(file).length === 2 * count);
  });
  for (const tag of ["a", "b"]) {
    expect(readLines(file).filter((got) => got.startsWith(tag))).toEqual(
      Array.from({ length: count }, (_, index) => line(tag, index).slice(0, -1)),
    );
  }
  await close();
});

function readLines(file: string): string[] {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return [];
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}
