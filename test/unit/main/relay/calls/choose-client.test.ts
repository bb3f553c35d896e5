import { describe, expect, test } from "vitest";
import type { RemoteError } from "../../../../../core/protocol/errors.ts";
import type { ClientId } from "../../../../../core/protocol/ids.ts";
import {
  type Candidate,
  chooseClient,
  chooseExecutor,
  type ExecutorCandidate,
} from "../../../../../main/relay/calls/choose-client.ts";

const id = (value: number) => value as ClientId;
const desk: Candidate = { id: id(1), name: "ann", clientKind: "desktop", device: "laptop", lastActive: 1 };
const early: Candidate = { id: id(2), name: "bob", clientKind: "browser", device: "Firefox", lastActive: 5 };
const late: Candidate = { id: id(3), name: "eve", clientKind: "browser", device: "Safari", lastActive: 9 };

const groups = { none: [], desk: [desk], page: [late], pages: [early, late], all: [early, late, desk] };

/** The routing order of docs/decisions/0002: connected clients, the request, and the client that executes it or the error. */
const table: [
  keyof typeof groups,
  explicit: number | undefined,
  owner: number | undefined,
  client: string,
  session: string,
][] = [
  ["none", undefined, undefined, "no_client", "no_client"],
  ["none", undefined, 1, "no_client", "no_client"],
  ["none", 1, undefined, "unknown_client", "unknown_client"],
  ["desk", undefined, undefined, "1", "1"],
  ["desk", undefined, 9, "1", "1"],
  ["desk", 1, 9, "1", "1"],
  ["desk", 0, undefined, "unknown_client", "unknown_client"],
  ["desk", 9, 1, "unknown_client", "unknown_client"],
  ["page", undefined, undefined, "3", "3"],
  ["pages", undefined, undefined, "ambiguous_client", "3"],
  ["pages", undefined, 2, "2", "2"],
  ["pages", undefined, 9, "ambiguous_client", "3"],
  ["pages", 2, 3, "2", "2"],
  ["pages", 9, 3, "unknown_client", "unknown_client"],
  ["all", undefined, undefined, "ambiguous_client", "1"],
  ["all", undefined, 2, "2", "2"],
  ["all", undefined, 9, "ambiguous_client", "1"],
  ["all", 3, undefined, "3", "3"],
  ["all", 3, 2, "3", "3"],
  ["all", 9, 2, "unknown_client", "unknown_client"],
];

const chooseBy = "?client=";

describe.each(["client", "session"] as const)("scope %s", (scope) => {
  test.each(table)("%s connected, client %s, shell's owner %s", (group, explicit, owner, forClient, forSession) => {
    const shellOwner = owner === undefined ? undefined : id(owner);
    const choose = () => String(chooseClient(groups[group], { explicit, shellOwner, scope, chooseBy }).id);
    const outcome = attempt(choose);
    expect(outcome).toBe(scope === "client" ? forClient : forSession);
  });
});

test("the refusals name the clients", () => {
  const wanted = { explicit: undefined, shellOwner: undefined, scope: "client", chooseBy } as const;
  expect(() => chooseClient(groups.all, wanted)).toThrow(
    "choose one with ?client=.\n2 bob browser Firefox\n3 eve browser Safari\n1 ann desktop laptop",
  );
  expect(() => chooseClient(groups.pages, { ...wanted, explicit: 7 })).toThrow(
    "Client 7 is not connected. Connected: 2, 3.",
  );
  expect(() => chooseClient([], { ...wanted, explicit: 7 })).toThrow("Connected: none.");
});

const own = (candidate: Candidate): ExecutorCandidate => ({ ...candidate, guest: false });
const guest = (candidate: Candidate): ExecutorCandidate => ({ ...candidate, guest: true });
const rooms = {
  guest: [guest(late)],
  guests: [guest(early), guest(late)],
  mixed: [own(early), guest(late)],
  desk: [own(desk), own(early), guest(late)],
};

/** Connected clients, the request, and who executes it: a client, the relay in its name, or the relay for the owner. */
const executors: [
  room: keyof typeof rooms,
  wanted: { explicit?: number; owner?: number; caller?: number },
  screen: string,
  session: string,
][] = [
  ["guest", {}, "client 3", "relay"],
  ["guest", { explicit: 3 }, "client 3", "relay for 3"],
  ["guest", { owner: 3 }, "client 3", "relay"],
  ["guest", { owner: 3, caller: 3 }, "client 3", "relay for 3"],
  ["guest", { owner: 9, caller: 3 }, "client 3", "relay"],
  ["guest", { explicit: 9 }, "unknown_client", "unknown_client"],
  ["guests", {}, "ambiguous_client", "relay"],
  ["guests", { owner: 2 }, "client 2", "relay"],
  ["mixed", {}, "ambiguous_client", "relay for 2"],
  ["mixed", { explicit: 3 }, "client 3", "relay for 3"],
  ["mixed", { owner: 3 }, "client 3", "relay for 2"],
  ["mixed", { owner: 3, caller: 3 }, "client 3", "relay for 3"],
  ["desk", {}, "ambiguous_client", "relay for 1"],
  ["desk", { owner: 2 }, "client 2", "relay for 2"],
];

describe.each(["client", "session"] as const)("with guests, scope %s", (scope) => {
  test.each(executors)("%s connected, %o", (room, { explicit, owner, caller }, onScreen, forSession) => {
    const outcome = attempt(() => {
      const chosen = chooseExecutor(rooms[room], {
        explicit,
        shellOwner: owner === undefined ? undefined : id(owner),
        callingGuest: caller === undefined ? undefined : id(caller),
        scope,
        onScreen: scope === "client",
        chooseBy,
      });
      if (chosen.by === "client") return `client ${chosen.client?.id}`;
      return chosen.client === undefined ? "relay" : `relay for ${chosen.client.id}`;
    });
    expect(outcome).toBe(scope === "client" ? onScreen : forSession);
  });
});

test("a command that opens a tile is executed by a guest's client that is named, and by no other", () => {
  const wanted = {
    shellOwner: undefined,
    callingGuest: undefined,
    scope: "session",
    onScreen: true,
    chooseBy,
  } as const;
  expect(chooseExecutor(rooms.guest, { ...wanted, explicit: 3 })).toMatchObject({ by: "client", client: { id: 3 } });
  const unnamed = { ...wanted, explicit: undefined };
  expect(chooseExecutor(rooms.guest, unnamed)).toMatchObject({ by: "relay", client: { id: 3 } });
  expect(chooseExecutor(rooms.guests, unnamed)).toEqual({ by: "relay", client: undefined });
});

function attempt(choose: () => string): string {
  try {
    return choose();
  } catch (error) {
    return (error as RemoteError).code;
  }
}
