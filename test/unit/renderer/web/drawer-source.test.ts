// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { drawerOfGuest } from "../../../../renderer/web/drawer-source.ts";
import { guestPage } from "../../../support/guest-page.ts";

test("the drawer of a guest counts what waits in the session, and tells when that changes", () => {
  const { client, change } = guestPage();
  const { waiting, isOfSession } = drawerOfGuest(client);
  const counts: unknown[] = [];
  const stop = waiting.subscribe(() => counts.push(waiting.get()));
  expect([waiting.get(), isOfSession]).toEqual([1, true]);
  change({ questions: [] });
  stop();
  change({ agents: [] });
  expect(counts).toEqual([0]);
});
