import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RemoteError } from "../../../../core/protocol/errors.ts";
import { shellsHere, startTestHost } from "./test-host.ts";

interface Case {
  readonly line: string;
  readonly output: string;
  readonly exitCode?: number;
}

const escaped = "\u001b[31mred\u001b[0m";

/** Commands that bash, zsh and fish understand alike, with what they print on a terminal. */
const common: readonly Case[] = [
  { line: "echo hello", output: "hello\r\n" },
  { line: "printf abc", output: "abc" },
  { line: "true", output: "" },
  { line: "false", output: "", exitCode: 1 },
  { line: "sh -c 'exit 7'", output: "", exitCode: 7 },
  { line: "sh -c 'echo out; echo err >&2; exit 3'", output: "out\r\nerr\r\n", exitCode: 3 },
  { line: "echo grüße 世界 🎉", output: "grüße 世界 🎉\r\n" },
  { line: "printf '\\033[31mred\\033[0m'", output: escaped },
  { line: "echo one\necho two", output: "one\r\ntwo\r\n" },
  { line: "echo 'a\nb'", output: "a\r\nb\r\n" },
  { line: "sh -c 'kill -9 $$'", output: expect.stringContaining("") as unknown as string, exitCode: 137 },
  { line: "printf 'tail\\r\\nno newline'", output: "tail\r\r\nno newline" },
  { line: "clear", output: expect.stringContaining("\u001b[") as unknown as string },
  { line: "echo a; echo b; echo c", output: "a\r\nb\r\nc\r\n" },
  { line: "sh -c 'echo sub; exit 4'", output: "sub\r\n", exitCode: 4 },
  { line: "printf '\\n\\n'", output: "\r\n\r\n" },
  { line: "printf '%s' '$HOME `x` \"q\" !'", output: '$HOME `x` "q" !' },
  { line: "seq 1 50 | tail -n 2", output: "49\r\n50\r\n" },
  { line: `echo ${"x".repeat(300)}`, output: `${"x".repeat(300)}\r\n` },
  { line: `echo ${"y".repeat(3000)}`, output: `${"y".repeat(3000)}\r\n` },
];

const only: Readonly<Record<string, readonly Case[]>> = {
  bash: [
    { line: "echo tab'\t'bed", output: "tab\tbed\r\n" },
    { line: "(exit 7)", output: "", exitCode: 7 },
    { line: "for i in 1 2 3; do\n  echo $i\ndone", output: "1\r\n2\r\n3\r\n" },
    { line: "cat <<X\nhere\ndoc\nX", output: "here\r\ndoc\r\n" },
    { line: "echo )", output: "bash: syntax error near unexpected token `)'\r\n", exitCode: 2 },
    { line: "set -u", output: "" },
    { line: "echo still here", output: "still here\r\n" },
    { line: "set +u", output: "" },
  ],
  zsh: [
    { line: "echo tab'\t'bed", output: "tab\tbed\r\n" },
    { line: "(exit 7)", output: "", exitCode: 7 },
    { line: "for i in 1 2 3; do\n  echo $i\ndone", output: "1\r\n2\r\n3\r\n" },
    { line: "echo )", output: "zsh: parse error near `)'\r\n", exitCode: 1 },
    { line: "set -u", output: "" },
    { line: "echo still here", output: "still here\r\n" },
    { line: "set +u", output: "" },
  ],
  fish: [{ line: "for i in 1 2 3\n  echo $i\nend", output: "1\r\n2\r\n3\r\n" }],
};

