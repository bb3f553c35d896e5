import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Log } from "../../system/log.ts";
import { withDeadline } from "../../system/with-deadline.ts";
import { AgentTurns } from "./agent-turns.ts";
import { RegistryProducer } from "./registry-producer.ts";
import type { Ended, Telemetry, TelemetrySources, Traced } from "./tracing.ts";

/** A collector that does not answer must not hold up the end of the relay. */
const FLUSH_MS = 2_000;
/** A collector that is away is told of at most this often. */
const WARN_MS = 60_000;

/** Seconds, as the conventions for HTTP advise; requests that wait take minutes. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 60, 300];
/** Powers of four: the conventions' advice for tokens, and for seconds (there from 0.01 in powers of two). */
const TOKEN_BUCKETS = Array.from({ length: 14 }, (_, power) => 4 ** power);
const TURN_BUCKETS = Array.from({ length: 16 }, (_, power) => 2 ** (power - 2));

interface OtlpOptions {
  /** The collector's address, such as `http://127.0.0.1:4318`. */
  readonly url: string;
  readonly version: string;
  /** Id of the relay's data folder. */
  readonly relay: string;
  readonly log: Log;
  /** How often spans and metrics are sent, in ms; default: 5 s and 60 s. */
  readonly pace?: { readonly spansMs: number; readonly metricsMs: number };
}

/**
 * Sends traces and metrics of the relay to an OpenTelemetry collector, by OTLP over HTTP (docs/reference/telemetry.md). They name
 * procedures, routes, agents and models, and hold no text, no path and no parameter.
 */
export class Otlp implements Telemetry {
  readonly #contexts = new AsyncLocalStorageContextManager().enable();
  readonly #propagator = new W3CTraceContextPropagator();
  readonly #tracers: BasicTracerProvider;
  readonly #meters: MeterProvider;
  readonly #turns: AgentTurns;
  readonly #stopEvents: () => void;
  readonly #begin: (name: string, kind: SpanKind, context: Context, startTime?: Date) => Span;
  readonly #countRequest: (seconds: number, traced: Traced["attributes"]) => void;

  constructor({ url, version, relay, log, pace }: OtlpOptions, { metrics, events }: TelemetrySources) {
    const base = url.replace(/\/$/, "");
    const resource = resourceFromAttributes({
      "service.name": "patchbay",
      "service.version": version,
      "service.instance.id": relay,
    });
    let warnedAt = Number.NEGATIVE_INFINITY;
    setGlobalErrorHandler((error) => {
      if (performance.now() - warnedAt < WARN_MS) return;
      warnedAt = performance.now();
      log.warn("telemetry could not be sent", { url: base, error });
    });
    this.#tracers = new BasicTracerProvider({
      resource,
      spanProcessors: [
        new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces` }), {
          scheduledDelayMillis: pace?.spansMs ?? 5_000,
        }),
      ],
    });
    this.#meters = new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
          exportIntervalMillis: pace?.metricsMs ?? 60_000,
          exportTimeoutMillis: Math.min(30_000, pace?.metricsMs ?? 30_000),
          metricProducers: [new RegistryProducer({ read: metrics, resource })],
        }),
      ],
    });
    const tracer = this.#tracers.getTracer("patchbay", version);
    this.#begin = (name, kind, context, startTime) =>
      tracer.startSpan(name, { kind, ...(startTime === undefined ? {} : { startTime }) }, context);
    const meter = this.#meters.getMeter("patchbay", version);
    const histogram = (name: string, unit: string, explicitBucketBoundaries: number[]) =>
      meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries } });
    const requests = histogram("http.server.request.duration", "s", REQUEST_BUCKETS);
    const tokens = histogram("gen_ai.client.token.usage", "{token}", TOKEN_BUCKETS);
    const turns = histogram("gen_ai.client.operation.duration", "s", TURN_BUCKETS);
    this.#countRequest = (seconds, attributes) => requests.record(seconds, attributes);
    this.#turns = new AgentTurns({
      begin: (name, startedAt) => this.#begin(name, SpanKind.INTERNAL, ROOT_CONTEXT, startedAt),
      ended: ({ attributes, seconds, input, output }) => {
        turns.record(seconds, attributes);
        tokens.record(input, { ...attributes, "gen_ai.token.type": "input" });
        tokens.record(output, { ...attributes, "gen_ai.token.type": "output" });
      },
    });
    this.#stopEvents = events((session, event) => this.#turns.take(session, event));
  }

  span<T>(describe: () => Traced, work: (end: (ended: Ended) => void) => T): T {
    const { name, kind, attributes, traceparent } = describe();
    const isRequest = kind === "server";
    const parent = isRequest ? this.#parent(traceparent) : this.#contexts.active();
    const span = this.#begin(name, isRequest ? SpanKind.SERVER : SpanKind.INTERNAL, parent);
    span.setAttributes(attributes);
    const startedAt = performance.now();
    const end = ({ attributes: more = {}, error }: Ended) => {
      if (error !== undefined) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", error);
      }
      span.setAttributes(more).end();
      if (isRequest) {
        const failed = error === undefined ? {} : { "error.type": error };
        this.#countRequest((performance.now() - startedAt) / 1000, { ...attributes, ...more, ...failed });
      }
    };
    return this.#contexts.with(trace.setSpan(parent, span), () => work(end));
  }

  traceparent(): string | undefined {
    const carrier: { traceparent?: string } = {};
    this.#propagator.inject(this.#contexts.active(), carrier, {
      set: (into: typeof carrier, name, value) => {
        if (name === "traceparent") into.traceparent = value;
      },
    });
    return carrier.traceparent;
  }

  /** Sends what was recorded, and ends; a collector that does not answer loses it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopEvents();
    this.#turns[Symbol.dispose]();
    this.#contexts.disable();
    const ended = Promise.allSettled([this.#tracers.shutdown(), this.#meters.shutdown()]);
    await withDeadline(ended, FLUSH_MS, () => new Error("late")).catch(() => undefined);
  }

  #parent(traceparent: string | undefined): Context {
    return this.#propagator.extract(ROOT_CONTEXT, traceparent, {
      get: (given: typeof traceparent, name) => (name === "traceparent" ? given : undefined),
      keys: () => ["traceparent"],
    });
  }
}
