import { expect, test } from "vitest";
import { eachSession } from "../../../../../main/relay/session/each-session.ts";

function watching(open: string[]) {
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const stop = eachSession(
    {
      all: () => open,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    (session) => {
      if (session === "foreign") return undefined;
      said.push(`+${session}`);
      return () => said.push(`-${session}`);
    },
  );
  const changeTo = (...now: string[]) => {
    open.splice(0, open.length, ...now);
    for (const listener of listeners) listener();
  };
  return { said, stop, changeTo, listeners };
}

test("sessions that are open, and those that come, are watched once; those that go are not", () => {
  const { said, changeTo } = watching(["a", "foreign"]);
  changeTo("a", "b", "foreign");
  changeTo("b", "c");
  changeTo("a");
  expect(said).toEqual(["+a", "+b", "-a", "+c", "-b", "-c", "+a"]);
});

test("the end ends all watches and the subscription, once", () => {
  const { said, stop, listeners } = watching(["a", "b"]);
  stop();
  stop();
  expect([said, listeners.size]).toEqual([["+a", "+b", "-a", "-b"], 0]);
});
