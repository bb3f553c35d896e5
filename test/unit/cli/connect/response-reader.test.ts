import { describe, expect, test } from "vitest";
import { ResponseReader } from "../../../../cli/connect/response-reader.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";

/** Reads a response in pieces; returns its body, and what is known after each piece. */
function read(...pieces: readonly (string | Buffer)[]) {
  const reader = new ResponseReader();
  const taken = pieces.map((piece) => {
    const body = reader.take(Buffer.from(piece));
    return { body: body.toString(), isComplete: reader.isComplete };
  });
  return {
    body: taken.map(({ body }) => body).join(""),
    complete: taken.map(({ isComplete }) => isComplete),
    isDeclined: reader.isDeclined,
  };
}

describe("a response", () => {
  test("has its body without the headers, and is complete with the last byte that its first line announces", () => {
    expect(read(`${HEAD}0 5 x\nhello`)).toEqual({ body: "0 5 x\nhello", complete: [true], isDeclined: false });
    expect(read(`${HEAD}0 5 x\nhell`).complete).toEqual([false]);
    expect(read(`${HEAD}12 0 x\n`).complete).toEqual([true]);
    expect(read(`${HEAD}0 5 x\nhello!`).complete).toEqual([false]);
  });

  test("comes in pieces that end anywhere", () => {
    const whole = Buffer.from(`${HEAD}. a line before\n. and another\n0 7 x\nhäll\no`);
    for (let at = 1; at < whole.length; at++) {
      const { body, complete } = read(whole.subarray(0, at), whole.subarray(at));
      expect([at, Buffer.from(body).includes("HTTP"), complete.at(-1)]).toEqual([at, false, true]);
    }
    const bytes = [...whole].map((byte) => Buffer.from([byte]));
    const reader = new ResponseReader();
    expect(Buffer.concat(bytes.map((byte) => reader.take(byte)))).toEqual(whole.subarray(HEAD.length));
    expect(reader.isComplete).toBe(true);
  });

  test("is not complete before its first line is", () => {
    expect(read(HEAD, ". a line", " before\n", "0 0", " x", "\n").complete).toEqual([
      ...[false, false, false, false, false],
      true,
    ]);
  });

  test.each([
    ["HTTP/1.1 409 Conflict", true],
    ["HTTP/1.0 503 Service Unavailable", true],
    ["HTTP/1.1 200 OK", false],
    ["HTTP/1.1 200 HTTP/1.1 404 x", false],
    ["HTTP/1.1 600 x", false],
    ["HTTP/1.1 4040 x", false],
  ])("that begins with %j is declined: %j", (line, isDeclined) => {
    expect(read(`${line}\r\nX: y\r\n\r\n`).isDeclined).toBe(isDeclined);
  });
});
