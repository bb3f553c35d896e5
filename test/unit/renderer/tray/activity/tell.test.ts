import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../../../../../core/protocol/audit.ts";
import { actorOf, isNoise, kindsOf, type Names, tell } from "../../../../../renderer/tray/activity/tell.ts";
import { plainText } from "../../../../../renderer/ui/sentence.ts";

const people: Readonly<Record<string, string>> = { 4: "Lin", "9f2c4e61a0b3": "Kai" };
const names: Names = {
  user: "ann",
  shell: (_session, id) => (id === 2 ? "tests" : undefined),
  person: (_session, id) => people[id],
};

function entry(parts: Partial<AuditEntry>): AuditEntry {
  return {
    ...{ id: 1, at: "2026-03-14T14:20:00.000Z", kind: "call", who: "Mira", credential: "guest", from: "127.0.0.1" },
    ...{ session: "session-0000000a", action: "", params: {}, outcome: "ok", client: 1, durationMs: 2, count: 1 },
    ...parts,
  };
}
const said = (parts: Partial<AuditEntry>, time?: string) => {
  const one = entry(parts);
  return plainText(tell(one, names, actorOf(one, names), time));
};

describe("an entry is a sentence", () => {
  test.each<[string, Partial<AuditEntry>]>([
    ["Mira typed into tests", { action: "writeShell", params: { shell: 2, data: "(1 characters)" } }],
    ["Mira closed a shell", { action: "closeShell", params: { shell: 9 } }],
    [
      "You set the budget of each day to $1.00",
      { action: "setBudgets", who: "ann", credential: "user", params: { day: 1 } },
    ],
    [
      "You removed the budget of each day",
      { action: "setBudgets", who: "ann", credential: "user", params: { day: null } },
    ],
    [
      "You set the budgets: each day $1.00, each session $2.00",
      { action: "setBudgets", who: "ann", credential: "user", params: { day: 1, session: 2 } },
    ],
    [
      "You set the budgets: each day no limit, each session $2.00",
      { action: "setBudgets", who: "ann", credential: "user", params: { day: null, session: 2 } },
    ],
    ["Mira let an agent control the session", { action: "answerAgent", params: { request: 1, answer: "once" } }],
    ["Mira let an agent control the session", { action: "answerAgent", params: { request: 1, answer: "always" } }],
    ["Mira kept an agent from controlling the session", { action: "answerAgent", params: { answer: "no" } }],
    ["Mira gave Lin the role can type", { action: "changeRole", params: { client: 4, role: "writer" } }],
    ["Mira gave somebody the role can type", { action: "changeRole", params: { client: 5, role: "writer" } }],
    [
      "Mira gave Kai the role can watch",
      { action: "changeGuestRole", params: { guest: "9f2c4e61a0b3", role: "reader" } },
    ],
    ["Mira disconnected Lin", { action: "disconnectClient", params: { client: 4 }, outcome: "role_forbids" }],
    ["Mira disconnected somebody", { action: "disconnectClient", params: { client: 5 } }],
    ["Mira removed Kai", { action: "removeGuest", params: { guest: "9f2c4e61a0b3" }, outcome: "scope_forbids" }],
    ["Mira removed a guest", { action: "removeGuest", params: { guest: "0" } }],
    [
      "You set “Font size” to 15",
      { action: "setSetting", who: "ann", credential: "user", params: { name: "font-size", value: "15" } },
    ],
    [
      "The key “ci” made an invite: can watch",
      { action: "createInvite", who: "ci", credential: "key", params: { role: "reader" } },
    ],
    [
      "A program in tests ran a command in tests",
      { action: "runCommand", who: "shell 2", credential: "shell", params: { id: 2 } },
    ],
    [
      "A policy answered claude: Bash: npm test",
      {
        action: "answerQuestion",
        who: "policy 3",
        credential: "none",
        params: { id: 1, policy: 3, agentType: "claude", title: "Bash: npm test" },
      },
    ],
    ["Mira answered an agent with “yes”", { action: "answerQuestion", params: { id: 1, option: "yes" } }],
    ["Mira answered an agent in words", { action: "answerQuestion", params: { id: 1, text: "(9 characters)" } }],
    ["You let a program log in", { action: "answerLogin", who: "ann", credential: "user", params: { allow: true } }],
    ["Mira came in from 192.0.2.7", { kind: "authentication", from: "192.0.2.7" }],
    [
      "Somebody without a valid key was turned away: 192.0.2.7",
      { kind: "authentication", who: null, credential: "none", outcome: "unauthorized", from: "192.0.2.7" },
    ],
    // Any other procedure has its summary, and what is none its own name.
    ["Mira: Swap two tiles, also between workspaces", { action: "swapTiles" }],
    ["Somebody: GET /v1/nothing", { action: "GET /v1/nothing", who: null, credential: "none" }],
  ])("%s", (sentence, parts) => {
    expect(said(parts)).toBe(sentence);
  });

  test("with how long it went on", () => {
    expect(said({ action: "writeShell", params: { shell: 2 } }, "3 min")).toBe("Mira typed into tests for 3 min");
  });

  test("of a guest with the user's name, who is not the user", () => {
    expect(actorOf(entry({ who: "ann" }), names)).toBe("ann");
    expect(actorOf(entry({ who: "ann", credential: "token" }), names)).toBe("You");
  });
});

test.each<[Partial<AuditEntry>, readonly string[]]>([
  [{ action: "answerQuestion" }, ["answers"]],
  [{ action: "changeRole" }, ["people"]],
  [{ kind: "authentication", outcome: "unauthorized" }, ["people", "failures"]],
  [{ action: "setBudgets", outcome: "scope_forbids" }, ["changes", "failures"]],
])("%j is listed under %j", (parts, kinds) => {
  expect(kindsOf(entry(parts))).toEqual(kinds);
});

test("the user's own keys and every resize are noise; what others type and what failed is none", () => {
  const mine = { who: "ann", credential: "user" } as const;
  expect(isNoise(entry({ action: "writeShell", ...mine }), names)).toBe(true);
  expect(isNoise(entry({ action: "resizeShell" }), names)).toBe(true);
  expect(isNoise(entry({ action: "writeShell" }), names)).toBe(false);
  expect(isNoise(entry({ action: "resizeShell", outcome: "role_forbids" }), names)).toBe(false);
});
