import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { ShellEvent } from "../../../../core/protocol/shell-host.ts";
import { until } from "../../../support/until.ts";
import { shellsHere, startTestHost } from "./test-host.ts";

const PLAIN: readonly (readonly [command: string, name: string])[] = [
  ["bash --norc", "bash"],
  ["bash", "bash"],
  ["sh", "sh"],
  ["zsh -f", "zsh"],
  ["fish --no-config", "fish"],
  // It asks everybody but root for a password.
  ...(process.getuid?.() === 0 ? [["su -s /bin/bash", "bash"] as const] : []),
];
const others = PLAIN.filter(([, name]) => ["/bin", "/usr/bin"].some((folder) => existsSync(join(folder, name))));

describe.each(shellsHere)("in $name", ({ path }) => {
  test.each(others)("%s that was started at the prompt is refused at once, by name", async (command, name) => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    await host.run({ shell: id, line: "true", timeoutMs: 10_000 });
    const told = { code: "no_shell_integration", message: expect.stringContaining(`${name} was started`) };
    await expect(host.run({ shell: id, line: command, timeoutMs: 20_000 })).rejects.toMatchObject(told);
    const asked = performance.now();
    await expect(host.run({ shell: id, line: "echo no", timeoutMs: 20_000 })).rejects.toMatchObject(told);
    expect(performance.now() - asked).toBeLessThan(1000);
    await host.type({ shell: id, line: "exit" });
    const back = () => host.run({ shell: id, line: "echo back", timeoutMs: 10_000 });
    expect(await vi.waitFor(back, { timeout: 10_000 })).toMatchObject({ output: "back\r\n" });
  });

  test.each(others.filter(([command]) => !command.startsWith("su")))(
    "exec %s is told",
    { tags: "slow" },
    async (command, name) => {
      await using testHost = startTestHost();
      const { host } = testHost;
      const id = await testHost.open(path);
      const told = { code: "no_shell_integration", message: expect.stringContaining(`${name} took the place`) };
      await expect(host.run({ shell: id, line: `exec ${command}`, timeoutMs: 20_000 })).rejects.toMatchObject(told);
      await expect(host.run({ shell: id, line: "echo no", timeoutMs: 20_000 })).rejects.toMatchObject(told);
      await host.type({ shell: id, line: "echo $(expr 40 + 2)" });
      expect(await host.waitFor({ shell: id, text: "^42$", since: 0, timeoutMs: 5000 })).toMatchObject({
        matched: "42",
      });
    },
  );

  test("a program that is busy is named", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    await host.run({ shell: id, line: "true", timeoutMs: 10_000 });
    await host.type({ shell: id, line: "sleep 50" });
    await testHost.event((event): event is ShellEvent => event.kind === "process" && event.process === "sleep");
    // What the shell says of the command may come later than what the system does.
    const starts = () =>
      testHost.events.filter((event) => event.kind === "signal" && event.signal.kind === "command-start").length;
    await until("the start of the second command", () => starts() === 2);
    await expect(host.run({ shell: id, line: "true", timeoutMs: 5000 })).rejects.toMatchObject({
      code: "shell_busy",
      message: expect.stringContaining("`sleep`"),
    });
  });

  test("shells that read no keys are waited for", { tags: "slow" }, async () => {
    await using testHost = startTestHost((home) => writeFileSync(join(home, "script"), "sleep 1.2; exit 5\n"));
    const { host } = testHost;
    const id = await testHost.open(path);
    for (const line of [
      "bash script",
      "cat script | bash",
      "bash <script",
      "sh -c 'sleep 1.2; exit 5'",
      "bash -ec '. ./script'",
    ]) {
      expect(await host.run({ shell: id, line, timeoutMs: 10_000 }), line).toMatchObject({ exitCode: 5, output: "" });
    }
  });
});

describe.each(others.filter(([command]) => !command.startsWith("su")))(
  "%s in a start-up file",
  { tags: "slow" },
  (command, name) => {
    test.each([
      ["exec ", "took the place"],
      ["", "was started"],
    ])("after %j is told at once", async (exec, word) => {
      await using testHost = startTestHost((home) => writeFileSync(join(home, ".bashrc"), `${exec}${command}\n`));
      const id = await testHost.open("/bin/bash");
      const nested = command === "bash" && exec === "" ? testHost.host.close({ shell: id }) : undefined;
      if (nested !== undefined) return nested;
      const asked = performance.now();
      await expect(testHost.host.run({ shell: id, line: "true", timeoutMs: 20_000 })).rejects.toMatchObject({
        code: "no_shell_integration",
        message: expect.stringContaining(`${name} ${word}`),
      });
      expect(performance.now() - asked).toBeLessThan(4000);
    });
  },
);

test("a subshell is no other shell", async () => {
  await using testHost = startTestHost();
  const id = await testHost.open("/bin/bash");
  const run = (line: string) => testHost.host.run({ shell: id, line, timeoutMs: 10_000 });
  expect(await run("(sleep 1.2; exit 5)")).toMatchObject({ exitCode: 5 });
  expect(await run("for i in 1 2; do read -t 0.6 x; done; (exit 5)")).toMatchObject({ exitCode: 5 });
});
