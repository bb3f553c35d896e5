import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { OutputFrame, ShellEvent } from "../../../../core/protocol/shell-host.ts";
import { startTestHost } from "./test-host.ts";

const bash = "/bin/bash";
const run = { timeoutMs: 20_000 };

describe("starting", () => {
  test("refuses a folder, a program and a size that cannot be, naming them", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const wish = { id: 1, cols: 80, rows: 24, env: {} };
    await expect(host.spawn({ ...wish, cwd: "/no/such/folder" })).rejects.toMatchObject({
      code: "spawn_failed",
      message: expect.stringContaining("/no/such/folder"),
    });
    await expect(host.spawn({ ...wish, cwd: testHost.home, shell: "/no/shell" })).rejects.toMatchObject({
      code: "spawn_failed",
      message: expect.stringContaining("/no/shell"),
    });
    await expect(host.spawn({ ...wish, cwd: testHost.home, cols: 0 })).rejects.toMatchObject({
      code: "invalid_params",
    });
    await expect(host.read({ shell: 1 })).rejects.toMatchObject({ code: "unknown_shell" });
  });

  test("types the first command when the shell is ready, so that it is echoed once", async () => {
    await using testHost = startTestHost((home) => writeFileSync(join(home, ".bashrc"), "sleep 0.3; PS1='> '"));
    const id = await testHost.open(bash, "echo $((40 + 2))");
    await testHost.host.waitFor({ shell: id, text: "^42$", since: 0, timeoutMs: 10_000 });
    const { output } = await testHost.host.read({ shell: id, plain: true });
    expect(output).toMatch(/^> echo \$\(\(40 \+ 2\)\)\n42\n/);
  });

  test("tells the program in the foreground, the title and the size", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "PS1='$ '", ...run });
    expect(await host.info({ shell: id })).toMatchObject({ foreground: "bash", command: bash });
    await host.resize({ shell: id, cols: 100, rows: 30 });
    expect(await host.run({ shell: id, line: "stty size", ...run })).toMatchObject({ output: "30 100\r\n" });
    await host.run({ shell: id, line: "printf '\\033]0;my title\\007'", ...run });
    await host.type({ shell: id, line: "sleep 50" });
    await host.waitFor({ shell: id, idle: 200, timeoutMs: 5000 });
    expect(await host.info({ shell: id })).toMatchObject({ foreground: "sleep", title: "my title" });
    expect(testHost.events).toContainEqual({ kind: "title", id, title: "my title" });
  });
});

describe("input", () => {
  test("a megabyte arrives to the byte", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "true", ...run });
    const text = Array.from({ length: 100_000 }, (_, index) => `line ${index} 世界\n`).join("");
    const bytes = Buffer.from(text).subarray(0, 1_000_000);
    const command = host.run({
      shell: id,
      line: "stty raw -echo; echo ready; head -c 1000000 > got; stty sane",
      ...run,
    });
    await host.waitFor({ shell: id, text: "^ready", since: 0, ...run });
    for (let at = 0; at < bytes.length; at += 300_000) await host.write(id, bytes.subarray(at, at + 300_000));
    expect(await command).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(testHost.home, "got")).equals(bytes)).toBe(true);
  });
});

