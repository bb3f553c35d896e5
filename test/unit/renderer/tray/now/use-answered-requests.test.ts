import { expect, test } from "vitest";
import { withAnswered } from "../../../../../renderer/tray/now/use-answered-requests.ts";
import type { RequestItem } from "../../../../../renderer/tray/now/wait-items.ts";

const request = (key: string): RequestItem => ({ kind: "budget", key, over: 1 });
const kept = (key: string, at: number) => ({ request: request(key), at, answer: "Yes", state: "taken" as const });

test.each<[string, string[], [string, number][], string[]]>([
  ["what waits alone", ["a", "b"], [], ["a", "b"]],
  ["an answered one that is still told, in its place", ["a", "b"], [["b", 1]], ["a", "b!"]],
  ["an answered one that is gone, where it was", ["a", "c"], [["b", 1]], ["a", "b!", "c"]],
  [
    "two that are gone, in their order",
    ["b"],
    [
      ["c", 2],
      ["a", 0],
    ],
    ["a!", "b", "c!"],
  ],
  ["one whose place is beyond the end", ["a"], [["z", 7]], ["a", "z!"]],
])("%s", (_what, waiting, answered, expected) => {
  const listed = withAnswered(
    waiting.map(request),
    answered.map(([key, at]) => kept(key, at)),
  );
  expect(listed.map((one) => `${one.request.key}${one.answered === undefined ? "" : "!"}`)).toEqual(expected);
});
