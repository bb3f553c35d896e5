import fc from "fast-check";
import { expect, test } from "vitest";
import { applyDiff } from "../../../../core/protocol/apply-diff.ts";
import type { SessionId } from "../../../../core/protocol/ids.ts";
import { limits } from "../../../../core/protocol/limits.ts";
import type { SessionDiff, SessionMirror } from "../../../../core/protocol/mirror.ts";

const at = new Date(0).toISOString();
const empty: SessionMirror = {
  session: { id: "session-1" as SessionId, name: "default", owner: "ann", createdAt: at },
  clients: [],
  shells: [],
  chat: [],
  tunnels: [],
  agents: [],
  adoptRequests: [],
  roleRequests: [],
  questions: [],
  restrictions: { restrictShells: false, requests: [], allowed: [] },
  plugins: [],
};

const id = fc.integer({ min: 1, max: 5 });
const word = fc.string({ maxLength: 3 });
/** Diffs about few ids, so that they meet. */
const diff = fc.oneof(
  word.map((name) => ({ kind: "session", name })),
  fc.record({ id, name: word }).map((client) => ({ kind: "client", client })),
  id.map((gone) => ({ kind: "client-gone", id: gone })),
  fc.record({ id, title: word }).map((shell) => ({ kind: "shell", shell })),
  id.map((gone) => ({ kind: "shell-gone", id: gone })),
  fc.record({ id, text: word }).map((message) => ({ kind: "chat", message })),
  fc.array(fc.record({ port: id }), { maxLength: 2 }).map((tunnels) => ({ kind: "tunnels", tunnels })),
  fc.array(fc.record({ shellId: id }), { maxLength: 2 }).map((agents) => ({ kind: "agents", agents })),
  fc.record({ id, shellId: id }).map((request) => ({ kind: "adopt-request", request })),
  id.map((gone) => ({ kind: "adopt-request-gone", id: gone })),
) as fc.Arbitrary<SessionDiff>;

const fold = (mirror: SessionMirror, diffs: readonly SessionDiff[]) => diffs.reduce(applyDiff, mirror);

test("applying a diff twice is the same as applying it once", () => {
  fc.assert(
    fc.property(fc.array(diff), diff, (before, last) => {
      const once = applyDiff(fold(empty, before), last);
      expect(applyDiff(once, last)).toEqual(once);
    }),
    { numRuns: 1000 },
  );
});

test("every id occurs once, and the given mirror is not modified", () => {
  fc.assert(
    fc.property(fc.array(diff), diff, (before, last) => {
      const mirror = fold(empty, before);
      const copy = structuredClone(mirror);
      const next = applyDiff(mirror, last);
      expect(mirror).toEqual(copy);
      for (const records of [next.clients, next.shells, next.chat, next.adoptRequests]) {
        expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
      }
    }),
    { numRuns: 1000 },
  );
});

test("the chat keeps the last messages, in order", () => {
  const message = (messageId: number) =>
    ({ kind: "chat", message: { id: messageId, text: "x" } }) as unknown as SessionDiff;
  const many = Array.from({ length: limits.chatMessages + 5 }, (_, index) => message(index + 1));
  const { chat } = fold(empty, many);
  expect([chat.length, chat[0]?.id, chat.at(-1)?.id]).toEqual([limits.chatMessages, 6, limits.chatMessages + 5]);
});

test("a relay that adds records without end fills no memory: the newest stay", () => {
  const many = Array.from(
    { length: limits.mirrorRecords + 10 },
    (_, index) => ({ kind: "adopt-request", request: { id: index, shellId: 1 } }) as SessionDiff,
  );
  const { adoptRequests } = fold(empty, many);
  expect([adoptRequests.length, adoptRequests.at(-1)?.id]).toEqual([limits.mirrorRecords, limits.mirrorRecords + 9]);
});
