import { resourceFromAttributes } from "@opentelemetry/resources";
import { DataPointType } from "@opentelemetry/sdk-metrics";
import { expect, test } from "vitest";
import { Metrics } from "../../../../../main/relay/metrics/metrics.ts";
import { RegistryProducer } from "../../../../../main/relay/telemetry/registry-producer.ts";

async function collected(record: (metrics: Metrics) => void) {
  using metrics = new Metrics({
    sessions: { all: () => [] },
    version: "1.2.3",
    storeBytes: () => 4096,
    fleetMembers: () => 0,
    stalls: () => ({ count: 2, longestMs: 1500 }),
  });
  record(metrics);
  const producer = new RegistryProducer({ read: () => metrics.json(), resource: resourceFromAttributes({}) });
  const { resourceMetrics } = await producer.collect();
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  return (name: string) => all.find(({ descriptor }) => descriptor.name === name);
}

test("a histogram counts each value in one bucket, by its labels", async () => {
  const metric = await collected((metrics) => {
    for (const seconds of [0.0001, 0.002, 0.002, 500]) metrics.command("getTiles", "ok", seconds);
    metrics.command("getTiles", "timeout", 0.7);
  });
  const found = metric("patchbay_command_duration_seconds");
  expect(found).toMatchObject({ descriptor: { unit: "s" }, dataPointType: DataPointType.HISTOGRAM });
  expect(found?.dataPoints).toMatchObject([
    {
      attributes: { method: "getTiles", outcome: "ok" },
      value: {
        buckets: {
          boundaries: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 30, 300],
          counts: [1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        },
        count: 4,
        sum: 500.0041,
      },
    },
    { attributes: { outcome: "timeout" }, value: { count: 1, sum: 0.7 } },
  ]);
});

test("a counter is a growing sum, and a gauge its last value", async () => {
  const metric = await collected((metrics) => metrics.clientBytes("out", 123));
  expect(metric("patchbay_client_bytes_total")).toMatchObject({
    descriptor: { unit: "By" },
    dataPointType: DataPointType.SUM,
    isMonotonic: true,
    dataPoints: [{ attributes: { direction: "out" }, value: 123 }],
  });
  expect(metric("patchbay_store_bytes")).toMatchObject({
    dataPointType: DataPointType.GAUGE,
    dataPoints: [{ value: 4096 }],
  });
});
