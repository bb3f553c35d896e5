import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { SignsOfWork, UNSUPPORTED_AFTER_MS, withoutSupport } from "../../../../main/agents/signs-of-work.ts";

const told = { source: "title", status: "working", detail: "⠋ proj", at: 1000 } as const;

test("what nothing supports any more is unknown, and says what was told last", () => {
  expect(withoutSupport(told, 5000, 5000 + UNSUPPORTED_AFTER_MS - 1)).toBe(told);
  expect(withoutSupport(told, 5000, 5000 + UNSUPPORTED_AFTER_MS)).toEqual({
    source: "screen",
    status: "unknown",
    detail: "nothing has shown work for 30 s; title said: ⠋ proj",
    at: 5000 + UNSUPPORTED_AFTER_MS,
  });
  const idle = { ...told, status: "idle" } as const;
  expect(withoutSupport(idle, 0, 1_000_000)).toBe(idle);
});

test("only a terminal from which nothing comes is looked at, and a change there is a sign of work", async () => {
  let now = 0;
  let text = "a";
  let looks = 0;
  let toldAt: number | undefined = 0;
  const shown: number[] = [];
  const agent = {
    session: SessionId.parse("session-one"),
    shellId: ShellId.parse(1),
    found: { id: "1/2" },
    get toldToWorkAt() {
      return toldAt;
    },
    showsWork: (at: number) => shown.push(at),
  };
  const signs = new SignsOfWork({
    clock: { now: () => now },
    screen: async () => {
      looks += 1;
      return text;
    },
  });
  const look = (at: number) => {
    now = at;
    return signs.look([agent]);
  };
  await look(4000);
  expect(looks).toBe(0);
  await look(5000);
  await look(6000);
  expect([looks, shown]).toEqual([1, []]);
  text = "b";
  await look(10_000);
  await look(15_000);
  expect([looks, shown]).toEqual([3, [10_000]]);
  // A title that was repeated is enough.
  toldAt = 19_000;
  await look(20_000);
  toldAt = undefined;
  await look(60_000);
  expect(looks).toBe(3);
});

test("a screen that cannot be read shows nothing against the agent", async () => {
  const shown: number[] = [];
  const agent = {
    session: SessionId.parse("session-one"),
    shellId: ShellId.parse(1),
    found: { id: "1/2" },
    toldToWorkAt: 0,
    showsWork: (at: number) => shown.push(at),
  };
  await new SignsOfWork({ clock: { now: () => 9000 } }).look([agent]);
  await new SignsOfWork({ clock: { now: () => 9000 }, screen: () => Promise.reject(new Error("gone")) }).look([agent]);
  expect(shown).toEqual([9000, 9000]);
});
