import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { StallSummary } from "../../system/event-loop-watch.ts";
import type { CutReason, FleetOutcome, MetricsRecorder } from "./metrics-recorder.ts";

/** Seconds: a getter takes well under a millisecond, a wait may take an hour. */
const COMMAND_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 30, 300];
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 1, 5, 30];
const NANOSECONDS = 1e9;
const DELAY_RESOLUTION_MS = 20;

/** The part of a session that is measured. */
interface MeasuredSession {
  readonly state: {
    readonly now: { readonly clients: readonly unknown[]; readonly shells: readonly { readonly running: boolean }[] };
    readonly events: { readonly kept: number; readonly listeners: number };
  };
}

interface MetricsOptions {
  readonly sessions: { all(): readonly MeasuredSession[] };
  readonly version: string;
  /** Size of the database in bytes. */
  readonly storeBytes: () => number;
  /** How often the event loop was held up for over a second. */
  readonly stalls: () => StallSummary;
  /** Number of relays of the fleet that are there, this one included; 0 without a fleet. */
  readonly fleetMembers: () => number;
}

/**
 * The metrics of `GET /v1/metrics`, in Prometheus' text format. Requests, commands, bytes and closed connections are
 * counted as they happen; everything else is read at each scrape. The delay of the event loop is measured from the first
 * scrape on, because measuring costs wake-ups; each scrape reports the time since the previous one.
 */
export class Metrics implements MetricsRecorder, Disposable {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #registry = new Registry();
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #requestSeconds: Histogram<"route">;
  readonly #commandSeconds: Histogram<"method" | "outcome">;
  readonly #operationSeconds: Histogram<"operation" | "outcome">;
  readonly #clientBytes: Counter<"direction">;
  readonly #cuts: Counter<"reason">;
  readonly #fleetRequests: Counter<"direction" | "outcome">;
  #delay: IntervalHistogram | undefined;

