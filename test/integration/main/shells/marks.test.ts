import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { MarkSecret } from "../../../../main/shells/marks/mark-secret.ts";
import { shellsHere, startTestHost, type TestHost } from "./test-host.ts";

/** The secrets of the shells that were started, in order: an attacker in these tests may know what is spent of them. */
const secrets: MarkSecret[] = [];

// Modules that other files have loaded do not have what is mocked here.
vi.hoisted(() => vi.resetModules());
vi.mock("../../../../main/shells/marks/mark-secret.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../../../main/shells/marks/mark-secret.ts")>();
  return {
    createMarkSecret: () => {
      const secret = original.createMarkSecret();
      secrets.push(secret);
      return secret;
    },
  };
});

beforeEach(() => void secrets.splice(0));

describe.each(shellsHere)("the marks of $name", ({ name, path }) => {
  test("whose nonces are spent change nothing, those of the next prompt would end the command", async () => {
    await using testHost = startTestHost();
    const { host, home } = testHost;
    const id = await testHost.open(path);
    for (let round = 0; round < 3; round++) await host.run({ shell: id, line: "true", timeoutMs: 10_000 });
    const spent = cycles(1, 4).flatMap((cycle) => everyMark(cycle, name));
    writeFileSync(join(home, "replayed"), `first${spent.join("x")}last`);
    const replay = "cat replayed; sleep 0.3; cat replayed; sh -c 'exit 7'";
    const ran = await host.run({ shell: id, line: replay, timeoutMs: 10_000 });
    expect(ran).toMatchObject({ exitCode: 7, output: `first${"x".repeat(spent.length - 1)}last`.repeat(2) });
    expect(ran.durationMs).toBeGreaterThanOrEqual(250);
    // The control: with a nonce that is not spent the same program would deceive.
    const next = cycles(6, 12).flatMap((cycle) => [mark(cycle, "D;0;/"), mark(cycle, "A;0"), mark(cycle, "B;9;0")]);
    writeFileSync(join(home, "forged"), next.join(""));
    const deceived = await host.run({ shell: id, line: "cat forged; sleep 1; sh -c 'exit 7'", timeoutMs: 10_000 });
    expect(deceived.exitCode).toBe(0);
  });

  test("are in nothing that is served", async () => {
    await using testHost = startTestHost();
    const { host } = testHost;
    const id = await testHost.open(path);
    const served: string[] = [];
    const listening = host.subscribe(id, {
      from: 0,
      window: 1024 * 1024,
      deliver: (frame) =>
        served.push(frame.kind === "output" ? Buffer.from(frame.bytes).toString("latin1") : JSON.stringify(frame)),
    });
    for (const line of ["echo one", "false", "echo )", "printf '%s' \"$PS1\""]) {
      const result = await host.run({ shell: id, line, timeoutMs: 10_000 });
      served.push(result.output);
    }
    await host.write(id, "half");
    await expect(host.run({ shell: id, line: "true", timeoutMs: 5000 })).rejects.toMatchObject({ code: "shell_busy" });
    await host.run({ shell: id, line: "true", timeoutMs: 5000, clear: true });
    served.push((await host.read({ shell: id })).output, (await host.read({ shell: id, plain: true })).output);
    served.push(
      (await host.screen({ shell: id })).text,
      (await host.snapshot({ shell: id, scrollbackRows: 100 })).snapshot,
    );
    served.push(JSON.stringify(testHost.events), JSON.stringify(await host.info({ shell: id })));
    listening.stop();
    const all = served.join("\n");
    expect(all).toContain("]133;C");
    for (const cycle of cycles(1, 40)) expect(all).not.toContain(secrets[0]?.nonceOf(cycle));
    expect(all).not.toContain("\u001b]7133;");
  });

  test("rest on a secret that no program of the shell can read", async () => {
    await using testHost = startTestHost();
    const { home } = testHost;
    const id = await testHost.open(path);
    const told = await everythingTold(testHost, id, name);
    const [secret] = secrets;
    const keys = secret?.text.split(" ") ?? [];
    expect(keys).toHaveLength(27);
    const files = readdirSync(join(home, ".patchbay"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    for (const text of [...told, ...files]) {
      for (const key of keys) expect(text).not.toMatch(new RegExp(`(?<!\\d)${key}(?!\\d)`));
      for (const cycle of cycles(40, 80)) expect(text).not.toContain(secret?.nonceOf(cycle));
    }
  });

  test("are told from guessed ones that a background job prints all the time", async () => {
    await using testHost = startTestHost();
    const { host, home } = testHost;
    writeFileSync(join(home, "noise"), `\u001b]7133;1;\u001b]133;D;0\u0007\u001b]7133;999;3:4;D;0;/\u0007`);
    const id = await testHost.open(path);
    await host.run({ shell: id, line: "sh -c 'while :; do cat noise; sleep 0.01; done' &", timeoutMs: 5000 });
    for (let round = 0; round < 10; round++) {
      expect(await host.run({ shell: id, line: "sh -c 'exit 6'", timeoutMs: 5000 })).toMatchObject({ exitCode: 6 });
    }
  });

  test("do not follow into programs that are started in the shell", async () => {
    await using testHost = startTestHost();
    const { host, home } = testHost;
    // Without it zsh asks an ordinary user at its first start what to do.
    writeFileSync(join(home, ".zshrc"), "");
    const id = await testHost.open(path);
    const nested = `${path} -c 'echo in; exit 4'`;
    expect(await host.run({ shell: id, line: nested, timeoutMs: 5000 })).toMatchObject({
      output: "in\r\n",
      exitCode: 4,
    });
    const scripted = await host.run({
      shell: id,
      line: `script -qec "${path} -i -c 'exit 3'" /dev/null`,
      timeoutMs: 5000,
    });
    expect(scripted.exitCode).toBe(3);
  });
});

/** What each shell tells of itself, to files, while it exports all that is assigned. */
async function everythingTold({ host, home }: TestHost, id: number, name: string): Promise<string[]> {
  const lines: Readonly<Record<string, readonly string[]>> = {
    bash: [
      "set -a",
      "set >a; declare -p >b; history >c; env >d; export -p >e; alias >f; set -o posix; set >g; set +o posix",
    ],
    zsh: ["setopt allexport", "set >a; typeset -p >b; fc -l 1 >c; env >d; export -p >e; typeset >f; declare -m '*' >g"],
    fish: ["set >a; set -S >b; history >c; env >d; set -x >e; functions -n >f; set -U >g"],
  };
  for (const line of lines[name] ?? []) await host.run({ shell: id, line, timeoutMs: 10_000 });
  const traced = { bash: "set -x", zsh: "setopt xtrace", fish: "set -g fish_trace 1" }[name] ?? "";
  await host.run({ shell: id, line: traced, timeoutMs: 10_000 });
  await host.run({ shell: id, line: "true", timeoutMs: 10_000 });
  const { pid } = await host.info({ shell: id });
  const environment = existsSync(`/proc/${pid}/environ`) ? readFileSync(`/proc/${pid}/environ`, "utf8") : "";
  const { output } = await host.read({ shell: id });
  return [...[..."abcdefg"].map((file) => readFileSync(join(home, file), "utf8")), environment, output];
}

function everyMark(cycle: number, name: string): string[] {
  const prompts = name === "bash" ? ["B;1;0", "P;1"] : ["B;0", "P"];
  return ["D;0;/", "A;0", ...prompts, "E;3", "C", "unknown"].map((words) => mark(cycle, words));
}

function mark(cycle: number, words: string): string {
  return `\u001b]7133;${cycle};${secrets[0]?.nonceOf(cycle)};${words}\u0007`;
}

function cycles(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
