import { expect, test } from "vitest";
import { createLink } from "../../../../core/operations/create-link.ts";

const reach = { outside: true, address: "https://studio.local:7718" };

test.each([
  ["owner", "createOwnerLink", reach],
  ["reader", "createInvite", { ...reach, role: "reader", ttl: 600, uses: 2 }],
] as const)("a link for the role %s is made by %s", async (role, operation, params) => {
  const called: unknown[] = [];
  const call = async (name: string, given: object) => {
    called.push([name, given]);
    return { id: "i1", url: "http://127.0.0.1:7717/s/a#k", expiresAt: "2030-01-01" } as never;
  };
  const link = await createLink(call, { ...reach, id: "session-0000000a", role, ttl: 600, uses: 2 });
  expect(link).toEqual({ url: "http://127.0.0.1:7717/s/a#k", expiresAt: "2030-01-01" });
  expect(called).toEqual([[operation, { session: "session-0000000a", ...params }]]);
});
