import type { HrTime } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { z } from "zod";

const Labels = z.record(z.string(), z.union([z.string(), z.number()]));
const RegistryValue = z.object({ value: z.number(), labels: Labels, metricName: z.string().optional() });
/** The metrics of a registry of prom-client, whose own types leave out the names of a histogram's values. */
const RegistryMetrics = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.enum(["counter", "gauge", "histogram"]),
    values: z.array(RegistryValue),
  }),
);
type RegistryMetric = z.infer<typeof RegistryMetrics>[number];
type RegistryValue = z.infer<typeof RegistryValue>;

type Times = Pick<DataPoint<number>, "startTime" | "endTime">;

interface RegistryProducerOptions {
  /** Resolves to the registry's metrics as JSON. */
  readonly read: () => Promise<unknown>;
  readonly resource: Resource;
}

/** Exports the metrics of `GET /v1/metrics` under the same names, so that they are declared in one place. */
export class RegistryProducer implements MetricProducer {
  readonly #options: RegistryProducerOptions;
  readonly #startTime = hrTime();

  constructor(options: RegistryProducerOptions) {
    this.#options = options;
  }

  async collect(): Promise<CollectionResult> {
    const { read, resource } = this.#options;
    const times = { startTime: this.#startTime, endTime: hrTime() };
    const metrics = RegistryMetrics.parse(await read()).map((metric) => metricData(metric, times));
    return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: "patchbay" }, metrics }] }, errors: [] };
  }
}

function metricData({ name, help, type, values }: RegistryMetric, times: Times): MetricData {
  const common = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: 1 },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (type === "histogram") {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(name, values, times) };
  }
  const dataPoints = values.map(({ value, labels: attributes }) => ({ ...times, attributes, value }));
  return type === "counter"
    ? { ...common, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Returns the unit that a name of Prometheus' conventions ends with, by UCUM. */
function unitOf(name: string): string {
  if (name.includes("_seconds")) return "s";
  return name.includes("_bytes") ? "By" : "";
}

/** Joins the values of each set of labels, whose buckets each count those of the smaller ones too. */
function histograms(name: string, values: readonly RegistryValue[], times: Times): DataPoint<Histogram>[] {
  const points = new Map<string, { readonly attributes: z.infer<typeof Labels>; readonly value: Histogram }>();
  for (const { metricName, labels, value } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const point = points.get(key) ?? { attributes, value: { buckets: { boundaries: [], counts: [] }, count: 0 } };
    points.set(key, point);
    const { buckets } = point.value;
    if (metricName === `${name}_sum`) point.value.sum = value;
    else if (metricName === `${name}_count`) point.value.count = value;
    else {
      buckets.counts.push(value - buckets.counts.reduce((sum, count) => sum + count, 0));
      if (typeof le === "number") buckets.boundaries.push(le);
    }
  }
  return [...points.values()].map((point) => ({ ...times, ...point }));
}

function hrTime(): HrTime {
  const now = Date.now();
  return [Math.floor(now / 1000), (now % 1000) * 1e6];
}
