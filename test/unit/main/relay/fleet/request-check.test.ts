import { createHash } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { RequestCheck } from "../../../../../main/relay/fleet/request-check.ts";
import { decodeRequest, encodeRequest, keyIdOf, newToken, PIECE_BYTES } from "../../../../../main/relay/fleet/wire.ts";

const MEMBER = `U${"A".repeat(55)}`;
const DIGEST = createHash("sha256").update("a key").digest("hex");
const NOW = 1_000_000;
const MIB = 1024 * 1024;

afterEach(() => {
  vi.useRealTimers();
});

function lab(digests: readonly string[] = [DIGEST]) {
  const clock: { now: number | undefined } = { now: NOW };
  const reads: number[] = [];
  const keys = {
    digests: function* () {
      reads.push(clock.now ?? 0);
      yield* digests;
    },
  };
  return { check: new RequestCheck(keys, () => clock.now), clock, reads };
}

type HeadParts = Partial<Parameters<typeof encodeRequest>[0]>;

/** The pieces of a request, as they arrive. */
function pieces(bytes: number, { digests = [], ...more }: HeadParts & { digests?: readonly string[] } = {}) {
  const head: Parameters<typeof encodeRequest>[0] = {
    ...{ id: newToken(), from: MEMBER, deadline: NOW + 30_000, method: "POST", path: "/x", headers: {} },
    ...{ credentials: digests.map(() => "api" as const), isCut: false, upgrade: false },
    ...more,
  };
  return encodeRequest(head, digests, Buffer.alloc(bytes, 7)).map(decodeRequest);
}

describe("a request", () => {
  test("of one piece is whole at once, and is executed once", () => {
    const { check } = lab();
    const [piece] = pieces(3);
    expect(check.take(piece)).toMatchObject({ body: Buffer.alloc(3, 7), digests: [], head: { path: "/x" } });
    expect(check.take(piece)).toBe("repeated");
    expect(check.take(pieces(0)[0])).toMatchObject({ body: Buffer.alloc(0) });
  });

  test("that cannot be decoded is malformed", () => {
    expect(lab().check.take(undefined)).toBe("malformed");
  });

  test.each([
    ["its deadline has come", NOW, "executed"],
    ["its deadline has passed", NOW - 1, "stale"],
    ["its deadline is as late as can be", NOW + 75_000, "executed"],
    ["its deadline is later than any", NOW + 75_001, "stale"],
  ])("is judged by its deadline: %s", (_what, deadline, outcome) => {
    const taken = lab().check.take(pieces(1, { deadline })[0]);
    expect(typeof taken === "string" ? taken : "executed").toBe(outcome);
  });

  test("is stale while the broker's clock is not known", () => {
    const { check, clock } = lab();
    clock.now = undefined;
    expect(check.take(pieces(1)[0])).toBe("stale");
  });

  test("whose body is another than its head names is malformed", () => {
    const [piece] = pieces(3);
    if (piece === undefined) throw new Error("no piece");
    const { check } = lab();
    expect(check.take({ ...piece, body: Buffer.alloc(3, 8) })).toBe("malformed");
    // It was not executed, so that the true one still can be.
    expect(check.take(piece)).toMatchObject({ body: Buffer.alloc(3, 7) });
  });
});

describe("the pieces of a request", () => {
  test("are put together in their order, whichever comes first", () => {
    const { check } = lab();
    const all = pieces(2 * PIECE_BYTES + 5);
    expect(all).toHaveLength(3);
    const [first, second, third] = all;
    expect([check.take(third), check.take(first), check.take(third)]).toEqual([undefined, undefined, undefined]);
    expect(check.take(second)).toMatchObject({ body: Buffer.alloc(2 * PIECE_BYTES + 5, 7) });
    expect(check.take(first)).toBe("repeated");
  });

  test("belong to one head: another with the same name is malformed", () => {
    const { check } = lab();
    const id = newToken();
    const [first] = pieces(2 * PIECE_BYTES, { id });
    const [, second] = pieces(2 * PIECE_BYTES, { id, path: "/other" });
    expect([check.take(first), check.take(second)]).toEqual([undefined, "malformed"]);
  });

  /** A proved request of three pieces, and a wrong piece in the place of each: a proof is of the head alone. */
  function attacked() {
    const right = pieces(2 * PIECE_BYTES + 5, { digests: [DIGEST] });
    const wrong = (fill: number) =>
      right.map((piece) => piece && { ...piece, body: Buffer.alloc(piece.body.length, fill) });
    return { right, wrong };
  }

  test("are kept where a wrong one comes before the last right one", () => {
    const { check } = lab();
    const { right, wrong } = attacked();
    expect([check.take(right[0]), check.take(right[1])]).toEqual([undefined, undefined]);
    expect(check.take(wrong(8)[2])).toBe("malformed");
    expect(check.take(right[2])).toMatchObject({ digests: [DIGEST], body: Buffer.alloc(2 * PIECE_BYTES + 5, 7) });
    expect(check.take(right[2])).toBe("repeated");
  });

  test("are kept where a wrong one comes after a right one, which is sent again", () => {
    const { check } = lab();
    const { right, wrong } = attacked();
    const early = [right[0], right[1], wrong(8)[1]];
    expect(early.map((piece) => check.take(piece))).toEqual([undefined, undefined, undefined]);
    expect(check.take(right[2])).toBe("malformed");
    // What is the same is not hashed again.
    expect(check.take(right[0])).toBeUndefined();
    expect(check.take(right[1])).toMatchObject({ body: Buffer.alloc(2 * PIECE_BYTES + 5, 7) });
  });

  test("are given up after four wrong bodies, and make the request when they are sent again", () => {
    const { check } = lab();
    const { right, wrong } = attacked();
    expect([check.take(right[0]), check.take(right[1])]).toEqual([undefined, undefined]);
    for (let fill = 1; fill <= 4; fill += 1) expect(check.take(wrong(fill)[2])).toBe("malformed");
    expect([check.take(right[2]), check.take(right[0])]).toEqual([undefined, undefined]);
    expect(check.take(right[1])).toMatchObject({ body: Buffer.alloc(2 * PIECE_BYTES + 5, 7) });
  });

  test("of two members with the same id are two requests", () => {
    const { check } = lab();
    const id = newToken();
    const [first, second] = pieces(2 * PIECE_BYTES, { id });
    const [, other] = pieces(2 * PIECE_BYTES, { id, from: `U${"B".repeat(55)}` });
    expect([check.take(first), check.take(other)]).toEqual([undefined, undefined]);
    expect(check.take(second)).toMatchObject({ head: { from: MEMBER } });
  });

  test("give their room back when the request is whole", () => {
    const { check } = lab();
    for (let count = 0; count < 40; count++) {
      const all = pieces(MIB, { digests: count % 2 === 0 ? [] : [DIGEST] });
      const outcomes = all.map((piece) => check.take(piece));
      expect(outcomes.slice(0, -1).every((outcome) => outcome === undefined)).toBe(true);
      expect(outcomes.at(-1)).toMatchObject({ body: { length: MIB } });
    }
  });

  test("have room for 16 MiB of requests, until those that are late are given up", () => {
    const { check, clock } = lab();
    const open = Array.from({ length: 17 }, () => pieces(MIB, { digests: [DIGEST] }));
    const outcomes = open.map(([first]) => check.take(first));
    expect(outcomes).toEqual([...Array.from({ length: 16 }, () => undefined), "busy"]);
    // A request of one piece needs no room.
    expect(check.take(pieces(1)[0])).toMatchObject({ body: { length: 1 } });
    clock.now = NOW + 10_000;
    expect(check.take(open[16]?.[0])).toBe("busy");
    clock.now = NOW + 10_001;
    expect(check.take(open[16]?.[0])).toBeUndefined();
  });
});

