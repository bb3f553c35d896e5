import { expect, test } from "vitest";
import { slicesOf, usageCsv } from "../../../../core/protocol/usage.ts";

const row = (sessionId: string, cost: number, from = "2026-03-14") => ({
  from,
  sessionId,
  agentType: "claude",
  model: "m",
  calls: 1,
  input: 10,
  output: 2,
  cached: 3,
  cost,
});

test("rows of agents are summed by the session in which they ran", () => {
  const homes = new Map([
    ["a1", { session: "api", folder: "/api" }],
    ["a2", { session: "api", folder: "/api" }],
  ]);
  const slices = slicesOf([row("a1", 1), row("a2", 2), row("gone", 4)], (id) => homes.get(id));
  expect(slices.map(({ session, folder, cost, calls, input }) => [session, folder, cost, calls, input])).toEqual([
    ["api", "/api", 3, 2, 20],
    ["", "", 4, 1, 10],
  ]);
});

test("the export quotes what CSV needs quoted, and starts no formula", () => {
  const [slice] = slicesOf([row("a", 0.5)], () => ({ session: '=1+1,"x"', folder: "/a" }));
  if (slice === undefined) throw new Error("one row makes one slice");
  expect(usageCsv([slice])).toBe(
    'from,session,folder,agentType,model,calls,input,output,cached,cost\r\n2026-03-14,"\'=1+1,""x""",/a,claude,m,1,10,2,3,0.5\r\n',
  );
});