describe("output", () => {
  test("reads with a cursor and small limits lose nothing and cut nothing", async () => {
    await using testHost = startTestHost((home) => {
      const line = "\u001b[38;5;200mpink\u001b[0m 世界 🎉 é \u001b]0;title ✳\u0007\n";
      writeFileSync(join(home, "colours"), line.repeat(500));
    });
    const { host } = testHost;
    const id = await testHost.open(bash);
    const command = host.run({ shell: id, line: "cat colours", ...run });
    let text = "";
    let since = 0;
    for (let done = false; !done; ) {
      const read = await host.read({ shell: id, since, maxBytes: 97 });
      expect(read).toMatchObject({ offset: since, missed: 0 });
      expect(read.output).not.toContain("\ufffd");
      // What a cut sequence would leave at the beginning of a piece.
      expect(read.output).not.toMatch(/^(\[|38;5|\]0|\d+m)/);
      text += read.output;
      since = read.end;
      if (read.output === "")
        done = await Promise.race([
          command.then(() => true),
          host.waitFor({ shell: id, idle: 30, ...run }).then(() => false),
        ]);
    }
    const rest = await host.read({ shell: id, since });
    text += rest.output;
    const expected = readFileSync(join(testHost.home, "colours"), "utf8").replaceAll("\n", "\r\n");
    expect((await command).output).toBe(expected);
    expect(text).toContain(expected);
  });

  test("the screen shows what a terminal would", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "PS1='$ '", ...run });
    await host.run({ shell: id, line: "clear; printf 'one\\ntwo\\n\\033[1Athree 世界\\n'", ...run });
    const screen = await host.screen({ shell: id });
    expect(screen).toMatchObject({ text: "one\nthree 世界\n$", cols: 80, rows: 24, cursor: { x: 2, y: 2 } });
    const { snapshot, offset } = await host.snapshot({ shell: id });
    expect(snapshot).toContain("three 世界");
    expect(offset).toBe(screen.offset);
  });

  test("a stalled listener neither slows the others nor the shell, and catches up by a snapshot", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "true", ...run });
    const fast = collect(id, 1 << 20, true);
    const slow = collect(id, 1000, false);
    const result = await host.run({ shell: id, line: "seq 1 1500000", timeoutMs: 60_000 });
    expect(result.exitCode).toBe(0);
    expect(slow.bytes()).toBe(1000);
    await host.run({ shell: id, line: "echo the''-end", ...run });
    slow.open();
    await slow.until((frames) => frames.some((frame) => frame.kind === "snapshot"));
    const snapshot = slow.frames.find((frame) => frame.kind === "snapshot");
    const first = slow.frames[0];
    expect(snapshot).toMatchObject({ missed: (snapshot?.offset ?? 0) - (first?.offset ?? 0) - 1000 });
    expect(snapshot?.kind === "snapshot" && snapshot.snapshot).toContain("the-end");
    await host.type({ shell: id, line: "echo go''on" });
    await slow.until(() => slow.text().includes("goon"));
    await fast.until(() => fast.text().includes("goon"));
    expect(fast.frames.every((frame) => frame.kind === "output")).toBe(true);
    expect(fast.contiguous()).toBe(true);

    function collect(shell: number, window: number, acks: boolean) {
      const frames: OutputFrame[] = [];
      let acking = acks;
      let look = () => {};
      const listening = host.subscribe(shell, {
        from: "now",
        window,
        deliver(frame) {
          frames.push(frame);
          if (acking) listening.acknowledge(sizeOf(frame));
          look();
        },
      });
      const outputs = () => frames.filter((frame) => frame.kind === "output");
      return {
        frames,
        bytes: () => frames.reduce((sum, frame) => sum + sizeOf(frame), 0),
        text: () => Buffer.concat(outputs().map((frame) => frame.bytes)).toString("utf8"),
        contiguous: () => outputs().every((frame, index, all) => index === 0 || frame.offset === endOf(all[index - 1])),
        open() {
          acking = true;
          listening.acknowledge(window);
        },
        until: (condition: (frames: readonly OutputFrame[]) => boolean) =>
          new Promise<void>((resolve) => {
            look = () => condition(frames) && resolve();
            look();
          }),
      };
    }
  });
});

