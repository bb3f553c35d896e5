import { expect, test } from "vitest";
import type { SearchHit } from "../../../../core/protocol/history-search.ts";
import { ShellId } from "../../../../core/protocol/ids.ts";
import { freshState, restoreState } from "../../../../core/state/client-state.ts";
import { groupHits, placeOf, splitLine } from "../../../../renderer/search/results.ts";
import { sceneNamed } from "../../../../renderer/session/dev/scenes.ts";
import { groupNames } from "../../../../renderer/session/search/group-names.ts";

const scene = sceneNamed("six");
const names = groupNames({ mirror: scene.mirror, state: restoreState(scene.saved) ?? freshState });

function hit(shell: number, offset: number, line: string, more: Partial<SearchHit> = {}): SearchHit {
  const at = new Date(Date.UTC(2026, 0, 1) + offset).toISOString();
  const place = { in: "output", shellId: ShellId.parse(shell), offset } as const;
  return { ...place, at, line, from: 0, length: 1, before: [], after: [], ...more };
}

test("results are grouped by shell, the latest shell and the latest result first; a closed shell is named so", () => {
  const groups = groupHits([hit(1, 10, "a"), hit(99, 30, "b"), hit(1, 20, "c")], names);
  expect(groups.map(({ title, detail, hits }) => [title, detail, hits.map(({ line }) => line)])).toEqual([
    ["Shell 99", "closed", ["b"]],
    ["api server", expect.stringContaining("~/src/api"), ["c", "a"]],
  ]);
  const chat = { in: "chat", id: "1", at: "2026-02-01T00:00:00.000Z", line: "x", from: 0, length: 1 } as const;
  const withChat = groupHits([hit(1, 10, "a"), { ...chat, before: [], after: [] }], names);
  expect(withChat.map(({ title }) => title)).toEqual(["Chat", "api server"]);
});

test("the line of a command is shown once, not as output too", () => {
  const command = hit(1, 500, "npm test", { in: "commands", id: "1.500" });
  const lines = (hits: readonly SearchHit[]) => groupHits(hits, names)[0]?.hits.map(({ in: place }) => place);
  expect(lines([command, hit(1, 480, "~/src $ npm test")])).toEqual(["commands"]);
  // Printed later, by another shell, or long before: that is output.
  expect(lines([command, hit(1, 520, "~/src $ npm test")])).toEqual(["output", "commands"]);
  expect(groupHits([command, hit(2, 480, "$ npm test")], names)).toHaveLength(2);
  expect(lines([{ ...command, offset: 9000 }, hit(1, 480, "$ npm test")])).toHaveLength(2);
});

test("what was found is in sight in a long line", () => {
  const line = `${"x".repeat(100)} the needle and more`;
  expect(splitLine({ line, from: 105, length: 6 }, 8)).toEqual(["…xxx the ", "needle", " and more"]);
  expect(splitLine({ line: "a needle", from: 2, length: 6 }, 8)).toEqual(["a ", "needle", ""]);
});

test("equal lines of one shell are told apart by how many are later", () => {
  const all = [hit(1, 30, "same"), hit(1, 20, "same"), hit(2, 40, "same"), hit(1, 10, "same"), hit(1, 5, "other")];
  expect(all.map((one) => placeOf(one, all).later)).toEqual([0, 1, 0, 2, 0]);
});
