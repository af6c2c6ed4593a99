/**
 * Recomputes the uptime, budgets and day hashes of the status page from its public downloads, by the rules that the
 * page shows. This program shares no code with the service.
 *
 *   node_modules/.bin/node e2e/outside/recompute-uptime.ts http://localhost:3002
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

type Sums = { up_ms: number; down_ms: number; excluded_ms: number; unmeasured_ms: number };
type Figure = Sums & { from: string; to: string; uptime: string | null };
type Interval = { from: string; to: string; source: string; subject: string; state: string };
type Maintenance = { id: string; state: string; announced_at: string; scheduled_from: string; scheduled_to: string };
type Frozen = { figures: Record<string, number>; previous_hash: string; hash: string };
export type Download = {
  id: string;
  objective: string | null;
  /** false: the component has no error budget */
  deployed: boolean;
  measured_since: string | null;
  last_90_days: Figure;
  months: (Figure & { month: string; uptime_for_credits: string | null })[];
  intervals?: Interval[];
  maintenances?: Maintenance[];
  days?: { day: string; frozen: Frozen | null }[];
};
export type Budget = { id: string; allowed_ms: number; used_ms: number; left_ms: number; used_up: boolean };

const hour = 3_600_000;
const ms = (text: string): number => Date.parse(text);
const monthStart = (instant: number): number =>
  Date.parse(`${new Date(instant).toISOString().slice(0, 7)}-01T00:00:00Z`);
const nextMonth = (start: number): number => monthStart(start + 32 * 24 * hour);

const rank = ["operational", "degraded", "partial_outage", "major_outage"];
const worst = (states: string[]): string | undefined =>
  states.filter((state) => rank.includes(state)).sort((one, other) => rank.indexOf(other) - rank.indexOf(one))[0];

/** Divides the time into slices in which nothing changes, and decides how each slice counts. */
const slices = ({ intervals = [], maintenances = [], measured_since }: Download, until: number) => {
  if (measured_since === null) return [];
  const since = ms(measured_since);
  const borders = new Set([since, until]);
  for (const { from, to } of intervals) borders.add(ms(from)).add(ms(to));
  for (const { scheduled_from, scheduled_to } of maintenances) borders.add(ms(scheduled_from)).add(ms(scheduled_to));
  for (let month = nextMonth(monthStart(since)); month < until; month = nextMonth(month)) borders.add(month);
  const sorted = [...borders].filter((at) => at >= since && at <= until).sort((one, other) => one - other);
  const spent = new Map<number, number>();
  return sorted.slice(0, -1).flatMap((from, index) => {
    const to = sorted[index + 1] ?? from;
    const now = intervals.filter((interval) => ms(interval.from) <= from && from < ms(interval.to));
    const set = now.filter(
      ({ source, state }) => source === "operator" && state !== "operational" && state !== "unknown",
    );
    const incident = worst(set.map(({ state }) => state));
    const measured = worst([
      ...now.filter(({ source }) => source === "probe").map(({ state }) => state),
      ...now.filter(({ source, state }) => source === "cascade" && state !== "operational").map(({ state }) => state),
    ]);
    const works = set.filter(({ state }) => state === "maintenance").map(({ subject }) => subject);
    const counts = (state: string | undefined, silent: string): string =>
      state === undefined ? silent : rank.indexOf(state) >= 2 ? "down" : "up";
    if (incident !== undefined) return [{ from, to, counts: counts(incident, "") }];
    if (works.length === 0) return [{ from, to, counts: counts(measured, "unmeasured") }];
    const isAnnounced = maintenances.some(
      (one) =>
        works.includes(one.id) &&
        one.state !== "cancelled" &&
        ms(one.announced_at) + 72 * hour <= ms(one.scheduled_from) &&
        ms(one.scheduled_from) <= from &&
        from < ms(one.scheduled_to),
    );
    const beneath = counts(measured, "down");
    if (!isAnnounced) return [{ from, to, counts: beneath }];
    const month = monthStart(from);
    const taken = Math.min(to - from, 4 * hour - (spent.get(month) ?? 0));
    spent.set(month, (spent.get(month) ?? 0) + taken);
    return [
      { from, to: from + taken, counts: "excluded" },
      { from: from + taken, to, counts: beneath },
    ];
  });
};

const sum = (all: ReturnType<typeof slices>, from: number, to: number): Sums => {
  const of = (counts: string) =>
    all
      .filter((slice) => slice.counts === counts)
      .reduce((total, slice) => total + Math.max(0, Math.min(slice.to, to) - Math.max(slice.from, from)), 0);
  return { up_ms: of("up"), down_ms: of("down"), excluded_ms: of("excluded"), unmeasured_ms: of("unmeasured") };
};

