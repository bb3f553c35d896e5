import { expect, test } from "vitest";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import { groupEntries } from "../../../../../renderer/tray/activity/group-entries.ts";

function entry(id: number, minute: number, parts: Partial<AuditEntry> = {}): AuditEntry {
  return {
    ...{ id, at: new Date(Date.UTC(2026, 2, 14, 14, minute)).toISOString(), kind: "call", who: "Mira" },
    ...{ credential: "guest", from: "127.0.0.1", session: "s", action: "writeShell", params: { shell: 2 } },
    ...{ outcome: "ok", client: 1, durationMs: 2, count: 1 },
    ...parts,
  };
}
const ids = (entries: readonly AuditEntry[]) => groupEntries(entries).map((group) => group.entries.map(({ id }) => id));

test("neighbours that say the same are one, whatever was typed and however large the shell is", () => {
  const groups = groupEntries([
    entry(3, 12, { params: { shell: 2, data: "(7 characters)" }, count: 4 }),
    entry(2, 10, { params: { shell: 2, data: "(1 characters)" } }),
    entry(1, 9),
  ]);
  expect(groups).toMatchObject([{ newest: { id: 3 }, oldest: { id: 1 }, count: 6 }]);
});

test.each<[string, Partial<AuditEntry>]>([
  ["another caller", { who: "Lin" }],
  ["another shell", { params: { shell: 3 } }],
  ["another outcome", { outcome: "role_forbids" }],
  ["another session", { session: "t" }],
])("%s begins another group", (_, parts) => {
  expect(ids([entry(3, 12), entry(2, 12, parts), entry(1, 12)])).toEqual([[3], [2], [1]]);
});

test("a pause begins another group", () => {
  expect(ids([entry(3, 20), entry(2, 16), entry(1, 10)])).toEqual([[3, 2], [1]]);
});
