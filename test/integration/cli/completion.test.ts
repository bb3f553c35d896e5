import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { spawn as spawnPty } from "@lydell/node-pty";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCommands } from "../../../cli/parse/command-table.ts";
import { until } from "../../support/until.ts";
import { builtProgram } from "./built-program.ts";

const run = promisify(execFile);
let program: Awaited<ReturnType<typeof builtProgram>>;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  program = await builtProgram();
  for (const shell of ["bash", "zsh", "fish"]) {
    const file = join(program.folder, `completion.${shell}`);
    writeFileSync(file, (await program.run(["completion", shell])).out);
    scripts[shell] = file;
  }
});

afterAll(() => program[Symbol.dispose]());

/** What bash would offer for the last word. */
async function bash(...words: string[]): Promise<string[]> {
  const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _patchbay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", script, scripts.bash ?? "", ...words]);
  return stdout.split("\n").filter((line) => line !== "");
}

test("bash completes words, commands, options and their values", async () => {
  expect(await bash("patchbay", "fu")).toEqual(["func"]);
  expect((await bash("service", "func", "")).sort()).toEqual(
    [...allCommands().map(({ name }) => name), "events"].sort(),
  );
  expect(await bash("service", "func", "show-t")).toEqual(["show-tree"]);
  expect(await bash("service", "func", "run", "--w")).toEqual(["--wait"]);
  expect(await bash("service", "func", "split-h", "--no")).toEqual(["--no-focus"]);
  expect(await bash("service", "func", "toast", "x", "--kind", "")).toEqual(["info", "success", "error"]);
  expect(await bash("service", "func", "move-tile", "--place", "t")).toEqual(["tab"]);
  expect(await bash("service", "func", "focus-direction", "--client", "2", "l")).toEqual(["left"]);
  expect(await bash("service", "func", "focus-direction", "left", "")).toEqual([]);
  expect(await bash("service", "sessions", "re")).toEqual(["rename", "restore"]);
  expect(await bash("patchbay", "completion", "z")).toEqual(["zsh"]);
  expect(await bash("patchbay", "keys", "")).toEqual(["create", "list", "revoke"]);
  expect(await bash("patchbay", "keys", "create", "--read")).toEqual(["--read-only"]);
  expect(await bash("patchbay", "approve", "ABCD-EFGH", "--d")).toEqual(["--deny", "--data"]);
  expect(await bash("patchbay", "token", "--s")).toEqual(["--scope"]);
  expect(await bash("patchbay", "serve", "--keep-s")).toEqual(["--keep-shells"]);
  expect(await bash("patchbay", "serve", "--hid")).toEqual([]);
  expect(await bash("patchbay", "invite", "create", "--role", "")).toEqual(["admin", "writer", "reader"]);
  expect(await bash("patchbay", "budgets", "s")).toEqual(["show", "set"]);
});

describe("names of remotes", () => {
  /** A command of this name in PATH, as the shells call it. */
  let path: string;
  beforeAll(() => {
    const bin = join(program.folder, "names");
    mkdirSync(bin);
    for (const name of ["patchbay", "service"]) {
      const script = '#!/bin/sh\n[ "$*" = "remotes names" ] && printf "box\\npi\\n"\n';
      writeFileSync(join(bin, name), script, { mode: 0o755 });
    }
    path = `${bin}:${process.env.PATH}`;
  });

  test.each([
    [
      ["patchbay", "sessions", "--on", ""],
      ["box", "pi"],
    ],
    [["service", "func", "run", "--on", "b"], ["box"]],
    [["patchbay", "remotes", "remove", "p"], ["pi"]],
    [
      ["patchbay", "remotes", "re"],
      ["rename", "remove"],
    ],
    [
      ["patchbay", "doctor", "--on", ""],
      ["box", "pi"],
    ],
  ])("bash completes %j", async (words, wanted) => {
    const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _patchbay; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: path };
    const { stdout } = await run("bash", ["-c", script, scripts.bash ?? "", ...words], { env });
    expect(stdout.trim().split("\n")).toEqual(wanted);
  });

  test.each([
    ["patchbay sessions --on ", ["box", "pi"]],
    ["service func run --on b", ["box"]],
    ["patchbay remotes remove p", ["pi"]],
  ])("fish completes %j", async (line, wanted) => {
    const { stdout } = await run("fish", ["--no-config", "-c", `source ${scripts.fish}; complete -C '${line}'`], {
      env: { ...process.env, HOME: program.folder, PATH: path },
    });
    const names = stdout.split("\n").map((row) => row.split("\t")[0] ?? "");
    expect(names.filter((name) => ["box", "pi"].includes(name))).toEqual(wanted);
  });

  test("zsh completes them in a real terminal", async () => {
    const terminal = spawnPty("zsh", ["-f"], {
      cols: 100,
      rows: 24,
      env: { PATH: path, HOME: program.folder, TERM: "xterm", PS1: "> " },
    });
    let text = "";
    terminal.onData((piece) => (text += piece));
    try {
      terminal.write(`autoload -Uz compinit && compinit -D -u && source ${scripts.zsh} && echo rea""dy\r`);
      await until("zsh", () => text.includes("ready"));
      terminal.write("patchbay sessions --on b\t");
      await until("the name", () => /--on box/.test(text));
    } finally {
      terminal.kill();
    }
  });
});

test("zsh takes the script", async () => {
  await run(
    "zsh",
    [
      "-f",
      "-c",
      `autoload -Uz compinit && compinit -D -u && source ${scripts.zsh} && [[ $_comps[patchbay] == _patchbay ]]`,
    ],
    {
      env: { ...process.env, HOME: program.folder },
    },
  );
});

test("fish completes commands, options and values", async () => {
  const fish = async (line: string) => {
    const { stdout } = await run("fish", ["--no-config", "-c", `source ${scripts.fish}; complete -C '${line}'`], {
      cwd: program.folder,
      env: { ...process.env, HOME: program.folder },
    });
    return stdout
      .split("\n")
      .filter((row) => row !== "")
      .map((row) => row.split("\t")[0]);
  };
  expect(await fish("patchbay fun")).toEqual(["func"]);
  expect(await fish("patchbay func show-t")).toEqual(["show-tree"]);
  expect(await fish("patchbay func run --wai")).toEqual(["--wait"]);
  expect(await fish("patchbay func toast --kind su")).toEqual(["success"]);
  expect(await fish("patchbay keys rev")).toEqual(["revoke"]);
  expect(await fish("patchbay keys create --own")).toEqual(["--own-shells"]);
  expect(await fish("patchbay serve --tls")).toEqual(["--tls-cert", "--tls-key"]);
  expect(await fish("patchbay invite create --role re")).toEqual(["reader"]);
  expect(await fish("patchbay serve --tls-cert completion.b")).toEqual(["completion.bash"]);
  expect(await fish("patchbay agents prices update completion.b")).toEqual(["completion.bash"]);
});
