import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FleetStatus } from "../../../../core/protocol/fleet.ts";
import { Finding } from "../../../../core/protocol/health.ts";
import type { PriceListStatus } from "../../../../core/protocol/prices.ts";
import { healthChecks } from "../../../../main/entry/health-checks.ts";

test("the relay runs the checks of `service doctor` itself, asks nobody for a key, and shares a run", async () => {
  const data = mkdtempSync(join(tmpdir(), "patchbay-health-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const off: FleetStatus = {
    ...{ state: "off", broker: null, owner: null, name: null, problem: null },
    ...{ members: [], conflicts: [] },
  };
  const prices = vi.fn(() => ({ list: "built in", date: "2026-01-01", unpriced: [] }) as unknown as PriceListStatus);
  const checks = healthChecks(data, { SERVICE_TOKEN: "pb_none" });
  const relay = { prices, fleet: () => off };
  const [findings, again] = await Promise.all([checks(relay), checks(relay)]);
  expect(again).toBe(findings);
  expect(prices).toHaveBeenCalledOnce();
  const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.found;
  expect(stateOf("prices")).toBe("Every model in use has a price (built in, 2026-01-01).");
  expect(stateOf("fleet")).toBe("The relay is in no fleet.");
  expect(findings.map(({ check }) => check)).toContain("data folder");
  expect(Finding.array().safeParse(findings).success).toBe(true);
  expect(await checks(relay)).not.toBe(findings);
});
