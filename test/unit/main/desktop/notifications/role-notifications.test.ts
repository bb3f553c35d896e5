import { expect, test } from "vitest";
import type { RelayEvent } from "../../../../../core/protocol/events.ts";
import { notifyAboutRoleRequests } from "../../../../../main/desktop/notifications/role-notifications.ts";

test("a request to type is notified with the name and the mark of a guest, unless its window is in front", () => {
  const told: string[] = [];
  const listeners: ((event: RelayEvent) => void)[] = [];
  let front = false;
  const client = { onEvent: (listener: (event: RelayEvent) => void) => listeners.push(listener) };
  notifyAboutRoleRequests({ id: "default", client } as unknown as Parameters<typeof notifyAboutRoleRequests>[0], {
    tell: (session, { title }) => void told.push(`${session}: ${title}`),
    inFront: () => front,
  });
  const ask = (data: object) => {
    for (const listener of listeners) listener({ type: "role.requested", data } as RelayEvent);
  };
  ask({ request: 1, from: 4, name: "Ann", guest: true, role: "writer" });
  ask({ request: 2, from: 5, name: "Ben", role: "writer" });
  front = true;
  ask({ request: 3, from: 6, name: "Cid", role: "writer" });
  expect(told).toEqual(["default: Ann (guest) asks to type", "default: Ben asks to type"]);
});
