import { expect, test } from "vitest";
import type { ClientRecord } from "../../../../../core/protocol/records.ts";
import { peopleOf } from "../../../../../renderer/tray/now/people.ts";
import { panelClient, panelSession } from "../../../../support/render-panel.tsx";

const client = (id: number, name: string) => panelClient({ id, name });
const app = client(1, "root");
const session = (...others: ClientRecord[]) => panelSession({ self: 1, clients: [...others, app] });
const names = (...sessions: ReturnType<typeof session>[]) => peopleOf(sessions).map(({ client }) => client.name);

test("the user of the app is one person in any number of sessions, and the first", () => {
  expect(names()).toEqual([]);
  expect(names(...Array.from({ length: 40 }, () => session()))).toEqual(["root"]);
  expect(names(session(client(2, "Ann")))).toEqual(["root", "Ann"]);
});

test("a guest in two sessions counts once, and two guests of one name in a session count twice", () => {
  const guests = [client(3, "guest on Chrome on Linux"), client(4, "guest on Chrome on Linux")];
  expect(names(session(client(2, "Ann")), session(client(9, "Ann")))).toEqual(["root", "Ann"]);
  expect(names(session(client(2, "Ann"), ...guests), session()).length).toBe(4);
});