describe.each(shellsHere)("run and wait in $name", ({ name, path }) => {
  test("gives the exit code and exactly the output of 200 commands", { timeout: 120_000, tags: "slow" }, async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    const cases = [...common, ...(only[name] ?? [])];
    for (let round = 0; round < 200; round++) {
      const { line, output, exitCode = 0 } = cases[round % cases.length] ?? { line: "", output: "" };
      const result = await host.run({ shell: id, line, timeoutMs: 10_000 });
      expect({ line, exitCode: result.exitCode, output: result.output }, `round ${round}`).toEqual({
        line,
        exitCode,
        output,
      });
      expect(result).toMatchObject({ cwd: testHost.home, missed: 0 });
      expect(result.end - result.start).toBeGreaterThanOrEqual(Buffer.byteLength(result.output));
    }
  });

  test("gives 5 MB, more than is kept, to the byte", async () => {
    await using testHost = startTestHost();
    const id = await testHost.open(path);
    const result = await testHost.host.run({ shell: id, line: "seq 1 760000", timeoutMs: 60_000 });
    const expected = Array.from({ length: 760_000 }, (_, index) => `${index + 1}\r\n`).join("");
    expect(result.output.length).toBe(expected.length);
    expect(result.output === expected).toBe(true);
    const read = await testHost.host.read({ shell: id, since: 0 });
    expect(read.missed).toBeGreaterThan(0);
    expect(read.end - read.offset).toBeGreaterThanOrEqual(4 * 1024 * 1024 - 1000);
  });

  test("is not fooled by output that prints marks", async () => {
    await using testHost = startTestHost((home) => {
      const fake = ["A", "B", "C", "D;0", "D;0;patchbay=", "D;0;patchbay=00112233445566778899aabb", "A;patchbay="];
      writeFileSync(join(home, "hostile"), fake.map((mark) => `x\u001b]133;${mark}\u0007`).join(""));
    });
    const id = await testHost.open(path);
    const line = "cat hostile; sleep 0.8; cat hostile; echo end; sh -c 'exit 5'";
    const result = await testHost.host.run({ shell: id, line, timeoutMs: 10_000 });
    expect(result.exitCode).toBe(5);
    expect(result.output.split("x\u001b")).toHaveLength(15);
    expect(result.output.endsWith("end\r\n")).toBe(true);
    expect(result.durationMs).toBeGreaterThanOrEqual(250);
  });

  test("refuses a second wait, ends with a timeout that says how far it came, and goes on after Ctrl-C", {
    tags: "slow",
  }, async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    const slow = host.run({ shell: id, line: "echo begun; sleep 60", timeoutMs: 2000 });
    await host.waitFor({ shell: id, text: "^begun", since: 0, timeoutMs: 10_000 });
    await expect(host.run({ shell: id, line: "echo no", timeoutMs: 1000 })).rejects.toMatchObject({
      code: "shell_busy",
    });
    await expect(slow).rejects.toMatchObject({ code: "wait_timeout", message: expect.stringContaining("begun") });
    await expect(host.run({ shell: id, line: "echo no", timeoutMs: 1000 })).rejects.toMatchObject({
      code: "shell_busy",
    });
    await host.write(id, "\u0003");
    await host.waitFor({ shell: id, idle: 200, timeoutMs: 5000 });
    expect(await host.run({ shell: id, line: "echo yes", timeoutMs: 5000 })).toMatchObject({
      output: "yes\r\n",
      exitCode: 0,
    });
  });

  test("a timeout quotes the output of the command alone: neither the typed line nor earlier output", async () => {
    await using testHost = startTestHost();
    const id = await testHost.open(path);
    await testHost.host.run({ shell: id, line: "echo earlier", timeoutMs: 10_000 });
    const line = "printf be; printf gun; sleep 60";
    const { code, message } = await testHost.host.run({ shell: id, line, timeoutMs: 1000 }).then(
      () => ({ code: "", message: "" }),
      (error: RemoteError) => error,
    );
    expect(code).toBe("wait_timeout");
    expect(message).toMatch(/begun$/);
    expect(message).not.toMatch(/printf|earlier/);
  });

  test("goes on after empty lines, Ctrl-C at the prompt, nested shells, and follows the folder", async () => {
    await using testHost = startTestHost((home) => mkdirSync(join(home, "mit Leerzeichen ü%")));
    const { host } = testHost;
    const id = await testHost.open(path);
    await host.run({ shell: id, line: "true", timeoutMs: 5000 });
    await host.write(id, "\r\r");
    // Interrupts may come in the middle of the prompt's own hooks.
    for (let turn = 0; turn < 20; turn++) await host.write(id, "\r\r\u0003");
    await host.write(id, "half a line\u0003");
    await host.waitFor({ shell: id, idle: 300, timeoutMs: 5000 });
    const nested = await host.run({ shell: id, line: "sh -c 'echo in; sh -c true; exit 9'", timeoutMs: 5000 });
    expect(nested).toMatchObject({ output: "in\r\n", exitCode: 9 });
    const moved = await host.run({ shell: id, line: "cd 'mit Leerzeichen ü%'", timeoutMs: 5000 });
    const folder = join(testHost.home, "mit Leerzeichen ü%");
    expect(moved).toMatchObject({ output: "", exitCode: 0, cwd: folder });
    expect(await host.info({ shell: id })).toMatchObject({ cwd: folder, integrated: true, running: true });
    expect(testHost.events).toContainEqual({ kind: "cwd", id, cwd: folder });
  });

  test("tells the exit of the shell itself", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    expect(await host.run({ shell: id, line: "exit 3", timeoutMs: 5000 })).toMatchObject({ exitCode: 3 });
    expect(testHost.events).toContainEqual({ kind: "exited", id, exitCode: 3, signal: null });
    expect(await host.info({ shell: id })).toMatchObject({ running: false, exitCode: 3, foreground: null });
    await expect(host.write(id, "x")).rejects.toMatchObject({ code: "shell_exited" });
    expect((await host.read({ shell: id, plain: true })).output).toContain("exit 3");
  });

  test("keeps background noise", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    await host.run({ shell: id, line: "sh -c 'while :; do echo noise; sleep 0.02; done' &", timeoutMs: 5000 });
    for (let round = 0; round < 5; round++) {
      const result = await host.run({ shell: id, line: "echo sig''nal; sh -c 'exit 6'", timeoutMs: 5000 });
      expect(result.output).toContain("signal\r\n");
      expect(result.exitCode).toBe(6);
    }
  });
});
