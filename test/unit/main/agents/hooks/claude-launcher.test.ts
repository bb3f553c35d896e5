import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CLAUDE_LAUNCHER_NAME, claudeLauncher } from "../../../../../main/agents/hooks/claude-launcher.ts";
import { agentLaunchers } from "../../../../../main/system/agent-launchers.ts";

let root: string;
let data: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "patchbay launcher "));
  data = join(root, "data folder");
  put(join(agentLaunchers(data).folder, CLAUDE_LAUNCHER_NAME), claudeLauncher);
  writeFileSync(agentLaunchers(data).claudeSettings, "{}");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** A program that prints its arguments. */
const real = (name = "real") => put(join(root, name, "claude"), `#!/bin/sh\nprintf '%s|' ${name} "$@"\n`);

interface Run {
  readonly args?: readonly string[];
  readonly path: readonly string[];
  readonly shell?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts `claude` with the launcher's folder first in PATH. */
function start({ args = [], path, shell, env }: Run) {
  const { folder } = agentLaunchers(data);
  const launcher = join(folder, CLAUDE_LAUNCHER_NAME);
  const [program, ...words] = shell === undefined ? [launcher] : [...shell, launcher];
  return spawnSync(program ?? launcher, [...words, ...args], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: [folder, ...path].join(delimiter), PATCHBAY_DATA: data, ...env },
    timeout: 10_000,
  });
}

const folders = (...names: string[]) => [...names.map((name) => join(root, name)), "/usr/bin", "/bin"];
const settings = () => agentLaunchers(data).claudeSettings;

const shells = (
  [
    ["sh", ["/bin/sh"]],
    ["dash", ["/usr/bin/dash"]],
    ["BusyBox", ["/usr/bin/busybox", "sh"]],
    ["bash", ["/bin/bash", "--posix"]],
    ["zsh", ["/usr/bin/zsh", "--emulate", "sh"]],
  ] as const
).filter(([, [program]]) => existsSync(program));

describe.each(shells)("by %s", (_name, shell) => {
  test("adds the settings before the arguments, which stay as they are", () => {
    real();
    const args = ["--model", "opus", "two words", "", "*", "$HOME", "it's"];
    expect(start({ args, path: folders("real"), shell }).stdout).toBe(
      `real|--settings|${settings()}|${args.join("|")}|`,
    );
    expect(start({ path: folders("real"), shell }).stdout).toBe(`real|--settings|${settings()}|`);
  });

  test("starts the program alone without the permission, or in a shell of another Patchbay", () => {
    real();
    const other = start({ path: folders("real"), shell, env: { PATCHBAY_DATA: join(root, "other") } });
    expect(other.stdout).toBe("real|");
    rmSync(settings());
    expect(start({ args: ["-p", "x"], path: folders("real"), shell }).stdout).toBe("real|-p|x|");
  });

  test.each<[what: string, args: string[]]>([
    ["settings of the user's own", ["--settings", "mine.json"]],
    ["settings behind others", ["-p", "--settings=mine.json", "x"]],
    ["a command", ["mcp", "list"]],
    ["a command of more words", ["remote-control", "--help"]],
  ])("leaves %s alone", (_what, args) => {
    real();
    expect(start({ args, path: folders("real"), shell }).stdout).toBe(["real", ...args, ""].join("|"));
  });

  test.each<[what: string, args: string[]]>([
    ["a prompt", ["fix the tests"]],
    ["a command of the session", ["/init"]],
    ["what follows `--`", ["--", "--settings"]],
  ])("adds the settings to %s", (_what, args) => {
    real();
    const expected = ["real", "--settings", settings(), ...args, ""].join("|");
    expect(start({ args, path: folders("real"), shell }).stdout).toBe(expected);
  });

  test("is replaced by the program: same process, exit status and signal", () => {
    put(
      join(root, "real", "claude"),
      `#!/bin/sh\n[ "$1" != --settings ] || shift 2\n[ "$1" = exit ] && exit 42\nkill -s TERM $$\n`,
    );
    expect(start({ args: ["exit"], path: folders("real"), shell }).status).toBe(42);
    expect(start({ args: ["--kill"], path: folders("real"), shell }).signal).toBe("SIGTERM");
  });

  test("says that there is none, as a shell does", () => {
    mkdirSync(join(root, "folder", "claude"), { recursive: true });
    writeFileSync(join(root, "folder", "data"), "");
    mkdirSync(join(root, "data-file"));
    writeFileSync(join(root, "data-file", "claude"), "", { mode: 0o644 });
    const { status, stderr } = start({ path: folders("folder", "data-file"), shell });
    expect(status).toBe(127);
    expect(stderr).toMatch(/^claude: not found in PATH/);
  });

  test("finds the program in an empty or relative folder of PATH", () => {
    put(join(root, "claude"), "#!/bin/sh\necho here\n");
    expect(start({ path: ["/usr/bin", ""], shell }).stdout).toBe("here\n");
    real();
    expect(start({ path: ["real"], shell }).stdout).toContain("real|");
  });

  test("never starts itself or a launcher of another Patchbay, wherever they are in PATH", () => {
    real();
    const other = agentLaunchers(join(root, "outer"));
    put(join(other.folder, CLAUDE_LAUNCHER_NAME), claudeLauncher);
    const { folder } = agentLaunchers(data);
    const path = [other.folder, `${folder}/`, join(root, "real"), folder];
    expect(start({ path, shell }).stdout).toBe(`real|--settings|${settings()}|`);
    mkdirSync(join(root, "links"));
    symlinkSync(join(folder, CLAUDE_LAUNCHER_NAME), join(root, "links", "claude"));
    put(join(root, "copies", "claude"), claudeLauncher);
    expect(start({ path: folders("links", "copies", "real"), shell }).stdout).toBe(`real|--settings|${settings()}|`);
    expect(start({ path: folders("links", "copies"), shell }).status).toBe(127);
  });

  test("does not take turns with another launcher that looks for the next program by itself", () => {
    real();
    const { folder } = agentLaunchers(data);
    // Each finds the first claude that is not its own.
    put(join(root, "wrapper", "claude"), `#!/bin/sh\nexec '${join(folder, CLAUDE_LAUNCHER_NAME)}' "$@"\n`);
    put(join(root, "parent", "claude"), `#!/bin/sh\n'${join(folder, CLAUDE_LAUNCHER_NAME)}' "$@"\n`);
    const expected = `real|--settings|${settings()}|-c|`;
    expect(start({ args: ["-c"], path: folders("wrapper", "real"), shell }).stdout).toBe(expected);
    expect(start({ args: ["-c"], path: folders("parent", "real"), shell }).stdout).toBe(expected);
    expect(start({ args: ["-c"], path: folders("wrapper"), shell }).status).toBe(127);
  });

  test("adds the settings to what the program starts in its turn", () => {
    put(join(root, "outer", "claude"), `#!/bin/sh\nprintf '%s|' "$@"\n[ "$3" = -x ] || claude -x\n`);
    const expected = `--settings|${settings()}|-c|--settings|${settings()}|-x|`;
    expect(start({ args: ["-c"], path: folders("outer"), shell }).stdout).toBe(expected);
  });
});
