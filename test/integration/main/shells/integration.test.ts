import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestHost } from "./test-host.ts";

const zsh = "/usr/bin/zsh";

describe("bash start-up files", () => {
  const configurations: Readonly<Record<string, string>> = {
    "a prompt that is set anew each time": `MARK=loaded; set_prompt() { local code=$?; PS1="[$code]> "; }; PROMPT_COMMAND=set_prompt`,
    "a list of prompt commands": `MARK=loaded; a() { :; }; PROMPT_COMMAND=(a "printf T")`,
    "unset variables as errors": `MARK=loaded; set -u`,
    "a prompt command that ends in a semicolon and fails": `MARK=loaded; PROMPT_COMMAND='false;'`,
    "a DEBUG trap and a PS0 of its own": `MARK=loaded; PS0='<'; trap 'true' DEBUG`,
    "aliases in the way": `MARK=loaded; alias printf=false; alias local=false; alias return=false`,
    "an early return": `MARK=loaded; return`,
    "a file that replaces the prompt afterwards": `MARK=loaded; PS1='$ '`,
  };

  test.each(Object.entries(configurations))("work with %s", async (_name, text) => {
    await using testHost = startTestHost((home) => writeFileSync(join(home, ".bashrc"), text));
    const { host } = testHost;
    const id = await testHost.open("/bin/bash");
    const run = (line: string) => host.run({ shell: id, line, timeoutMs: 10_000 });
    expect(await run("(exit 7)")).toMatchObject({ exitCode: 7, output: "" });
    expect(await run("echo $? $MARK")).toMatchObject({ exitCode: 0, output: "7 loaded\r\n" });
    // Replacing the list of prompt commands at run time is healed, too; the end is then told after their output.
    expect(await run("PROMPT_COMMAND=true")).toMatchObject({ exitCode: 0 });
    expect(await run("echo $?; (exit 4)")).toMatchObject({ exitCode: 4, output: expect.stringMatching(/^0\r\n/) });
  });

  test("keep the marks' secret from programs", async () => {
    await using testHost = startTestHost();
    const id = await testHost.open("/bin/bash");
    const { output } = await testHost.host.run({ shell: id, line: "env", timeoutMs: 5000 });
    expect(output).toContain("SERVICE_SHELL_ID=1\r\n");
    expect(output).toContain("TERM=xterm-256color\r\n");
    expect(output).toContain("COLORTERM=truecolor\r\n");
    expect(output).not.toMatch(/PATCHBAY|SERVICE_TOKEN|npm_|VITEST/);
  });

  test("end in a clear answer when another shell takes the place of the integrated one", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open("/bin/bash");
    await host.run({ shell: id, line: "true", timeoutMs: 5000 });
    const { offset } = await host.type({ shell: id, line: "exec bash --norc" });
    await host.waitFor({ shell: id, text: "bash-5", since: offset, timeoutMs: 5000 });
    await expect(host.run({ shell: id, line: "true", timeoutMs: 1000 })).rejects.toMatchObject({
      code: "no_shell_integration",
      message: expect.stringContaining("bash took the place of bash (exec)"),
    });
    await host.type({ shell: id, line: "echo $((40 + 2))" });
    expect(await host.waitFor({ shell: id, text: "^42$", since: offset, timeoutMs: 5000 })).toMatchObject({
      matched: "42",
    });
  });
});

describe.runIf(existsSync(zsh))("zsh start-up files", () => {
  test("are all read, in order, with the user's ZDOTDIR", async () => {
    await using testHost = startTestHost((home) => {
      writeFileSync(join(home, ".zshenv"), "trace=env");
      writeFileSync(
        join(home, ".zshrc"),
        [
          'trace+=",rc,$ZDOTDIR"',
          "precmd() { print -n 'T' }",
          "preexec() { print -n 'P' }",
          "HISTFILE=$HOME/.history",
          "prompt_each_time() { PROMPT='%1~ > ' }",
          "precmd_functions+=(prompt_each_time)",
        ].join("\n"),
      );
    });
    const { host } = testHost;
    const id = await testHost.open(zsh);
    const run = (line: string) => host.run({ shell: id, line, timeoutMs: 10_000 });
    expect(await run("(exit 7)")).toMatchObject({ exitCode: 7, output: "" });
    expect(await run(`echo $? $trace \${ZDOTDIR-none} $HISTFILE`)).toMatchObject({
      output: `7 env,rc, none ${testHost.home}/.history\r\n`,
    });
    expect(await run("print -n partial")).toMatchObject({ output: "partial" });
    const { output } = await host.read({ shell: id, plain: true });
    expect(output).toContain("partial");
  });
});

test("a shell without marks answers so at once, and still runs commands", async () => {
  await using testHost = startTestHost();
  const { host } = testHost;
  const id = await testHost.open("/bin/sh", "echo first-$((1 + 1))");
  expect(await host.waitFor({ shell: id, text: "^first-2", since: 0, timeoutMs: 5000 })).toMatchObject({
    matched: "first-2",
  });
  await expect(host.run({ shell: id, line: "true", timeoutMs: 5000 })).rejects.toMatchObject({
    code: "no_shell_integration",
  });
});

test("a shell that was created to run a program, be it bash, says why it has no marks", async () => {
  await using testHost = startTestHost();
  const { host } = testHost;
  const id = 1;
  await host.spawn({ id, cwd: testHost.home, cols: 80, rows: 24, env: {}, exec: ["bash", "--norc"] });
  await expect(host.run({ shell: id, line: "true", timeoutMs: 5000 })).rejects.toMatchObject({
    code: "no_shell_integration",
    message: expect.stringContaining("as it is (exec)"),
  });
});

test("the integration's files are private", async () => {
  await using testHost = startTestHost();
  const id = await testHost.open("/bin/bash");
  const folder = join(testHost.home, ".patchbay");
  const { output } = await testHost.host.run({
    shell: id,
    line: `stat -c %a ${folder} ${folder}/bash.sh`,
    timeoutMs: 5000,
  });
  expect(output).toBe("700\r\n600\r\n");
});
