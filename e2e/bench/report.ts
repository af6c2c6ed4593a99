import type { Measured } from "./measure.ts";
import type { Contender, EndpointKey } from "./scenarios.ts";
import { type Aim, latencyTargets, meetsFloor, round } from "./targets.ts";

type Row = readonly string[];

const headings: Row = [
  "endpoint",
  "server",
  "req/s",
  "p50",
  "p95",
  "p99",
  "CPU/req",
  "× peer",
  "× baseline",
  "SQL",
  "target p95 / p99",
  "",
];
const textColumns: ReadonlySet<number> = new Set([0, 1, 10, 11]);

const toLines = (rows: readonly Row[]): string[] => {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return textColumns.has(column) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ")
      .trimEnd(),
  );
};

const mark = (isMet: boolean | null): string => (isMet === null ? "" : isMet ? "✓" : "✗");

/** One row per endpoint and server, in milliseconds. */
export const formatTable = (all: readonly Measured[], statements: ReadonlyMap<EndpointKey, number>): string => {
  const against = ({ scenario, result, contender }: Measured, other: Contender): string => {
    const rival = all.find((one) => one.scenario === scenario && one.contender === other);
    return rival && contender !== other ? (result.perSecond / rival.result.perSecond).toFixed(2) : "";
  };
  const rows = all.map((one): Row => {
    const { scenario, contender, result } = one;
    const isOurs = contender === "paygrant";
    const target = isOurs ? latencyTargets[scenario.key] : undefined;
    const counted = isOurs && scenario.ratePerSecond === null ? statements.get(scenario.key) : undefined;
    return [
      scenario.title,
      contender,
      ...[result.perSecond, result.p50, result.p95, result.p99].map(round),
      Number.isNaN(result.cpu) ? "" : result.cpu.toFixed(2),
      against(one, "oidc-provider"),
      against(one, "baseline"),
      counted === undefined ? "" : counted.toFixed(1),
      target ? `${target.p95} / ${target.p99}` : "",
      isOurs ? mark(meetsFloor(one)) : "",
    ];
  });
  return toLines([headings, ...rows]).join("\n");
};

export const formatAims = (aims: readonly Aim[]): string => {
  const width = Math.max(...aims.map(({ text }) => text.length));
  return aims.map(({ text, measured, isMet }) => `${mark(isMet)} ${text.padEnd(width)}  ${measured}`).join("\n");
};