/** Three decimal places, rounded down. */
const percent = (up: number, down: number): string | null => {
  if (up + down === 0) return null;
  const thousandths = String((BigInt(up) * 100_000n) / BigInt(up + down)).padStart(4, "0");
  return `${thousandths.slice(0, -3)}.${thousandths.slice(-3)}`;
};

const differences = (name: string, published: Figure, found: Sums): string[] => [
  ...(Object.keys(found) as (keyof Sums)[])
    .filter((key) => Math.abs(found[key] - published[key]) > 1000)
    .map((key) => `${name}: ${key} published as ${published[key]}, computed as ${found[key]}`),
  ...(percent(found.up_ms, found.down_ms) === published.uptime
    ? []
    : [`${name}: uptime is published as ${published.uptime}`]),
];

/** @returns differences of more than a second, as texts. */
export const recompute = (download: Download, budget: Budget | undefined, until: string): string[] => {
  const all = slices(download, ms(until));
  const { id, last_90_days, months, objective, deployed } = download;
  const problems = differences(`${id}, 90 days`, last_90_days, sum(all, ms(last_90_days.from), ms(last_90_days.to)));
  const isDeployed = all.some(({ counts }) => counts === "up" || counts === "down");
  for (const month of months) {
    const [from, to] = [ms(`${month.month}-01T00:00:00Z`), nextMonth(ms(`${month.month}-01T00:00:00Z`))];
    const found = sum(all, from, to);
    problems.push(...differences(`${id}, ${month.month}`, month, found));
    const beyond = Math.max(0, found.unmeasured_ms - 600_000);
    const credits = isDeployed ? percent(found.up_ms, found.down_ms + beyond) : null;
    if (credits !== month.uptime_for_credits) problems.push(`${id}, ${month.month}: uptime for credits is ${credits}`);
  }
  if (objective !== null && deployed) {
    const from = monthStart(ms(until));
    const allowed = Math.floor(((nextMonth(from) - from) * (10_000 - Math.round(Number(objective) * 100))) / 10_000);
    const used = sum(all, from, ms(until)).down_ms;
    const isRight =
      budget !== undefined &&
      budget.allowed_ms === allowed &&
      Math.abs(budget.used_ms - used) <= 1000 &&
      budget.left_ms === Math.max(0, allowed - budget.used_ms) &&
      budget.used_up === budget.used_ms >= allowed;
    if (!isRight)
      problems.push(`${id}: error budget computed as ${used} of ${allowed} ms, published as ${JSON.stringify(budget)}`);
  }
  return [...problems, ...brokenDays(download)];
};

const brokenDays = ({ id, days = [] }: Download): string[] => {
  let before: string | null = null;
  return days.flatMap(({ day, frozen }) => {
    if (!frozen) return [];
    const figures = Object.fromEntries(Object.entries(frozen.figures).sort(([one], [other]) => (one < other ? -1 : 1)));
    const text = JSON.stringify({ component: id, day, figures, previous_hash: frozen.previous_hash });
    const isWhole = createHash("sha256").update(text).digest("base64url") === frozen.hash;
    const isLinked = before === null || before === frozen.previous_hash;
    before = frozen.hash;
    return isWhole && isLinked ? [] : [`${id}, ${day}: the frozen day was altered`];
  });
};

const read = async <Body>(url: string): Promise<Body> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Body;
};

/** Downloads everything and computes it again. */
export const recomputeAll = async (statusUrl: string): Promise<{ components: string[]; problems: string[] }> => {
  const { components } = await read<{ components: Download[] }>(`${statusUrl}/status/v1/uptime`);
  const problems: string[] = [];
  for (const { id } of components) {
    const { components: budgets } = await read<{ components: Budget[] }>(`${statusUrl}/status/v1/error-budgets`);
    const whole = await read<{ checked_at: string; components: Download[] }>(
      `${statusUrl}/status/v1/uptime?component=${id}`,
    );
    const budget = budgets.find((one) => one.id === id);
    for (const component of whole.components) problems.push(...recompute(component, budget, whole.checked_at));
  }
  return { components: components.map(({ id }) => id), problems };
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { components, problems } = await recomputeAll(process.argv[2] ?? "http://localhost:3002");
  for (const problem of problems) console.error(`✗ ${problem}`);
  if (problems.length === 0)
    console.log(`✓ ${components.length} components agree to the second: ${components.join(", ")}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
