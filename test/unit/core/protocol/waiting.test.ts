import { expect, test } from "vitest";
import { adoptRequestsFor, waitingFor } from "../../../../core/protocol/waiting.ts";

const mirror = {
  agents: [
    { shellId: 1, state: "waiting" },
    { shellId: 2, state: "working" },
    { shellId: 8, state: "waiting" },
  ],
  questions: [
    { id: 1, shellId: 1, state: "open" },
    { id: 2, shellId: 2, state: "answered", receipt: { state: "unconfirmed" } },
    { id: 3, shellId: 6, state: "open" },
    { id: 4, shellId: 6, state: "open" },
  ],
  adoptRequests: [
    { id: 7, shellId: 3, to: 1 },
    { id: 8, shellId: 4, to: 2 },
  ],
  restrictions: { restrictShells: false, requests: [{ id: 1, shellId: 5 }], allowed: [] },
  plugins: [
    { id: "cost", asks: true },
    { id: "light", asks: false },
  ],
  clients: [{ id: 1 }, { id: 2, guest: true }],
  roleRequests: [{ id: 9 }],
} as unknown as Parameters<typeof waitingFor>[0];

test("open questions, agents that wait without one, their requests, requests for own shells, and for an admin people who ask to type and plugins that ask", () => {
  const of = (role: "admin" | "writer") =>
    waitingFor(mirror, { id: 1, role }).map((one) => {
      if ("plugin" in one) return [one.kind, one.plugin];
      return [one.kind, "shell" in one ? one.shell : one.request];
    });
  const everyone = [
    ["question", 1],
    ["question", 6],
    ["question", 6],
    ["agent", 8],
    ["agent-request", 5],
    ["adopt-request", 3],
  ];
  expect(of("writer")).toEqual(everyone);
  expect(of("admin")).toEqual([...everyone, ["role-request", 9], ["plugin", "cost"]]);
  expect(waitingFor(mirror, undefined).map(({ kind }) => kind)).toEqual(everyone.slice(0, -1).map(([kind]) => kind));
});

test("a guest, whatever their role, is not asked who may type", () => {
  expect(waitingFor(mirror, { id: 2, role: "admin" }).map(({ kind }) => kind)).not.toContain("role-request");
});

test("a request for a shell whose own client nobody can look at is shown to the session's owner, and to no guest", () => {
  const screen = { clientKind: "browser", device: "Firefox" };
  const requests = {
    clients: [
      { id: 1, ...screen },
      { id: 2, guest: true, ...screen },
      { id: 3, clientKind: "desktop", device: "headless" },
      { id: 4, ...screen },
    ],
    adoptRequests: [
      { id: 10, to: 1 },
      { id: 11, to: 2 },
      { id: 12, to: 3 },
      { id: 13, to: 99 },
    ],
  } as unknown as Parameters<typeof adoptRequestsFor>[0];
  const shown = (id: number, role: "admin" | "writer" = "admin") =>
    adoptRequestsFor(requests, { id, role }).map((request) => request.id);
  expect(shown(1)).toEqual([10, 12, 13]);
  expect(shown(4)).toEqual([12, 13]);
  expect(shown(2)).toEqual([11]);
  expect(shown(3)).toEqual([12, 13]);
  expect(shown(4, "writer")).toEqual([]);
});
