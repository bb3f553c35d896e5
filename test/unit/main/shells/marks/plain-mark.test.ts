import { expect, test } from "vitest";
import { plainMark } from "../../../../../main/shells/marks/plain-mark.ts";

test.each([
  [{ kind: "prompt", exitCode: 0 }, "A"],
  [{ kind: "prompt-end", exitCode: null }, "B"],
  [{ kind: "command-start" }, "C;t=1700000000123"],
  [{ kind: "command-end", exitCode: 3, cwd: "/" }, "D;3;t=1700000000123"],
  [{ kind: "command-end", exitCode: null, cwd: null }, "D;;t=1700000000123"],
] as const)("%j is the standard mark %s, with the time where a command starts and ends", (mark, words) => {
  expect(plainMark(mark, 1_700_000_000_123.7).toString()).toBe(`\u001b]133;${words}\u0007`);
});
