import { expect, test } from "vitest";
import { waitingFor } from "../../../../core/protocol/waiting.ts";

const mirror = {
  agents: [
    { shellId: 1, state: "waiting" },
    { shellId: 2, state: "working" },
  ],
  questions: [
    { shellId: 1, state: "open" },
    { shellId: 2, state: "answered" },
    { shellId: 6, state: "open" },
    { shellId: 6, state: "open" },
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

test("agents and their questions once a shell, their requests, requests for own shells, and for an admin people who ask to type and plugins that ask", () => {
  const of = (role: "admin" | "writer") =>
    waitingFor(mirror, { id: 1, role }).map((one) => {
      if ("plugin" in one) return [one.kind, one.plugin];
      return [one.kind, "shell" in one ? one.shell : one.request];
    });
  const everyone = [
    ["agent", 1],
    ["agent", 6],
    ["agent-request", 5],
    ["adopt-request", 3],
  ];
  expect(of("writer")).toEqual(everyone);
  expect(of("admin")).toEqual([...everyone, ["role-request", 9], ["plugin", "cost"]]);
  expect(waitingFor(mirror, undefined).map(({ kind }) => kind)).toEqual(["agent", "agent", "agent-request"]);
});

test("a guest, whatever their role, is not asked who may type", () => {
  expect(waitingFor(mirror, { id: 2, role: "admin" }).map(({ kind }) => kind)).not.toContain("role-request");
});
