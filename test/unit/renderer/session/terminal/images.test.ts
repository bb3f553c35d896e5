import type { Terminal } from "@xterm/xterm";
import { expect, test } from "vitest";
import { createImageOutput } from "../../../../../renderer/session/terminal/images.ts";
import { until } from "../../../../support/until.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const IMAGE = bytes("\x1bPq#0~\x1b\\");

/** A terminal that notes what it is given. The add-on cannot be loaded into it. */
function noting() {
  const written: string[] = [];
  let attributes: (params: number[]) => boolean = () => false;
  const terminal = {
    options: {},
    parser: {
      registerCsiHandler(_id: object, handler: typeof attributes) {
        attributes = handler;
        return { dispose: () => undefined };
      },
    },
    input: (data: string) => written.push(`answers ${data}`),
    write(data: string | Uint8Array, done?: () => void) {
      written.push(typeof data === "string" ? data : new TextDecoder().decode(data));
      done?.();
    },
    loadAddon() {
      throw new Error("no add-ons here");
    },
  };
  const output = createImageOutput(terminal as unknown as Terminal);
  output.draw(true);
  return { output, written, ask: (kind: number) => attributes([kind]) };
}

test("output waits for the first image's code in order, and comes without it too", async () => {
  const { output, written } = noting();
  const done: string[] = [];
  output.write(bytes("before"), () => done.push("before"));
  output.write(IMAGE, () => done.push("image"));
  output.write(bytes("after"), () => done.push("after"));
  output.write("copy", () => done.push("copy"));
  expect([written, done]).toEqual([["before"], ["before"]]);
  await until("the rest", () => written.length === 4);
  expect(written).toEqual(["before", new TextDecoder().decode(IMAGE), "after", "copy"]);
  expect(done).toEqual(["before", "image", "after", "copy"]);
  // The code is not asked for again.
  output.write(IMAGE);
  expect(written).toHaveLength(5);
});

test("what waits is acknowledged when a snapshot replaces it, and when the terminal goes", () => {
  const { output, written } = noting();
  const done: string[] = [];
  output.write(IMAGE, () => done.push("image"));
  output.write(bytes("after"), () => done.push("after"));
  output.drop();
  expect([written, done]).toEqual([[], ["image", "after"]]);
  output.write("snapshot", () => done.push("snapshot"));
  output.dispose();
  expect(done).toEqual(["image", "after", "snapshot"]);
});

test("without images nothing waits, and the terminal's attributes are those of xterm.js", () => {
  const { output, written, ask } = noting();
  expect([ask(0), ask(1)]).toEqual([true, false]);
  expect(written).toEqual(["answers \x1b[?62;4;9;22c"]);
  output.draw(false);
  expect(ask(0)).toBe(false);
  output.write(IMAGE);
  expect(written).toHaveLength(2);
});
