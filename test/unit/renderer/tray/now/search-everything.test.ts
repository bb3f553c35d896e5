import { expect, test } from "vitest";
import type { SearchHit } from "../../../../../core/protocol/history-search.ts";
import { searchSessions } from "../../../../../renderer/tray/now/search-everything.ts";

const wanted = { query: "needle", limit: 50 };
const found: SearchHit = {
  ...{ in: "chat", id: "1", at: "2026-01-01T10:00:00.000Z", line: "a needle", from: 2, length: 6 },
  ...{ before: [], after: [] },
};

test("a few sessions are asked at a time; conversations are asked for once", async () => {
  let [open, most] = [0, 0];
  const places: string[] = [];
  const sessions = Array.from({ length: 20 }, (_, at) => `s${at}`);
  const answer = await searchSessions(
    async ({ session, in: place }) => {
      open += 1;
      most = Math.max(most, open);
      places.push(`${session} ${place}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open -= 1;
      return { hits: [found], complete: true };
    },
    sessions,
    wanted,
  );
  expect(most).toBe(4);
  expect(places.filter((place) => place.endsWith("everything"))).toEqual(["s0 everything"]);
  expect(answer.hits.map(({ session }) => session)).toEqual(sessions);
  expect(answer.complete).toBe(true);
});

test("a session that cannot be searched costs the others nothing; where none can be, the reason is told", async () => {
  const ask = async ({ session }: { readonly session: string }) => {
    if (session !== "b") throw new Error(`${session} was closed.`);
    return { hits: [found], complete: false };
  };
  expect(await searchSessions(ask, ["a", "b", "c"], wanted)).toEqual({
    hits: [{ ...found, session: "b" }],
    complete: false,
  });
  await expect(searchSessions(ask, ["a", "c"], wanted)).rejects.toThrow("a was closed.");
  expect(await searchSessions(ask, [], wanted)).toEqual({ hits: [], complete: true });
});
