import { expect, test } from "vitest";
import type { ShellHost, SubscribeOptions } from "../../../../core/protocol/shell-host.ts";
import { followOutput } from "../../../../main/shells/follow-output.ts";
import { OutputLog } from "../../../../main/shells/output-log.ts";
import type { TextPattern } from "../../../../main/shells/text-pattern.ts";
import { TextSearch } from "../../../../main/shells/text-search.ts";
import { MAX_HELD_BYTES } from "../../../../main/shells/vt-scanner.ts";

/** Output with an image that is too long to be held together, in the pieces in which a shell prints it. */
const OUTPUT = ["before\r\n\u001b]1337;File=inline=1:", ...Array(40).fill("WORD".repeat(1024)), "\u0007after\r\n"];
const LENGTH = Buffer.byteLength(OUTPUT.join(""));

test("an image is no text for a reader that follows plain output", () => {
  expect(LENGTH).toBeGreaterThan(4 * MAX_HELD_BYTES);
  let deliver: SubscribeOptions["deliver"] = () => undefined;
  const host = {
    subscribe(_shell: number, options: SubscribeOptions) {
      deliver = options.deliver;
      return { acknowledge: () => undefined, stop: () => undefined };
    },
  } as unknown as ShellHost;
  let text = "";
  let end = 0;
  followOutput(
    host,
    1,
    { from: 0, window: LENGTH, plain: true },
    {
      text(piece, from, to) {
        expect(from).toBe(end);
        text += piece;
        end = to;
      },
      missed: () => expect.unreachable(),
      end: () => undefined,
    },
  );
  let offset = 0;
  for (const piece of OUTPUT) {
    const bytes = Buffer.from(piece);
    deliver({ kind: "output", offset, bytes });
    offset += bytes.length;
  }
  expect(text).toBe("before\nafter\n");
  expect(end).toBe(LENGTH);
});

test("an image is no text for a search, which finds what comes after it", async () => {
  const log = new OutputLog();
  const find = (word: string): TextPattern => ({
    find: async (text) => {
      const index = text.indexOf(word);
      return index < 0 ? null : { index, text: word };
    },
    inLine: true,
  });
  const searchFor = (word: string) =>
    new TextSearch({ log, typedLines: [], tracker: { marks: [] } }, { since: 0, skipEcho: false }, find(word));
  const [word, after] = [searchFor("WORD"), searchFor("fter")];
  for (const piece of OUTPUT) {
    log.append(Buffer.from(piece));
    expect(await word.next()).toBeUndefined();
  }
  const end = LENGTH - "\r\n".length;
  expect(await after.next()).toEqual({ matched: "fter", offset: end - "fter".length, end });
});