describe("a request that no key of this relay proves", () => {
  test("takes a quarter of the room of those that are proved", () => {
    const { check } = lab();
    const feigned = Array.from({ length: 20 }, () => check.take(pieces(MIB)[0]));
    expect(feigned.filter((outcome) => outcome === undefined)).toHaveLength(4);
    expect(feigned.at(-1)).toBe("busy");
    const proved = Array.from({ length: 12 }, () => check.take(pieces(MIB, { digests: [DIGEST] })[0]));
    expect(proved).toEqual(Array.from({ length: 12 }, () => undefined));
  });

  test("takes the id of none that is proved, and is executed once", () => {
    const { check } = lab();
    const id = newToken();
    const [first, second] = pieces(2 * PIECE_BYTES, { id, digests: [DIGEST] });
    const [feigned] = pieces(1, { id });
    expect(check.take(first)).toBeUndefined();
    expect(check.take(feigned)).toMatchObject({ digests: [] });
    expect(check.take(feigned)).toBe("repeated");
    expect(check.take(pieces(2 * PIECE_BYTES, { id })[0])).toBe("repeated");
    expect(check.take(second)).toMatchObject({ digests: [DIGEST] });
    expect([check.take(second), check.take(pieces(1, { id })[0])]).toEqual(["repeated", "repeated"]);
  });
});

describe("ids", () => {
  test("of requests that no key proves take no room from the others, until their deadlines", () => {
    const { check, clock } = lab();
    const feign = () => check.take(pieces(0)[0]);
    const feigned = Array.from({ length: 20_000 }, feign);
    expect(feigned.every((outcome) => typeof outcome === "object")).toBe(true);
    expect(feign()).toBe("busy");
    const prove = () => check.take(pieces(0, { digests: [DIGEST], deadline: (clock.now ?? 0) + 1 })[0]);
    expect(prove()).toMatchObject({ digests: [DIGEST] });
    clock.now = NOW + 30_001;
    expect(check.take(pieces(0, { deadline: clock.now + 1 })[0])).toMatchObject({ digests: [] });
    expect(prove()).toMatchObject({ digests: [DIGEST] });
  });
});

describe("the proofs of a request", () => {
  test("name the keys that this relay has, in the order of the credentials", () => {
    const unknown = createHash("sha256").update("no key of ours").digest("hex");
    const { check } = lab();
    const taken = check.take(pieces(1, { digests: [unknown, DIGEST] })[0]);
    expect(taken).toMatchObject({ digests: [undefined, DIGEST] });
  });

  test("are of the whole digest: a key's name alone proves nothing", () => {
    const [piece] = pieces(1, { digests: [DIGEST] });
    if (piece === undefined) throw new Error("no piece");
    const feigned = { ...piece, proofs: [{ keyId: keyIdOf(DIGEST), isBy: () => false }] };
    expect(lab().check.take(feigned)).toMatchObject({ digests: [undefined] });
  });

  test("read the keys again for one that is not known, a hundred times a second at most", () => {
    vi.useFakeTimers();
    const unknown = createHash("sha256").update("no key of ours").digest("hex");
    const { check, reads } = lab();
    const take = (digest: string) => check.take(pieces(1, { digests: [digest] })[0]);
    take(DIGEST);
    take(DIGEST);
    expect(reads).toHaveLength(1);
    for (let count = 0; count < 200; count++) take(unknown);
    expect(reads).toHaveLength(100);
    expect(take(DIGEST)).toMatchObject({ digests: [DIGEST] });
    vi.advanceTimersByTime(1000);
    for (let count = 0; count < 200; count++) take(unknown);
    expect(reads).toHaveLength(200);
  });
});
