import { expect, test } from "vitest";
import type { ClientRecord } from "../../../../core/protocol/records.ts";
import { peopleIn } from "../../../../renderer/tray/panel-summary.ts";

const client = (id: number, name: string) => ({ id, name }) as ClientRecord;
const app = client(1, "root");
const session = (...others: ClientRecord[]) => ({ self: 1, clients: [app, ...others] });

test("the user of the app is one person in any number of sessions", () => {
  expect(peopleIn([])).toBe(0);
  expect(peopleIn([session()])).toBe(1);
  expect(peopleIn(Array.from({ length: 40 }, () => session()))).toBe(1);
});

test("a guest in two sessions counts once, and two guests of one name in a session count twice", () => {
  const ann = client(2, "Ann");
  const guests = [client(3, "guest on Chrome on Linux"), client(4, "guest on Chrome on Linux")];
  expect(peopleIn([session(ann), session(client(9, "Ann"))])).toBe(2);
  expect(peopleIn([session(ann, ...guests), session()])).toBe(4);
});

test("a session that the app has not joined yet has only its other people", () => {
  expect(peopleIn([{ self: undefined, clients: [client(5, "Lin")] }])).toBe(1);
});
