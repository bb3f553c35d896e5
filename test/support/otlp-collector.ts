import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

const Value = z
  .object({ stringValue: z.string() })
  .or(z.object({ intValue: z.number() }))
  .or(z.object({ doubleValue: z.number() }));
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((pairs) => Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]])));
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes: Attributes,
  status: z.object({ code: z.number() }),
});
export type ReceivedSpan = z.infer<typeof Span>;
const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});
const Metric = z.looseObject({ name: z.string() });
const Metrics = z.object({
  resourceMetrics: z.array(z.object({ scopeMetrics: z.array(z.object({ metrics: z.array(Metric) })) })),
});

/** A receiver of OTLP over HTTP, as far as the tests read it. */
export interface OtlpCollector extends AsyncDisposable {
  readonly url: string;
  /** All bodies as they came. */
  readonly bodies: readonly string[];
  readonly spans: readonly ReceivedSpan[];
  /** By name, as they came last. */
  readonly metrics: ReadonlyMap<string, z.infer<typeof Metric>>;
}

/** @param answer - how each request is answered; by default it is taken */
export async function startOtlpCollector(answer: "take" | "never" = "take"): Promise<OtlpCollector> {
  const bodies: string[] = [];
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, z.infer<typeof Metric>>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    if (answer === "never") return;
    if (request.url === "/v1/traces") {
      for (const { scopeSpans } of Traces.parse(JSON.parse(body)).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    } else if (request.url === "/v1/metrics") {
      for (const { scopeMetrics } of Metrics.parse(JSON.parse(body)).resourceMetrics) {
        for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.set(metric.name, metric);
      }
    }
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans,
    metrics,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
