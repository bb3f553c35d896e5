import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KEPT_BYTES, OutputLog } from "../../../../main/shells/output-log.ts";
import { MAX_HELD_BYTES } from "../../../../main/shells/vt-scanner.ts";
import { chunked } from "./terminal-bytes.ts";

test("of the bells in a piece the first is told, however many there are", () => {
  const bells: number[] = [];
  const log = new OutputLog({ bell: (offset) => bells.push(offset) });
  log.append(Buffer.from(`ab${"\u0007c".repeat(50_000)}`));
  log.append(Buffer.from("\u0007"));
  log.append(Buffer.from("d"));
  log.append(Buffer.from("e\u0007\u0007"));
  expect(bells).toEqual([2, 100_002, 100_005]);
});

describe("reads", () => {
  test("with the cursor of the one before lose and repeat nothing, at any size, while output comes in", () => {
    fc.assert(
      fc.property(chunked, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (chunks, sizes) => {
        const log = new OutputLog();
        const parts: Buffer[] = [];
        let since = 0;
        const take = (maxBytes: number) => {
          const read = log.read({ since, maxBytes });
          expect(read).toMatchObject({ offset: since, missed: 0, end: since + read.bytes.length });
          parts.push(read.bytes);
          since = read.end;
          return read.bytes.length;
        };
        chunks.forEach((chunk, index) => {
          log.append(chunk);
          take(sizes[index % sizes.length] ?? 1);
        });
        log.close();
        while (take(5) > 0);
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(chunks));
      }),
      { numRuns: 3000 },
    );
  });

  test("from any place begin and end outside characters and sequences", () => {
    const units = ["a", "\u001b[38;5;200m", "é", "世", "🎉", "\u001b]0;t ✳\u0007"];
    const text = units.join("");
    const bytes = Buffer.from(text.repeat(3));
    const wholeUnits = (read: string) => units.reduce((left, unit) => left.replaceAll(unit, ""), read) === "";
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(bytes.length), fc.nat(bytes.length), (written, since, maxBytes) => {
        const log = new OutputLog();
        log.append(bytes.subarray(0, written));
        const read = log.read({ since: Math.min(since, written), maxBytes });
        expect(wholeUnits(read.bytes.toString("utf8"))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("hold back what is unfinished until the shell ends", () => {
    const log = new OutputLog();
    log.append(Buffer.from("ok\u001b[3"));
    expect(log.read()).toMatchObject({ bytes: Buffer.from("ok"), end: 2 });
    expect(log.read({ since: 2 })).toMatchObject({ bytes: Buffer.alloc(0), offset: 2, end: 2 });
    log.close();
    expect(log.read({ since: 2 })).toMatchObject({ bytes: Buffer.from("\u001b[3"), end: 5 });
  });

  test("make progress through a sequence without end, and lose nothing of it", () => {
    const log = new OutputLog();
    const bytes = Buffer.concat([Buffer.from("\u001b]52;"), Buffer.alloc(3 * MAX_HELD_BYTES, "A")]);
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1000) {
      log.append(bytes.subarray(at, at + 1000));
      const since = parts.reduce((sum, part) => sum + part.length, 0);
      const read = log.read({ since, maxBytes: 700 });
      expect(read.offset).toBe(since);
      parts.push(read.bytes);
    }
    const got = Buffer.concat(parts);
    expect(got.length).toBeGreaterThan(MAX_HELD_BYTES);
    expect(got).toEqual(bytes.subarray(0, got.length));
  });

  test.each(["\u001bPq", "\u001b]1337;File=inline=1:", "\u001b_Gf=100;"])(
    "begin after an image of which only the rest is kept: %j",
    (introducer) => {
      const log = new OutputLog({}, 64 * 1024);
      const image = Buffer.concat([Buffer.from(introducer), Buffer.alloc(256 * 1024, "A")]);
      log.append(image);
      expect(log.read().bytes.toString()).toBe("");
      // ESC and the backslash come apart.
      for (const bytes of ["A\u001b", "\\text", "\u001b[1"]) log.append(Buffer.from(bytes));
      const whole = { bytes: Buffer.from("text"), offset: image.length + 3 };
      expect(log.read()).toMatchObject(whole);
      expect(log.read({ since: 5 })).toMatchObject({ ...whole, missed: whole.offset - 5 });
      expect(log.read({ lines: 1 })).toMatchObject(whole);
      expect(log.freshStart(image.length - 9)).toBe(whole.offset);
      // A reader that has the beginning gets the rest.
      expect(log.read({ since: image.length }).bytes.toString()).toBe("A\u001b\\text");
    },
  );

  test("give a sequence that is longer than the limit whole", () => {
    const log = new OutputLog();
    log.append(Buffer.from("\u001b]0;a long title\u0007rest"));
    expect(log.read({ since: 0, maxBytes: 3 }).bytes.toString()).toBe("\u001b]0;a long title\u0007");
  });

  test("give the sequence that a shell ended in whole, with its last character", () => {
    const log = new OutputLog();
    log.append(Buffer.from("ok\u001b]\u0800"));
    log.close();
    expect(log.read({ since: 0, maxBytes: 4 })).toMatchObject({ bytes: Buffer.from("ok"), end: 2 });
    expect(log.read({ since: 2, maxBytes: 4 })).toMatchObject({ bytes: Buffer.from("\u001b]\u0800"), end: 7 });
  });

  test("of the last chunks begin where those began", () => {
    const log = new OutputLog();
    for (const chunk of ["one", "two", "three"]) {
      const from = log.end;
      log.append(Buffer.from(chunk));
      log.markChunk(from);
    }
    expect(log.read({ chunks: 2 })).toMatchObject({ bytes: Buffer.from("twothree"), chunks: 2, offset: 3, missed: 0 });
    expect(log.read({ chunks: 9 })).toMatchObject({ chunks: 3, offset: 0 });
    expect(log.read({ chunks: 0 })).toMatchObject({ bytes: Buffer.alloc(0), chunks: 0, offset: 11 });
  });

  test("of a cursor beyond the end give nothing", () => {
    const log = new OutputLog();
    log.append(Buffer.from("abc"));
    expect(log.read({ since: 99 })).toEqual({ bytes: Buffer.alloc(0), chunks: 0, offset: 3, end: 3, missed: 0 });
  });
});

describe("keeping", () => {
  test("keeps at least 4 MiB and little more, and tells what a cursor missed", () => {
    const log = new OutputLog();
    const line = Buffer.from(`${"世".repeat(30)}\u001b[0m\r\n`);
    for (let sent = 0; sent < 3 * KEPT_BYTES; sent += line.length) log.append(line);
    const kept = log.end - log.start;
    expect(kept).toBeGreaterThanOrEqual(KEPT_BYTES);
    expect(kept).toBeLessThanOrEqual(KEPT_BYTES + 2 * 64 * 1024);
    const read = log.read({ since: 10 });
    expect(read.missed).toBe(read.offset - 10);
    expect(read.offset - log.start).toBeLessThan(8);
    expect(read.bytes.toString("utf8")).not.toContain("\ufffd");
  });

  test("a small log costs little memory", () => {
    const log = new OutputLog();
    log.append(Buffer.from("$ "));
    expect(log.view(0, Infinity).buffer.byteLength).toBeLessThanOrEqual(4096);
  });

  test("views stay what they were after their place was dropped", () => {
    const log = new OutputLog({}, 64 * 1024);
    log.append(Buffer.from("first"));
    const view = log.view(0, 5);
    for (let round = 0; round < 40; round++) log.append(Buffer.alloc(10_000, "x"));
    expect(log.start).toBeGreaterThan(0);
    expect(view.toString()).toBe("first");
    expect(log.view(0, 5)).toHaveLength(0);
  });
});
