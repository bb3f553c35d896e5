import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../../support/until.ts";
import { shellsHere, startTestHost } from "./test-host.ts";

const timeoutMs = 10_000;

/** What stands in a start-up file for each way to edit. */
const modes: Readonly<Record<string, readonly [mode: string, file: string, text: string][]>> = {
  bash: [
    ["emacs", ".bashrc", "set -o emacs"],
    ["vi", ".bashrc", "set -o vi"],
    ["POSIX", ".bashrc", "set -o posix"],
  ],
  zsh: [
    ["emacs", ".zshrc", "bindkey -e"],
    ["vi", ".zshrc", "bindkey -v"],
  ],
  fish: [
    ["default", ".config", ""],
    ["vi", ".fishrc", "fish_vi_key_bindings"],
  ],
};

const all = shellsHere.flatMap(({ name, path }) => (modes[name] ?? []).map((mode) => ({ name, path, mode })));

describe.each(all)("a line at the prompt of $name in mode $mode.0", ({ name, path, mode: [, file, text] }) => {
  const open = async () => {
    const testHost = startTestHost((home) => file !== ".config" && writeFileSync(join(home, file), `${text}\n`));
    const id = await testHost.open(path);
    if (file === ".fishrc") await testHost.host.run({ shell: id, line: text, timeoutMs });
    const run = (line: string, clear = false) => testHost.host.run({ shell: id, line, timeoutMs, clear });
    return { testHost, id, run, [Symbol.asyncDispose]: () => testHost[Symbol.asyncDispose]() };
  };

  test("is never added to a command: refused, or cleared", async () => {
    await using shell = await open();
    const { testHost, id, run } = shell;
    expect(await run("echo a")).toMatchObject({ output: "a\r\n" });
    await testHost.host.write(id, "echo half");
    await expect(run("echo whole")).rejects.toMatchObject({
      code: "shell_busy",
      message: expect.stringContaining("line"),
    });
    expect((await testHost.host.read({ shell: id, plain: true })).output).not.toContain("halfecho");
    expect(await run("echo whole", true)).toMatchObject({ output: "whole\r\n", exitCode: 0 });
    await testHost.host.write(id, "typed\u007f\u007f\u007f\u007f\u007f");
    expect(await run("echo erased")).toMatchObject({ output: "erased\r\n" });
  });

  test("that is an open block is refused, or cleared", async () => {
    await using shell = await open();
    const { testHost, id, run } = shell;
    await run("true");
    const block = name === "fish" ? "if true" : "if true; then";
    await testHost.host.write(id, `${block}\r`);
    await testHost.host.waitFor({ shell: id, idle: 200, timeoutMs });
    await expect(run("echo whole")).rejects.toMatchObject({ code: "shell_busy" });
    expect(await run("echo whole", true)).toMatchObject({ output: "whole\r\n", exitCode: 0 });
  });

  test("in vi's command mode, too", async () => {
    await using shell = await open();
    const { testHost, id, run } = shell;
    await run("true");
    await testHost.host.write(id, "echo half");
    await testHost.host.waitFor({ shell: id, idle: 100, timeoutMs });
    await testHost.host.write(id, "\u001b");
    await testHost.host.waitFor({ shell: id, idle: 700, timeoutMs });
    await expect(run("echo whole")).rejects.toMatchObject({ code: "shell_busy" });
    expect(await run("echo whole", true)).toMatchObject({ output: "whole\r\n" });
  });

  test("that is no whole command ends the wait at once and leaves an empty prompt", async () => {
    await using shell = await open();
    const { run } = shell;
    for (const line of ["echo 'open", name === "fish" ? "begin" : "if true; then", "echo \\"]) {
      await expect(run(line)).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining("rest"),
      });
      expect(await run("echo after")).toMatchObject({ output: "after\r\n", exitCode: 0 });
    }
  });

  test("that the shell cannot parse ends the wait with its complaint and leaves an empty prompt", async () => {
    await using shell = await open();
    const { run } = shell;
    const { exitCode, output } = await run("echo )");
    expect(exitCode).not.toBe(0);
    expect(output).toContain(")");
    expect(await run("echo after")).toMatchObject({ output: "after\r\n", exitCode: 0 });
  });

  test("keeps tabs", async () => {
    await using shell = await open();
    expect(await shell.run("printf '%s' 'a\tb'")).toMatchObject({ output: "a\tb" });
  });

  test.each(["\u0003", "\u0004", "\u001a", "\u001c", "\u007f", "\u0000", "\u001b[201~"])(
    "takes no %j",
    { tags: "slow" },
    async (key) => {
      await using shell = await open();
      const { testHost, id, run } = shell;
      const line = `echo a${key}; touch made`;
      const refused = { code: "invalid_params", message: expect.stringContaining("control character") };
      await expect(run(line)).rejects.toMatchObject(refused);
      await expect(testHost.host.type({ shell: id, line })).rejects.toMatchObject(refused);
      expect(await run("ls")).toMatchObject({ output: "" });
    },
  );
});

test("a key that bash drops after an interrupt is no key of a command", { timeout: 60_000, tags: "slow" }, async () => {
  await using testHost = startTestHost();
  const { host } = testHost;
  const id = await testHost.open("/bin/bash");
  await host.run({ shell: id, line: "true", timeoutMs });
  for (let turn = 0; turn < 150; turn++) {
    await host.write(id, "\r");
    await new Promise((resolve) => setTimeout(resolve, (turn % 30) / 10));
    await host.write(id, "\u0003");
    await host.waitFor({ shell: id, idle: 20, timeoutMs });
    expect(await host.run({ shell: id, line: "echo key", timeoutMs })).toMatchObject({
      output: "key\r\n",
      exitCode: 0,
    });
  }
});

describe.each(shellsHere.filter(({ name }) => name !== "fish"))("a history word in $name", ({ name, path }) => {
  test("that finds nothing ends the wait at the next prompt", async () => {
    await using testHost = startTestHost();
    const id = await testHost.open(path);
    const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs });
    const complaint = name === "bash" ? "bash: !there: event not found\r\n" : "zsh: event not found: there\r\n";
    for (let round = 0; round < 3; round++) {
      expect(await run("echo hi!there")).toMatchObject({ exitCode: 1, output: complaint });
    }
    expect(await run("echo after")).toMatchObject({ output: "after\r\n", exitCode: 0 });
  });
});

const zsh = shellsHere.find(({ name }) => name === "zsh");

test.runIf(zsh)("a prompt of zsh whose hooks an interrupt has ended takes a command within a moment", async () => {
  const hook = "stop() { [[ ! -e ~/interrupt ]] || { rm ~/interrupt; kill -INT $$; sleep 1; } }";
  await using testHost = startTestHost((home) =>
    writeFileSync(join(home, ".zshrc"), `${hook}\nprecmd_functions+=(stop)\n`),
  );
  const id = await testHost.open(zsh?.path ?? "");
  const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 60_000 });
  await run("true");
  const interrupt = join(testHost.home, "interrupt");
  writeFileSync(interrupt, "");
  await testHost.host.write(id, "\r");
  await until("the hook to be interrupted", () => !existsSync(interrupt));
  expect(await run("echo after")).toMatchObject({ output: "after\r\n", exitCode: 0 });
  expect(await run("echo again; sh -c 'exit 3'")).toMatchObject({ output: "again\r\n", exitCode: 3 });
});
