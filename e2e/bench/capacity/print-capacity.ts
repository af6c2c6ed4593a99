import { round } from "../targets.ts";
import { type Checked, usualMix } from "./check-sizes.ts";
import type { RoundTrips } from "./count-round-trips.ts";
import {
  type ActCost,
  type ActKey,
  actKeys,
  type Costs,
  type Cpu,
  capacityOf,
  costOfMix,
  cpuOf,
  parts,
  plannedShare,
  plannedWalBytes,
} from "./formula.ts";
import type { Figures, Idle } from "./measure-acts.ts";

const titles: Readonly<Record<ActKey, string>> = {
  token: "token",
  par: "PAR",
  introspection: "introspection",
  verification: "verify-mandate",
  charge: "charge",
  delivery: "webhook delivery",
  usage: "usage event, one in a request",
  "usage-batch": "usage event, 1,000 in a request",
};

export const primaries = [4, 16, 64] as const;

type Row = readonly string[];

const toTable = (rows: readonly Row[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    )
    .join("\n");
};

const small = (value: number): string => (value >= 10 ? value.toFixed(1) : value.toFixed(3));
const whole = (value: number): string => Math.round(value).toLocaleString("en-GB");

const cpuTable = ({ figures, alone }: Results): string =>
  toTable([
    [
      "ms of CPU for each",
      "web",
      "worker",
      "PostgreSQL",
      "PostgreSQL, alone",
      "simulator",
      "load generator",
      "per second",
      "load",
    ],
    ...actKeys.map((key) => {
      const { cpu, perSecond, loadAverage } = figures[key];
      const most = alone[key];
      return [
        titles[key],
        ...[cpu.web, cpu.worker, cpu.postgres].map(small),
        most === undefined ? "" : small(most),
        ...[cpu.simulator, cpu.load].map(small),
        whole(perSecond),
        loadAverage.toFixed(1),
      ];
    }),
  ]);

const databaseTable = ({ figures, trips }: Results): string =>
  toTable([
    ["for each", "WAL bytes", "transactions", "round trips of web, alone", "of web, under load", "of workers"],
    ...actKeys.map((key) => {
      const { alone, shared, worker } = trips[key];
      const { walBytes, transactions } = figures[key];
      return [titles[key], whole(walBytes), ...[transactions, alone, shared, worker].map(small)];
    }),
  ]);

/** Each act alone, and the mix, on primaries of several sizes. */
const capacityTable = (costs: Costs): string => {
  const mix = costOfMix(costs, usualMix);
  const rows = [...actKeys.map((key) => [titles[key], costs[key]] as const), ["mix, in charges", mix] as const];
  const cellOf = (cores: number, cost: ActCost): string => {
    const { perSecond, isLimitedByWal } = capacityOf({ cores }, cost);
    return `${whole(perSecond)}${isLimitedByWal ? "*" : " "}`;
  };
  return toTable([
    ["per second", ...primaries.map((cores) => `${cores} cores `), "cores of web", "of workers"],
    ...rows.map(([title, cost]) => [
      title,
      ...primaries.map((cores) => cellOf(cores, cost)),
      ...[cost.cpu.web, cost.cpu.worker].map((milliseconds) => (milliseconds / cost.cpu.postgres).toFixed(2)),
    ]),
  ]);
};

/** The largest deviation between the formula and a measurement. */
export const tolerance = 0.25;
export const deviationOf = ({ perSecond, expected }: Checked): number => perSecond / expected - 1;

const checkTable = (checked: readonly Checked[]): string =>
  toTable([
    ["mixes per second", "measured", "formula", "deviation", "free cores", "of these used", "ms per mix", "load", ""],
    ...checked.map((one) => [
      one.title,
      one.perSecond.toFixed(1),
      one.expected.toFixed(1),
      `${(deviationOf(one) * 100).toFixed(0)}%`,
      one.free.map((cores) => cores.toFixed(2)).join(" and "),
      one.used.map((share) => `${Math.round(share * 100)}%`).join(" and "),
      describeCpu(one.cpu),
      one.loadAverage.toFixed(1),
      Math.abs(deviationOf(one)) <= tolerance ? "✓" : "✗",
    ]),
  ]);

const describeCpu = (cpu: Cpu): string =>
  (["web", "worker", "postgres", "simulator"] as const).map((part) => `${part} ${cpu[part].toFixed(2)}`).join(", ");

export type Results = {
  figures: Readonly<Record<ActKey, Figures>>;
  /** PostgreSQL's CPU time per act if no other request shares its statements */
  alone: Readonly<Partial<Record<ActKey, number>>>;
  trips: Readonly<Record<ActKey, RoundTrips>>;
  checked: readonly Checked[];
  idle: Idle;
};

export const printCapacity = (results: Results): void => {
  const { figures, checked, idle } = results;
  const mix = costOfMix(figures, usualMix);
  const lines = [
    "",
    `Medians of several rounds. An idle service uses ${round(cpuOf(idle.cpu, parts))} ms of CPU time per second (${describeCpu(idle.cpu)}), which is subtracted.`,
    cpuTable(results),
    "",
    databaseTable(results),
    "",
    `Capacity of a primary: cores × ${plannedShare} × 1,000 ÷ ms of PostgreSQL, at most ${plannedWalBytes / 1e6} MB of WAL per second (*). Cores of web processes and workers: for each core that PostgreSQL uses. The mix: ${describeMix()}.`,
    `One mix: ${describeCpu(mix.cpu)} ms; ${whole(mix.walBytes)} bytes of WAL.`,
    capacityTable(figures),
    "",
    checked.length === 0 ? "taskset or a second core is missing: the formula wasn't checked." : checkTable(checked),
    "",
  ];
  process.stdout.write(lines.join("\n"));
};

const describeMix = (): string =>
  Object.entries(usualMix)
    .map(([key, number]) => `${number} ${titles[key as ActKey]}`)
    .join("; ");
