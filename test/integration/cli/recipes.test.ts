import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { recipes } from "../../../cli/help/recipes.ts";
import { startServeLab } from "../../support/start-serve.ts";
import { builtProgram } from "./built-program.ts";

const run = promisify(execFile);

/** What a recipe prints that shows that it has done its task; the others need only succeed. */
const shown: Readonly<Record<string, RegExp>> = {
  "func run --wait 'echo built && test -d /tmp'": /^built\r?\n$/,
  "func get-shell-output --match title:tests --lines 20 --plain": /12 passed/,
  "func list-shells --format '{id}\\t{title}\\t{cwd}'": /^\d+\twork\t\/tmp$/m,
  "func list-tiles --json": /^\[\{"key":/,
  "func show-tree": /servers|shell \d/,
};

test("the twenty recipes of `service help recipes` run one after the other as they are printed", async () => {
  await using lab = await startServeLab();
  await lab.serve(["--client"]);
  const folder = join(lab.data, "..");
  await cp(resolve(import.meta.dirname, "../../../bin"), join(folder, "bin"), { recursive: true });
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    PATCHBAY_DATA: lab.data,
    SERVICE_TOKEN: await lab.makeKey(),
  };
  const help = (await run("/bin/sh", ["-c", "service help recipes"], { env })).stdout;
  expect(recipes).toHaveLength(20);
  for (const [line, task] of recipes) {
    expect(help).toContain(`  service ${line}\n`);
    const { stdout } = await run("/bin/sh", ["-c", `service ${line}`], { env }).catch((error: Error) => {
      throw new Error(`${task}: ${error.message}`, { cause: error });
    });
    expect(stdout, line).toMatch(shown[line] ?? /^/);
  }
}, 120_000);

test.runIf(existsSync("/usr/sbin/service"))(
  "a word that the operating system's own service program does not know is answered with the line of Patchbay",
  async () => {
    using program = await builtProgram();
    for (const [words, line] of [
      [["open", "x"], "func open-tile` or `service sessions open"],
      [["run", "ls"], "func run"],
      [["list-tiles"], "func list-tiles"],
    ] as const) {
      const { code, err } = await program.run(words);
      expect({ code: code !== 0, err }).toEqual({
        code: true,
        err: expect.stringContaining(`service: as a command of Patchbay: Did you mean \`service ${line}\`?`),
      });
    }
  },
);
