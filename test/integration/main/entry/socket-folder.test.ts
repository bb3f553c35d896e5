import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtProgram } from "../../cli/built-program.ts";

let program: Awaited<ReturnType<typeof builtProgram>>;
/** A data folder whose path is too long for a socket in it. */
let data: string;
let temporary: string;
/** Where the sockets of such a data folder are. */
let squatted: string;

beforeEach(async () => {
  program = await builtProgram();
  data = join(program.folder, "x".repeat(100));
  temporary = join(program.folder, "tmp");
  mkdirSync(temporary);
  squatted = join(temporary, `patchbay-${process.getuid?.()}`);
});
afterEach(() => program[Symbol.dispose]());

function serve(environment: NodeJS.ProcessEnv = {}) {
  return program.run(["serve", "--port", "0", "--data", data], { TMPDIR: temporary, ...environment });
}

const SENTENCE =
  /^patchbay: The path of [^\n]+: start with --data and a folder whose path is shorter, or set XDG_RUNTIME_DIR [^\n]+\n$/;

describe.skipIf(process.platform === "win32")("a data folder with a long path", () => {
  const folders: [string, () => void, RegExp][] = [
    ["a symbolic link", () => symlinkSync(mkdirIn("elsewhere"), squatted), /is a symbolic link/],
    ["a link to nothing", () => symlinkSync("/nowhere/at/all", squatted), /is a symbolic link/],
    ["a file", () => writeFileSync(squatted, ""), /is no folder that is yours alone/],
    [
      "a folder that is open to others",
      () => {
        mkdirSync(squatted);
        chmodSync(squatted, 0o777);
      },
      /is no folder that is yours alone/,
    ],
  ];
  test.each(folders)(
    "and %s in place of the sockets' folder: a sentence, and nothing is put there",
    async (what, squat, why) => {
      squat();
      const ran = await serve();
      expect(ran).toEqual({ code: 1, out: "", err: expect.stringMatching(SENTENCE) });
      expect(ran.err).toMatch(why);
      if (existsSync(squatted) && what !== "a file") expect(readdirSync(squatted)).toEqual([]);
      expect(existsSync(data)).toBe(false);
    },
  );

  test("and a folder for sockets that is as long: a sentence with the length", async () => {
    const long = mkdirIn("y".repeat(90));
    for (const environment of [{ TMPDIR: long }, { XDG_RUNTIME_DIR: long }]) {
      const ran = await serve(environment);
      expect(ran).toEqual({ code: 1, out: "", err: expect.stringMatching(SENTENCE) });
      expect(ran.err).toMatch(/has \d+ bytes, and at most 103 are possible/);
    }
    writeFileSync(join(program.folder, "file"), "");
    for (const parent of [join(program.folder, "file"), "/proc/nowhere"]) {
      const ran = await serve({ XDG_RUNTIME_DIR: parent });
      expect(ran).toEqual({ code: 1, out: "", err: expect.stringMatching(SENTENCE) });
      expect(ran.err).toContain("cannot be created");
    }
  });
});

function mkdirIn(name: string): string {
  const folder = join(program.folder, name);
  mkdirSync(folder);
  return folder;
}