describe("waiting", () => {
  test("finds text across pieces and colours, from a cursor, and tells the cursor after it", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "true", ...run });
    const { offset } = await host.type({
      shell: id,
      line: "printf 'wo\\033[31mrl'; sleep 0.2; printf 'd\\033[0m\\n'; echo world",
    });
    const first = await host.waitFor({ shell: id, text: "^world$", since: offset, echo: "skip", ...run });
    expect(first).toMatchObject({ kind: "text", matched: "world" });
    expect((await host.read({ shell: id, since: first.offset, maxBytes: 3 })).output).toMatch(/^wo/);
    const second = await host.waitFor({ shell: id, text: "wor(?=ld)", since: first.end, ...run });
    expect(second).toMatchObject({ matched: "wor", end: second.offset + 3 });
    const now = host.waitFor({ shell: id, text: "world", timeoutMs: 300 });
    await expect(now).rejects.toMatchObject({ code: "wait_timeout" });
  });

  test("that ends too early quotes what was printed since its start, and no earlier text", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "echo before", ...run });
    const quoteOf = (since?: number) =>
      host.waitFor({ shell: id, text: "never", timeoutMs: 300, ...(since === undefined ? {} : { since }) }).then(
        () => "found",
        (error: Error) => error.message,
      );
    expect(await quoteOf()).not.toContain("before");
    const { offset } = await host.type({ shell: id, line: "echo after" });
    await host.waitFor({ shell: id, idle: 200, ...run });
    const quoted = await quoteOf(offset);
    expect(quoted).toContain("after");
    expect(quoted).not.toContain("before");
  });

  test("leaves out the echo, at the prompt and inside a program", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "true", ...run });
    const typed = await host.type({ shell: id, line: "sleep 0.2; echo READY" });
    const including = await host.waitFor({ shell: id, text: "READY", since: typed.offset, ...run });
    const skipping = await host.waitFor({ shell: id, text: "READY", since: typed.offset, echo: "skip", ...run });
    expect(skipping.offset).toBeGreaterThan(including.offset);
    await host.type({ shell: id, line: "cat" });
    await host.waitFor({ shell: id, idle: 200, ...run });
    const line = await host.type({ shell: id, line: "twice" });
    const echo = await host.waitFor({ shell: id, text: "twice", since: line.offset, ...run });
    const output = await host.waitFor({ shell: id, text: "twice", since: line.offset, echo: "skip", ...run });
    expect(output.offset).toBe(echo.end + 2);
  });

  test("tells silence and the exit; text that can no longer come is an error", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "true", ...run });
    await host.type({ shell: id, line: "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; echo quiet" });
    const idle = await host.waitFor({ shell: id, idle: 400, ...run });
    expect(idle).toMatchObject({ kind: "idle", matched: null, exitCode: null });
    expect((await host.read({ shell: id, plain: true })).output).toContain("6\nquiet\n");
    const exit = host.waitFor({ shell: id, exit: true, ...run });
    const never = host.waitFor({ shell: id, text: "never", ...run });
    const refused = expect(never).rejects.toMatchObject({ code: "shell_exited" });
    await host.type({ shell: id, line: "exit 5" });
    expect(await exit).toMatchObject({ kind: "exit", exitCode: 5 });
    await refused;
    expect(await host.waitFor({ shell: id, exit: true, ...run })).toMatchObject({ exitCode: 5 });
    expect(await host.waitFor({ shell: id, text: "qui(et)", since: 0, ...run })).toMatchObject({ matched: "quiet" });
  });

  test("refuses patterns that are wrong or would hang", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: `echo ${"a".repeat(60)}!`, ...run });
    await expect(host.waitFor({ shell: id, text: "(", ...run })).rejects.toMatchObject({ code: "invalid_params" });
    await expect(host.waitFor({ shell: id, ...run })).rejects.toMatchObject({ code: "invalid_params" });
    const hostile = host.waitFor({ shell: id, text: "^.*(a+)+b$", since: 0, ...run });
    await expect(hostile).rejects.toMatchObject({
      code: "invalid_params",
      message: expect.stringContaining("too long"),
    });
  });
});

describe("closing", () => {
  test("ends jobs in groups of their own that ignore SIGHUP, after 3 s", { tags: "slow" }, async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({
      shell: id,
      line: "trap '' HUP; sh -c 'trap \"\" HUP; echo $$ > pid; exec sleep 500' & (sleep 501; sleep 502) & sleep 0.2",
      ...run,
    });
    const pid = Number(readFileSync(join(testHost.home, "pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    const startedAt = performance.now();
    await host.close({ shell: id });
    const took = performance.now() - startedAt;
    expect(isAlive(pid)).toBe(false);
    expect(took).toBeGreaterThan(2900);
    expect(took).toBeLessThan(4500);
    const exited = await testHost.event(
      (event): event is Extract<ShellEvent, { kind: "exited" }> => event.kind === "exited",
    );
    expect(exited).toMatchObject({ id });
    expect(await host.info({ shell: id })).toMatchObject({ running: false });
    await host.forget({ shell: id });
    await expect(host.info({ shell: id })).rejects.toMatchObject({ code: "unknown_shell" });
  });

  test("is quick where nothing resists, and leaves the output readable", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(bash);
    await host.run({ shell: id, line: "echo kept; sleep 500 & true", ...run });
    const frames: OutputFrame[] = [];
    host.subscribe(id, { from: 0, window: 1 << 20, deliver: (frame) => frames.push(frame) });
    const startedAt = performance.now();
    await host.close({ shell: id });
    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect((await host.read({ shell: id })).output).toContain("kept\r\n");
    expect(frames.at(-1)).toMatchObject({ kind: "end" });
  });
});

function sizeOf(frame: OutputFrame): number {
  if (frame.kind === "output") return frame.bytes.length;
  return frame.kind === "snapshot" ? Buffer.byteLength(frame.snapshot) : 0;
}

function endOf(frame: { readonly offset: number; readonly bytes: Uint8Array } | undefined): number | undefined {
  return frame === undefined ? undefined : frame.offset + frame.bytes.length;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
