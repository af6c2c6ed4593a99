import type { EndpointFigures } from "./request-metrics.ts";
import { durationBounds } from "./rules/durations.ts";

type Sample = { suffix?: string; labels?: Readonly<Record<string, string>>; value: number };

export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
};

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

const escapeLabel = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

const lineOf = (name: string, { suffix = "", labels = {}, value }: Sample): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}`;
};

/** Prometheus text format, version 0.0.4. */
export const renderMetrics = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => lineOf(name, sample)),
    ])
    .join("\n")
    .concat("\n");

export const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});
export const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: "counter",
  samples,
});

/** Requests by endpoint and status, and their durations. */
export const requestMetrics = (figures: ReadonlyMap<string, EndpointFigures>): Metric[] => [
  counter(
    "paygrant_requests_total",
    "Requests answered, by endpoint and status.",
    [...figures].flatMap(([operation, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ labels: { operation, status: String(status) }, value })),
    ),
  ),
  {
    name: "paygrant_request_duration_seconds",
    help: "How long an endpoint took to answer, excluding the network.",
    type: "histogram",
    samples: [...figures].flatMap(([operation, { requests, milliseconds, counts }]) => [
      ...durationBounds.map((bound, bucket) => ({
        suffix: "_bucket",
        labels: { operation, le: String(bound / 1000) },
        value: counts.slice(0, bucket + 1).reduce((sum, count) => sum + count, 0),
      })),
      { suffix: "_bucket", labels: { operation, le: "+Inf" }, value: requests },
      { suffix: "_sum", labels: { operation }, value: milliseconds / 1000 },
      { suffix: "_count", labels: { operation }, value: requests },
    ]),
  },
];
