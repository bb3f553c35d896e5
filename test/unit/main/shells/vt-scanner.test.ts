import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_OSC_BYTES } from "../../../../main/shells/osc-payload.ts";
import { MAX_HELD_BYTES, VtScanner } from "../../../../main/shells/vt-scanner.ts";
import { chunked } from "./terminal-bytes.ts";

test("tells operating system commands, bells and private modes with their places", () => {
  expect(scan([Buffer.from("ab\u001b]0;t\u0007\u0007\u001b[?1;2004hé\u001b]9;n\u001b\\x")])).toEqual([
    ["osc", "0;t", 2, 8],
    ["bell", 8],
    ["mode", 1, true, 9, 19],
    ["mode", 2004, true, 9, 19],
    ["osc", "9;n", 21, 28],
  ]);
});

test("takes a ✳ in a title for a character, though its bytes hold the C1 terminator", () => {
  expect(scan([Buffer.from("\u001b]0;✳ work\u0007")])).toEqual([["osc", "0;✳ work", 0, 13]]);
});

test("takes C1 controls in UTF-8 for what they are", () => {
  expect(scan([Buffer.from("\u009d2;t\u009c\u009b?2004l")])).toEqual([
    ["osc", "2;t", 0, 7],
    ["mode", 2004, false, 7, 15],
  ]);
});

test("an interrupted command is no command, and what interrupts it counts", () => {
  expect(scan([Buffer.from("\u001b]0;a\u0018\u001b[?20\u001b]0;b\u0007")])).toEqual([["osc", "0;b", 11, 17]]);
});

test("an endless command costs bounded memory and is not told", () => {
  const scanner = new VtScanner({ osc: () => expect.unreachable() });
  scanner.push(Buffer.from("\u001b]0;"));
  for (let sent = 0; sent <= MAX_OSC_BYTES; sent += 1024) scanner.push(Buffer.alloc(1024, "x"));
  scanner.push(Buffer.from("\u0007"));
  expect(scanner.safeEnd).toBe(scanner.position);
});

test("holds an unfinished sequence together, but not an endless one", () => {
  const scanner = new VtScanner();
  scanner.push(Buffer.from("text\u001bP"));
  expect(scanner.safeEnd).toBe(4);
  scanner.push(Buffer.alloc(MAX_HELD_BYTES, "q"));
  expect(scanner.safeEnd).toBe(scanner.position);
  scanner.push(Buffer.from("é").subarray(0, 1));
  expect(scanner.safeEnd).toBe(scanner.position - 1);
});

test("any chunking of any bytes gives the same reports and the same boundary", () => {
  fc.assert(
    fc.property(chunked, (chunks) => {
      const [whole, parts] = [new Recorder(), new Recorder()];
      whole.scanner.push(Buffer.concat(chunks));
      for (const chunk of chunks) parts.scanner.push(chunk);
      expect(parts.reports).toEqual(whole.reports);
      expect(parts.scanner.safeEnd).toBe(whole.scanner.safeEnd);
    }),
    { numRuns: 3000 },
  );
});

test("the boundary never goes back and never splits a character", () => {
  fc.assert(
    fc.property(chunked, (chunks) => {
      const bytes = Buffer.concat(chunks);
      const scanner = new VtScanner();
      let before = 0;
      for (const byte of bytes) {
        scanner.push(Buffer.from([byte]));
        expect(scanner.safeEnd).toBeGreaterThanOrEqual(before);
        before = scanner.safeEnd;
      }
    }),
    { numRuns: 1000 },
  );
});

test("a scanner that goes on from a saved place finds the same boundaries", () => {
  fc.assert(
    fc.property(chunked, fc.nat(20), (chunks, index) => {
      const one = new VtScanner();
      const other = new VtScanner();
      for (const chunk of chunks.slice(0, index)) one.push(chunk);
      other.restore(one.save());
      for (const chunk of chunks.slice(index)) {
        one.push(chunk);
        other.push(chunk);
        expect(other.safeEnd).toBe(one.safeEnd);
      }
    }),
    { numRuns: 1000 },
  );
});

class Recorder {
  readonly reports: unknown[] = [];
  readonly scanner = new VtScanner({
    osc: (payload, offset, end) => this.reports.push(["osc", payload, offset, end]),
    bell: (offset) => this.reports.push(["bell", offset]),
    mode: (mode, on, offset, end) => this.reports.push(["mode", mode, on, offset, end]),
  });
}

function scan(chunks: readonly Buffer[]): unknown[] {
  const recorder = new Recorder();
  for (const chunk of chunks) recorder.scanner.push(chunk);
  return recorder.reports;
}

test("a sequence that asks the terminal is told with its place, however the bytes are cut", () => {
  const output = "text\u001b[1;31m\u001b[6n\u001b[?6n\u001b[>q\u001b]0;\u001b[c\u009b0c\u001b[1234567890123456789c";
  const bytes = Buffer.from(output);
  for (let size = 1; size <= bytes.length; size += 1) {
    const told: [string, string][] = [];
    const scanner = new VtScanner({
      request: (sequence, offset, end) => told.push([sequence, bytes.subarray(offset, end).toString()]),
    });
    for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
    expect(told.slice(0, 5)).toEqual([
      ["6n", "\u001b[6n"],
      ["?6n", "\u001b[?6n"],
      [">q", "\u001b[>q"],
      ["c", "\u001b[c"],
      ["0c", "\u009b0c"],
    ]);
  }
});
