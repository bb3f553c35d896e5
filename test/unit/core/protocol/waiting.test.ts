import { expect, test } from "vitest";
import { waitingFor } from "../../../../core/protocol/waiting.ts";

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
