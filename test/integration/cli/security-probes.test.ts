import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { probeRelay } from "../../../cli/doctor/security-probes.ts";
import { startTestRelay } from "../../support/test-relay.ts";

test("the real relay holds against every attack of `doctor --security`, and works afterwards", async () => {
  await using relay = await startTestRelay();
  const findings = await probeRelay(relay.url);
  expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(findings.length).toBeGreaterThan(8);
  expect((await relay.request("GET", "/v1/sessions")).status).toBe(200);
  expect(relay.errors).toEqual([]);
});

test("a server that lets everybody in is found out", async () => {
  const careless = createServer((_request, response) => response.end("ok"));
  await new Promise<void>((resolve) => careless.listen(0, "127.0.0.1", resolve));
  try {
    const findings = await probeRelay(`http://127.0.0.1:${(careless.address() as AddressInfo).port}`);
    const broken = findings.filter(({ state }) => state === "problem").map(({ check }) => check);
    expect(broken).toEqual(
      expect.arrayContaining(["foreign Host (DNS rebinding)", "foreign Origin (a web page)", "no key"]),
    );
  } finally {
    careless.closeAllConnections();
    await new Promise((resolve) => careless.close(resolve));
  }
});
