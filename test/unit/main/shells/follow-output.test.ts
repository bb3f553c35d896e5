import { expect, test } from "vitest";
import { followOutput } from "../../../../main/shells/follow-output.ts";
import { steepGrowth } from "../../../support/growth.ts";
import { standInShellHost } from "../../../support/stand-in-shell-host.ts";

/** Twice as much as one read of a terminal yields. */
const BOUND = 128 * 1024;

test.each([
  ["a\r\n b\r\r\r\n\r\nc", "a\n b\n\nc"],
  ["50 %\r100 %\r\ndone\n", "50 %\r100 %\ndone\n"],
])("plain output ends lines with a newline alone: %j", (output, text) => {
  expect(plainOutput(output)).toBe(text);
});

test.each([
  ["returns", "\r"],
  ["returns and text", "\r\ra"],
  ["line ends", "\r\n"],
  ["newlines", "\n"],
  ["starts of sequences", "\u001b["],
  ["starts of strings", "\u001b]0;"],
  ["colours", "\u001b[1m"],
  ["control characters", "\u0001"],
  ["bytes that are no characters", "\ufffd"],
])("plain output takes linear time for any number of %s", async (_name, unit) => {
  expect(await steepGrowth((size) => plainOutput(unit.repeat(size / unit.length)), BOUND)).toBeUndefined();
});

function plainOutput(output: string): string {
  let text = "";
  const host = standInShellHost({
    subscribe(_shell, { deliver }) {
      deliver({ kind: "output", offset: 0, bytes: Buffer.from(output) });
      deliver({ kind: "end", offset: output.length, exitCode: 0, signal: null });
      return { acknowledge() {}, stop() {} };
    },
  });
  followOutput(
    host,
    1,
    { window: BOUND, plain: true },
    {
      text: (piece) => {
        text += piece;
      },
      missed() {},
      end() {},
    },
  );
  return text;
}