  constructor(options: MetricsOptions) {
    const registers = [this.#registry];
    this.#requests = new Counter({
      name: "patchbay_http_requests_total",
      help: "Requests answered, by route and status.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#requestSeconds = new Histogram({
      name: "patchbay_http_request_duration_seconds",
      help: "Time from a request's headers to the end of its answer.",
      labelNames: ["route"],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#commandSeconds = new Histogram({
      name: "patchbay_command_duration_seconds",
      help: "Time of a command, by method and outcome (ok or an error's code).",
      labelNames: ["method", "outcome"],
      buckets: COMMAND_BUCKETS,
      registers,
    });
    this.#operationSeconds = new Histogram({
      name: "patchbay_operation_duration_seconds",
      help: "Time of an operation of the relay, by name and outcome (ok or an error's code).",
      labelNames: ["operation", "outcome"],
      buckets: REQUEST_BUCKETS,
      registers,
    });
    this.#clientBytes = new Counter({
      name: "patchbay_client_bytes_total",
      help: "Bytes over the clients' WebSockets.",
      labelNames: ["direction"],
      registers,
    });
    this.#fleetRequests = new Counter({
      name: "patchbay_fleet_requests_total",
      help: "Requests for sessions of other relays (out) and of other relays for sessions of this one (in), by outcome.",
      labelNames: ["direction", "outcome"],
      registers,
    });
    this.#cuts = new Counter({
      name: "patchbay_connections_cut_total",
      help: "Connections that the relay ended, by reason.",
      labelNames: ["reason"],
      registers,
    });
    this.#lookUp(options);
  }

  request({ method, route, status, seconds }: Parameters<MetricsRecorder["request"]>[0]): void {
    this.#requests.inc({ method, route, status });
    this.#requestSeconds.observe({ route }, seconds);
  }

  command(method: string, outcome: string, seconds: number): void {
    this.#commandSeconds.observe({ method, outcome }, seconds);
  }

  operation(operation: string, outcome: string, seconds: number): void {
    this.#operationSeconds.observe({ operation, outcome }, seconds);
  }

  clientBytes(direction: "in" | "out", bytes: number): void {
    this.#clientBytes.inc({ direction }, bytes);
  }

  fleetRequest(direction: "in" | "out", outcome: FleetOutcome): void {
    this.#fleetRequests.inc({ direction, outcome });
  }

  cut(reason: CutReason): void {
    this.#cuts.inc({ reason });
  }

  /** Returns all metrics as text. */
  text(): Promise<string> {
    return this.#read(() => this.#registry.metrics());
  }

  /** Returns all metrics as JSON. */
  json(): Promise<unknown> {
    return this.#read(() => this.#registry.getMetricsAsJSON());
  }

  async #read<T>(all: () => Promise<T>): Promise<T> {
    this.#delay ??= startedDelay();
    const read = await all();
    this.#delay.reset();
    return read;
  }

  [Symbol.dispose](): void {
    this.#delay?.disable();
    this.#registry.clear();
  }

  #lookUp({ sessions, version, storeBytes, stalls, fleetMembers }: MetricsOptions): void {
    const startedAt = Date.now() / 1000 - process.uptime();
    const states = () => sessions.all().map((session) => session.state);
    const sum = (count: (one: ReturnType<typeof states>[number]) => number) =>
      states().reduce((total, one) => total + count(one), 0);
    const rows: readonly (readonly [name: string, help: string, read: () => number])[] = [
      ["patchbay_sessions", "Open sessions.", () => sessions.all().length],
      ["patchbay_clients", "Connected clients.", () => sum(({ now }) => now.clients.length)],
      [
        "patchbay_shells_running",
        "Shells that run.",
        () => sum(({ now }) => now.shells.filter((shell) => shell.running).length),
      ],
      [
        "patchbay_shells_ended",
        "Shells that have ended and are still listed.",
        () => sum(({ now }) => now.shells.filter((shell) => !shell.running).length),
      ],
      ["patchbay_events_kept", "Events kept for those who come back.", () => sum(({ events }) => events.kept)],
      ["patchbay_event_subscribers", "Listeners to the sessions' events.", () => sum(({ events }) => events.listeners)],
      ["patchbay_store_bytes", "Size of the database.", storeBytes],
      ["patchbay_fleet_members", "Relays of the fleet that are there, this one included.", fleetMembers],
      [
        "patchbay_eventloop_stalls_total",
        "Times that the event loop was held up for over a second.",
        () => stalls().count,
      ],
      ["patchbay_eventloop_longest_stall_seconds", "The longest of them.", () => stalls().longestMs / 1000],
      ["process_start_time_seconds", "When the relay's process started.", () => startedAt],
      ["process_resident_memory_bytes", "Resident memory of the relay.", () => process.memoryUsage.rss()],
      ["nodejs_heap_used_bytes", "Memory used by the relay's objects.", () => process.memoryUsage().heapUsed],
      ["process_cpu_seconds_total", "CPU time of the relay's process.", cpuSeconds],
      ["nodejs_eventloop_lag_p50_seconds", "Median delay of the event loop.", () => this.#lag(50)],
      ["nodejs_eventloop_lag_p99_seconds", "99th percentile of it.", () => this.#lag(99)],
      ["nodejs_eventloop_lag_max_seconds", "Longest of it.", () => this.#lag(100)],
    ];
    const registers = [this.#registry];
    for (const [name, help, read] of rows) {
      if (name.endsWith("_total")) {
        new Counter({
          name,
          help,
          registers,
          collect() {
            this.reset();
            this.inc(read());
          },
        });
      } else {
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read());
          },
        });
      }
    }
    const info = { name: "patchbay_info", help: "The relay's version.", labelNames: ["version"] };
    new Gauge({ ...info, registers }).set({ version }, 1);
  }

  #lag(percentile: number): number {
    const delay = this.#delay;
    if (delay === undefined || delay.count === 0) return 0;
    // The histogram has the time between two ticks; only the part beyond the resolution is delay.
    return Math.max(0, delay.percentile(percentile) / NANOSECONDS - DELAY_RESOLUTION_MS / 1000);
  }
}

function startedDelay(): IntervalHistogram {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  return delay;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
