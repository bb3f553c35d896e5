import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const CHECKOUT = join(import.meta.dirname, "..", "..", "..", "..");

/** Runs a script of one line with the module under test. */
function run(body: string) {
  const script = `
    import { parseArgs } from "node:util";
    import { mainProgram } from "./tools/setup/main-program.mjs";
    import { SetUpError } from "./tools/setup/set-up-error.mjs";
    await mainProgram(async () => { ${body} });`;
  const args = ["--input-type=module", "-e", script, "--", "--bogus"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: CHECKOUT, encoding: "utf8" });
  return { status, lines: stderr.trimEnd().split("\n") };
}

test("a script has the exit code of its result, and 0 without one", () => {
  expect([run("return 3").status, run("").status]).toEqual([3, 0]);
});

test("what a user can mend is one sentence, a defect has its stack", () => {
  expect(run('throw new SetUpError("Install git.")')).toEqual({ status: 1, lines: ["Install git."] });
  const option = run("parseArgs({ options: {} })");
  expect(option).toMatchObject({ status: 1, lines: [expect.stringMatching(/^Unknown option '--bogus'/)] });
  expect(option.lines).toHaveLength(1);
  expect(run('throw new Error("Oh.")').lines.join("\n")).toMatch(/^Error: Oh\.\n +at /);
});
