import { expect, test } from "vitest";
import type { Receipt } from "../../../../core/protocol/receipts.ts";
import { queueGroups } from "../../../../renderer/tray/queue-groups.ts";

const receipt = (id: number, shellId: number, state: Receipt["state"], more: Partial<Receipt> = {}) =>
  ({ id, shellId, session: "a", agentType: "claude", state, final: false, reason: null, ...more }) as Receipt;
const ended = { final: true } as const;

test("prompts are grouped by shell, those that wait in the order given, those that did not arrive newest first", () => {
  const groups = queueGroups([
    receipt(1, 1, "expired", ended),
    receipt(5, 1, "written"),
    receipt(4, 1, "queued"),
    receipt(2, 1, "queued"),
    receipt(3, 1, "uncertain"),
    receipt(6, 2, "queued"),
  ]);
  const ids = groups.map(({ waiting, undelivered }) => [waiting, undelivered].map((list) => list.map(({ id }) => id)));
  expect(ids).toEqual([
    [
      [5, 4, 2],
      [3, 1],
    ],
    [[6], []],
  ]);
});

test("what arrived or was cancelled is left out, and so is a shell that has nothing else", () => {
  expect(
    queueGroups([
      receipt(1, 1, "started", ended),
      receipt(2, 1, "refused", { ...ended, reason: "cancelled" }),
      receipt(3, 2, "refused", { ...ended, reason: "question_open" }),
    ]).map(({ shellId }) => shellId),
  ).toEqual([2]);
});
