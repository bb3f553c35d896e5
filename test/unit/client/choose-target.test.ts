import { describe, expect, test } from "vitest";
import { chooseDesktop, chooseSession } from "../../../client/choose-target.ts";
import type { ClientEntry } from "../../../core/protocol/records.ts";

const [one, two] = [
  { id: "s-1", name: "default" },
  { id: "s-2", name: "work" },
];
const far = { id: "s-3", name: "work", relay: "box" };
const listed = "s-1 default\ns-2 work\ns-3 box/work";

describe("a session", () => {
  test("is the only one, or the one that its id or name says", () => {
    expect(chooseSession([one], undefined)).toBe("s-1");
    for (const given of ["s-2", "work"]) expect(chooseSession([one, two], given)).toBe("s-2");
  });

  test("of another relay of the fleet is meant where none of this one is, or by the relay's name", () => {
    expect(chooseSession([one, two, far], "work")).toBe("s-2");
    expect(chooseSession([one, far], "work")).toBe("s-3");
    expect(chooseSession([one, two, far], "box/work")).toBe("s-3");
    expect(chooseSession([one, far], undefined)).toBe("s-1");
  });

  test.each([
    [[], undefined, "unknown_session", "This key's owner has no session."],
    [[], "x", "unknown_session", "This key's owner has no session."],
    [[one, two, far], "x", "unknown_session", `No session is called "x". There are:\n${listed}`],
    [
      [one, two, far],
      undefined,
      "invalid_request",
      `Several sessions are open, and none was named: choose one with --session or SERVICE_SESSION.\n${listed}`,
    ],
    [
      [two, { id: "s-4", name: "work" }],
      "work",
      "invalid_request",
      "Several sessions fit: choose one by its id.\ns-2 work\ns-4 work",
    ],
  ])("is not chosen among %j by %j", (sessions, given, code, message) => {
    expect(() => chooseSession(sessions, given)).toThrow(expect.objectContaining({ code, message }));
  });
});

describe("the desktop client", () => {
  const client = (id: number, clientKind: "desktop" | "browser") =>
    ({ id, name: "ann", clientKind, device: `device ${id}` }) as ClientEntry;

  test("is the only one, beside any browsers", () => {
    expect(chooseDesktop([client(1, "browser"), client(2, "desktop")])).toBe(2);
  });

  test.each([
    [[client(1, "browser")], "unknown_client", "No desktop client is connected:\n1 ann browser device 1"],
    [
      [client(1, "desktop"), client(2, "desktop")],
      "ambiguous_client",
      "Several desktop clients are connected:\n1 ann desktop device 1\n2 ann desktop device 2",
    ],
  ])("is not chosen among %j", (clients, code, message) => {
    expect(() => chooseDesktop(clients)).toThrow(expect.objectContaining({ code, message }));
  });
});
