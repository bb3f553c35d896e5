import { expect, test } from "vitest";
import { routeNames } from "../../../../main/relay/http/metrics-routes.ts";
import { Metrics } from "../../../../main/relay/metrics/metrics.ts";

const parts = {
  sessions: { all: () => [] },
  version: "1.2.3",
  storeBytes: () => 4096,
  fleetMembers: () => 0,
  stalls: () => ({ count: 2, longestMs: 1500 }),
};

test("what was told is there to read, in Prometheus' text format", async () => {
  using metrics = new Metrics(parts);
  metrics.request({ method: "POST", route: "/v1/x", status: 200, seconds: 0.002 });
  metrics.request({ method: "POST", route: "/v1/x", status: 404, seconds: 0.2 });
  metrics.command("getTiles", "ok", 0.0007);
  metrics.clientBytes("out", 100);
  metrics.clientBytes("out", 23);
  metrics.cut("unread");
  const lines = (await metrics.text()).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'patchbay_http_requests_total{method="POST",route="/v1/x",status="200"} 1',
      'patchbay_http_requests_total{method="POST",route="/v1/x",status="404"} 1',
      'patchbay_http_request_duration_seconds_count{route="/v1/x"} 2',
      'patchbay_command_duration_seconds_bucket{le="0.0005",method="getTiles",outcome="ok"} 0',
      'patchbay_command_duration_seconds_bucket{le="0.001",method="getTiles",outcome="ok"} 1',
      'patchbay_client_bytes_total{direction="out"} 123',
      'patchbay_connections_cut_total{reason="unread"} 1',
      "patchbay_sessions 0",
      "patchbay_store_bytes 4096",
      "patchbay_eventloop_stalls_total 2",
      "patchbay_eventloop_longest_stall_seconds 1.5",
      'patchbay_info{version="1.2.3"} 1',
      "# TYPE process_cpu_seconds_total counter",
    ]),
  );
  for (const line of lines.filter((text) => text !== "" && !text.startsWith("#"))) {
    expect(line).toMatch(/^[a-z][a-z0-9_]*(\{[^{}]*\})? -?\d+(\.\d+)?(e-?\d+)?$/);
  }
});

test("a blocked event loop shows, and only since the reading before", async () => {
  using metrics = new Metrics(parts);
  const longest = async () => Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
  await longest();
  await new Promise((resolve) => setTimeout(resolve, 60));
  const end = performance.now() + 300;
  while (performance.now() < end);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(await longest()).toBeGreaterThan(0.2);
});

test("two relays in one process count apart", async () => {
  using one = new Metrics(parts);
  using other = new Metrics(parts);
  one.cut("silent");
  expect(await other.text()).not.toContain("silent");
});

test.each([
  ["/v1/sessions/abc/remote/command?x=1", "/v1/sessions/:session/remote/command"],
  ["/v1/sessions/abc/events/", "/v1/sessions/:session/events"],
  ["/x/v1/health", "/v1/health"],
  ["/v1/health", "/v1/health"],
  ["/v1/sessions/abc/elsewhere", "other"],
  ["/xx/v1/health", "other"],
  ["/", "other"],
  ["/%ff", "other"],
])("%s is counted as %s", (url, route) => {
  const patterns = ["/v1/sessions/:session/remote/command", "/v1/sessions/:session/events", "/v1/health"];
  expect(routeNames(patterns, "/x")(url)).toBe(route);
});
