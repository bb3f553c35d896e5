import { expect, test } from "vitest";
import { waitingFor } from "../../../../core/protocol/waiting.ts";

const mirror = {
  agents: [
    { shellId: 1, state: "waiting" },
    { shellId: 2, state: "working" },
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
} as unknown as Parameters<typeof waitingFor>[0];

test("agents, their requests, requests for own shells, and for an admin the plugins that ask", () => {
  const of = (role: "admin" | "writer") =>
    waitingFor(mirror, { id: 1, role }).map((one) => [one.kind, "shell" in one ? one.shell : one.plugin]);
  const everyone = [
    ["agent", 1],
    ["agent-request", 5],
    ["adopt-request", 3],
  ];
  expect(of("writer")).toEqual(everyone);
  expect(of("admin")).toEqual([...everyone, ["plugin", "cost"]]);
  expect(waitingFor(mirror, undefined).map(({ kind }) => kind)).toEqual(["agent", "agent-request"]);
});
