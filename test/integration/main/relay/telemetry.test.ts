import { describe, expect, test } from "vitest";
import { Otlp } from "../../../../main/relay/telemetry/otlp.ts";
import type { TelemetrySources } from "../../../../main/relay/telemetry/tracing.ts";
import { startFleetLab } from "../../../support/fleet-lab.ts";
import { type OtlpCollector, startOtlpCollector } from "../../../support/otlp-collector.ts";
import { startTestRelay } from "../../../support/test-relay.ts";
import { until } from "../../../support/until.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const COMMAND = "POST /v1/sessions/:session/remote/command";

/** Sends what a relay does to a collector, at once. */
function sendTo(collector: OtlpCollector) {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const pace = { spansMs: 50, metricsMs: 200 };
  return (sources: TelemetrySources) =>
    new Otlp({ url: collector.url, version: "1.2.3", relay: "r1", log, pace }, sources);
}

function spanNamed(
  collector: OtlpCollector,
  name: string,
  found: (span: OtlpCollector["spans"][number]) => boolean = () => true,
) {
  return until(`a span ${name}`, () => collector.spans.find((span) => span.name === name && found(span)));
}

describe("a relay with a collector", () => {
  test("continues the caller's trace: the request, and in it the call", async () => {
    await using collector = await startOtlpCollector();
    await using relay = await startTestRelay({ telemetry: sendTo(collector) });
    await using _client = await relay.join();
    await relay.post({ method: "getTiles", params: {} }, { traceparent: PARENT });
    const request = await spanNamed(collector, COMMAND);
    expect(request).toMatchObject({
      traceId: TRACE,
      parentSpanId: "00f067aa0ba902b7",
      kind: 2,
      status: { code: 0 },
      attributes: {
        "http.request.method": "POST",
        "http.route": "/v1/sessions/:session/remote/command",
        "http.response.status_code": 200,
      },
    });
    expect(await spanNamed(collector, "getTiles")).toMatchObject({
      traceId: TRACE,
      parentSpanId: request.spanId,
      kind: 1,
    });
  });

  test.each(["", "00-xyz", "ff", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, "a".repeat(10_000)])(
    "begins a trace of its own where the caller's is no trace: %#",
    async (traceparent) => {
      await using collector = await startOtlpCollector();
      await using relay = await startTestRelay({ telemetry: sendTo(collector) });
      await relay.request("GET", "/v1/sessions", { headers: { traceparent } });
      const span = await spanNamed(collector, "GET /v1/sessions");
      expect(span.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(span.parentSpanId ?? "").toBe("");
    },
  );

  test("marks a refusal at the call, with its code, and not at the request", async () => {
    await using collector = await startOtlpCollector();
    await using relay = await startTestRelay({ telemetry: sendTo(collector) });
    await using _client = await relay.join();
    await relay.post({ method: "focusTile", params: { key: 99 } });
    const call = await spanNamed(collector, "focusTile");
    expect([call.status.code, call.attributes["error.type"]]).toEqual([2, "unknown_tile"]);
    expect((await spanNamed(collector, COMMAND)).status.code).toBe(0);
  });

  test("sends the metrics of /v1/metrics under their names, and those of the conventions", async () => {
    await using collector = await startOtlpCollector();
    await using relay = await startTestRelay({ telemetry: sendTo(collector) });
    await using _client = await relay.join();
    await relay.command("getTiles");
    const metric = (name: string) => until(`the metric ${name}`, () => collector.metrics.get(name));
    const dataPoints = expect.arrayContaining([expect.objectContaining({ count: 1 })]);
    expect(await metric("patchbay_command_duration_seconds")).toMatchObject({ unit: "s", histogram: { dataPoints } });
    expect(await metric("http.server.request.duration")).toMatchObject({ unit: "s", histogram: { dataPoints } });
    expect(await metric("patchbay_clients")).toMatchObject({ gauge: { dataPoints: [{ asDouble: 1 }] } });
    const text = (await relay.request("GET", "/v1/metrics")).text;
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect([...collector.metrics.keys()]).toEqual(expect.arrayContaining(names));
  });

  test("tells no text, no parameter, no path and no key", async () => {
    await using collector = await startOtlpCollector();
    await using relay = await startTestRelay({ telemetry: sendTo(collector) });
    await using client = await relay.join({ kind: "desktop" });
    const secret = "planted-4711";
    await relay.command("createShell", { cwd: relay.folder, title: secret }, client.id);
    await relay.post({ method: secret, params: { [secret]: secret } });
    await relay.request("GET", `/v1/${secret}?${secret}`);
    await spanNamed(collector, "createShell");
    await spanNamed(collector, "unknown");
    await spanNamed(collector, "GET other");
    await until("metrics", () => collector.metrics.get("patchbay_clients"));
    const sent = collector.bodies.join("\n");
    for (const hidden of [secret, relay.folder, relay.key, relay.session]) expect(sent).not.toContain(hidden);
  });

  test("is not held up by a collector that never answers, neither in its work nor at its end", async () => {
    await using collector = await startOtlpCollector("never");
    const relay = await startTestRelay({ telemetry: sendTo(collector) });
    await using _client = await relay.join();
    for (let call = 0; call < 300; call++) await relay.command("getTiles");
    await until("a request of the exporter", () => collector.bodies.length > 0 || undefined);
    await relay[Symbol.asyncDispose]();
  });
});

test("a call for a session of another relay is in the trace of both", async () => {
  await using collector = await startOtlpCollector();
  await using lab = await startFleetLab(["laptop", "box"], { telemetry: sendTo(collector) });
  const [laptop, box] = [lab.relay("laptop"), lab.relay("box")];
  const path = `/v1/sessions/${box.session}/remote/shells`;
  await using _client = await box.join();
  await laptop.request("GET", path, { headers: { "X-Service-Token": box.key, traceparent: PARENT } });
  await laptop.request("POST", `/v1/sessions/${box.session}/remote/command`, {
    headers: { "X-Service-Token": box.key, traceparent: PARENT },
    body: { method: "getSession", params: {} },
  });
  for (const name of ["GET /v1/sessions/:session/remote/shells", COMMAND]) {
    const asked = await spanNamed(collector, name, ({ parentSpanId }) => parentSpanId === "00f067aa0ba902b7");
    const served = await spanNamed(collector, name, ({ parentSpanId }) => parentSpanId === asked.spanId);
    expect([asked.traceId, served.traceId]).toEqual([TRACE, TRACE]);
  }
});

test("a relay without a collector takes a trace and tells of nothing", async () => {
  await using relay = await startTestRelay();
  expect((await relay.request("GET", "/v1/sessions", { headers: { traceparent: PARENT } })).status).toBe(200);
  expect(relay.relay.tracing.traceparent()).toBeUndefined();
});
