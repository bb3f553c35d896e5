import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentLaunchers } from "../../../../main/system/agent-launchers.ts";
import { shellsHere, startTestHost, type TestHost } from "./test-host.ts";

/** A user's start-up file that puts a folder before all others, by shell. */
const startUp: Readonly<Record<string, readonly [file: string, line: string]>> = {
  bash: [".bashrc", 'PATH="$HOME/own:$PATH"'],
  zsh: [".zshrc", 'PATH="$HOME/own:$PATH"'],
  fish: [".config/fish/config.fish", "set -gx PATH $HOME/own $PATH"],
};

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** With characters that patterns and words know. */
const dataOf = (home: string) => join(home, "the data [x]*");

function allow(home: string): string {
  const { folder, claudeSettings } = agentLaunchers(dataOf(home));
  write(claudeSettings, "{}");
  return folder;
}

async function open({ host, home }: TestHost, how: { shell: string } | { exec: string[] }): Promise<number> {
  const env = { SERVICE_SHELL_ID: "1", PATCHBAY_DATA: dataOf(home) };
  await host.spawn({ id: 1, cwd: home, cols: 500, rows: 24, env, ...how });
  return 1;
}

/** What a new process finds in its environment. */
async function printed({ host }: TestHost, shell: number, name: string): Promise<string> {
  const { output } = await host.run({ shell, line: `printenv ${name}`, timeoutMs: 10_000 });
  return output.trim();
}

describe.each(shellsHere)("the launchers in $name", ({ name, path }) => {
  const [file, line] = startUp[name] ?? ["", ""];

  test("are first in PATH, once, whatever the user's files put there", async () => {
    await using testHost = startTestHost((home) => write(join(home, file), line));
    const folder = allow(testHost.home);
    const shell = await open(testHost, { shell: path });
    const [first, second, ...others] = (await printed(testHost, shell, "PATH")).split(delimiter);
    expect([first, second]).toEqual([folder, join(testHost.home, "own")]);
    expect(others).not.toContain(folder);
    expect(others.length).toBeGreaterThan(0);
    expect(await printed(testHost, shell, "PATCHBAY_LAUNCHERS")).toBe("");
  });

  test("are not in PATH without the user's permission", async () => {
    await using testHost = startTestHost();
    const folder = allow(testHost.home);
    rmSync(agentLaunchers(dataOf(testHost.home)).claudeSettings);
    const shell = await open(testHost, { shell: path });
    expect((await printed(testHost, shell, "PATH")).split(delimiter)).not.toContain(folder);
  });
});

test("a PATH that bash must not change costs neither the marks nor a message", async () => {
  await using testHost = startTestHost((home) => write(join(home, ".bashrc"), 'readonly PATH="/usr/bin:/bin"'));
  allow(testHost.home);
  const shell = await open(testHost, { shell: "/bin/bash" });
  expect(await printed(testHost, shell, "PATH")).toBe("/usr/bin:/bin");
  expect((await testHost.host.screen({ shell })).text).not.toContain("readonly");
});

test("a program in place of a shell is found among them", async () => {
  await using testHost = startTestHost();
  const folder = allow(testHost.home);
  writeFileSync(join(folder, "claude"), '#!/bin/sh\necho "launched $1"; exec cat\n', { mode: 0o755 });
  const shell = await open(testHost, { exec: ["claude", "x"] });
  expect(await testHost.host.waitFor({ shell, text: "^launched x$", timeoutMs: 10_000 })).toMatchObject({
    matched: "launched x",
  });
});

test.runIf(existsSync("/usr/bin/dash"))("a shell without integration has them first at its start", async () => {
  await using testHost = startTestHost();
  const folder = allow(testHost.home);
  const shell = await open(testHost, { shell: "/usr/bin/dash" });
  await testHost.host.type({ shell, line: "printenv PATH | sed 's/^/first=/'" });
  // In the line of the prompt when the shell was slower than the typing.
  await testHost.host.waitFor({ shell, text: `first=${folder.replaceAll(/[[\]*]/g, "\\$&")}:`, timeoutMs: 10_000 });
});
