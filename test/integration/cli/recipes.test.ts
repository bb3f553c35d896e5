import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { recipes } from "../../../cli/help/recipes.ts";
import { RemoteClient } from "../../../client/remote-client.ts";
import { type ServeLab, startServeLab } from "../../support/start-serve.ts";
import { builtProgram } from "./built-program.ts";

const run = promisify(execFile);

const lines = recipes("service").map(([line]) => line);

/** What a recipe prints that shows that it has done its task; the others need only succeed. */
const shown: readonly (readonly [line: string, printed: RegExp])[] = [
  [`service func run --wait --tile "$tile" 'echo built && test -d /tmp'`, /^built\r?\n$/],
  ["service func get-shell-output --match title:tests --lines 20 --plain", /12 passed/],
  ["service func list-shells --format '{id}\\t{title}\\t{cwd}'", /^\d+\twork\t\/tmp$/m],
  ["service func list-tiles --json", /^\[\{"key":/],
  ["service func show-tree", /servers|shell \d/],
];

const mark = "== end of a recipe";
/** The recipes as one script, with a mark after the output of each; it ends at the first that fails. */
const script = `${lines.join(`\necho '${mark}'\n`)}\n`;

function expectShown(stdout: string): void {
  const printed = stdout.split(`${mark}\n`);
  expect(printed).toHaveLength(20);
  for (const [line, pattern] of shown) expect(printed[lines.indexOf(line)], line).toMatch(pattern);
}

/** A relay with a client, and the checkout's programs. */
async function startReader(lab: ServeLab) {
  const folder = join(lab.data, "..");
  await cp(resolve(import.meta.dirname, "../../../bin"), join(folder, "bin"), { recursive: true });
  const relay = await lab.serve(["--client"]);
  return { relay, folder, key: await lab.makeKey() };
}

test("the twenty recipes of `service help recipes` run one after the other as they are printed", async () => {
  await using lab = await startServeLab();
  const { folder, key } = await startReader(lab);
  const env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    PATCHBAY_DATA: lab.data,
    SERVICE_TOKEN: key,
  };
  const help = (await run("/bin/sh", ["-c", "service help recipes"], { env })).stdout;
  for (const line of lines) expect(help).toContain(`  ${line}\n`);
  expectShown((await run("/bin/sh", ["-e", "-c", script], { env })).stdout);
}, 120_000);

test("they run inside a Patchbay shell, whose own token they use", async () => {
  await using lab = await startServeLab();
  const { relay, folder, key: token } = await startReader(lab);
  writeFileSync(join(folder, "recipes.sh"), script);
  const owner = new RemoteClient({ url: relay.url, token, session: relay.session });
  const { key } = await owner.call("createShell", { cwd: folder });
  const { exitCode, output = "" } = await owner.call("runCommand", {
    ...(key === undefined ? {} : { tile: key }),
    command: "sh -e recipes.sh > printed",
    wait: true,
    timeout: 100,
  });
  const printed = readFileSync(join(folder, "printed"), "utf8");
  expect(exitCode, `${printed}\n${output}`).toBe(0);
  expectShown(printed);
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
