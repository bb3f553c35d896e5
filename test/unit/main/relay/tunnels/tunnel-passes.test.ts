import { expect, test } from "vitest";
import { SessionId } from "../../../../../core/protocol/ids.ts";
import { TunnelPasses } from "../../../../../main/relay/tunnels/tunnel-passes.ts";

const place = { session: SessionId.parse("session-1"), port: 3000 };

test("one guest who takes passes without end costs no other guest a pass", () => {
  const passes = new TunnelPasses();
  const issueTo = (holder: string) => passes.issue({ ...place, holder, isValid: () => true });
  const isGood = (pass: string) => passes.cookie(pass, place) !== undefined;
  const ann = issueTo("ann");
  const taken = Array.from({ length: 1500 }, () => issueTo("mallory"));
  const bob = issueTo("bob");
  expect([ann, bob].map(isGood)).toEqual([true, true]);
  expect(taken.map(isGood).indexOf(true)).toBe(502);
  expect(taken.filter(isGood)).toHaveLength(998);
});
