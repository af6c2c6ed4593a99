/** The parts of a service and its environment that use CPU time. */
export const parts = ["postgres", "web", "worker", "other", "simulator", "load"] as const;
export type Part = (typeof parts)[number];

export const actKeys = [
  "token",
  "par",
  "introspection",
  "verification",
  "charge",
  "delivery",
  "usage",
  "usage-batch",
] as const;
export type ActKey = (typeof actKeys)[number];

/** CPU time by part: milliseconds of one act, or milliseconds per second. */
export type Cpu = Readonly<Record<Part, number>>;
export type ActCost = { cpu: Cpu; walBytes: number; transactions: number };
export type Costs = Readonly<Record<ActKey, ActCost>>;
/** How many of each act happen together. */
export type Mix = Readonly<Partial<Record<ActKey, number>>>;

/** The share of a primary's cores that its load may use. The rest is for peaks, vacuum, checkpoints and backups. */
export const plannedShare = 0.7;

const sumOf = (costs: Costs, mix: Mix, pick: (cost: ActCost) => number): number =>
  actKeys.reduce((sum, key) => sum + (mix[key] ?? 0) * pick(costs[key]), 0);

/** The cost of all acts of the mix together. */
export const costOfMix = (costs: Costs, mix: Mix): ActCost => ({
  cpu: Object.fromEntries(parts.map((part) => [part, sumOf(costs, mix, ({ cpu }) => cpu[part])])) as Record<
    Part,
    number
  >,
  walBytes: sumOf(costs, mix, ({ walBytes }) => walBytes),
  transactions: sumOf(costs, mix, ({ transactions }) => transactions),
});

export const cpuOf = (cpu: Cpu, of: readonly Part[]): number => of.reduce((sum, part) => sum + cpu[part], 0);

/** Bytes of log per second that a primary's disk and its network to the standbys carry. 10 Gbit/s are 1.25 GB/s. */
export const plannedWalBytes = 1e9;

export type Primary = { cores: number; share?: number; walBytesPerSecond?: number };
export type Capacity = { perSecond: number; isLimitedByWal: boolean };

/**
 * How many acts or mixes per second a primary can serve: the smaller of cores × share × 1,000 ÷ milliseconds of
 * PostgreSQL, and WAL bytes per second ÷ WAL bytes.
 */
export const capacityOf = (
  { cores, share = plannedShare, walBytesPerSecond = plannedWalBytes }: Primary,
  { cpu, walBytes }: ActCost,
): Capacity => {
  const [byCpu, byWal] = [(cores * share * 1000) / cpu.postgres, walBytesPerSecond / walBytes];
  return { perSecond: Math.min(byCpu, byWal), isLimitedByWal: byWal < byCpu };
};

/** Parts that share cores with each other and with nothing else. `cores`: the number of cores that are free for them. */
export type Group = { parts: readonly Part[]; cores: number };

/** The formula for saturated processors: the busiest group sets the rate. */
export const saturatedPerSecond = ({ cpu }: ActCost, groups: readonly Group[]): number =>
  Math.min(...groups.map((group) => (group.cores * 1000) / cpuOf(cpu, group.parts)));
