import { send } from "../../support/answers/wire.ts";
import type { Fault } from "./cluster-faults.ts";
import { type Gap, secondsOf } from "./token-load.ts";

type Interval = { from: number; to: number; source: string; state: string };

/** Both environments use the same database nodes. The load is on the sandbox. */
const components = ["authorization_server", "sandbox"] as const;
/**
 * The probes run each second. A run takes up to 15 s while nothing responds, and a change of the state needs two runs
 * that agree (docs/spec/status.md, Probes). So a shorter gap may not be shown. Runs take longer on a shared machine, and
 * a run is ignored if the process that measures was delayed.
 */
const shownSeconds = { alone: 8, shared: 30 };
/**
 * A failure may appear this long after the gap: a run that began during the gap takes up to 15 s, and another run must
 * confirm it.
 */
const lateMilliseconds = 20_000;

const readIntervals = async (statusUrl: string, component: string): Promise<Interval[]> => {
  const { text } = await send(`${statusUrl}/status/components/${component}/intervals.csv`);
  const [, ...lines] = text.trim().split("\r\n");
  return lines.map((line) => {
    const [from = "", to = "", source = "", , state = ""] = line.split(",");
    return { from: Date.parse(from), to: Date.parse(to), source, state };
  });
};

const inWords = ({ from, to, state }: Interval): string =>
  `${state} from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;

type Shown = { fault: Pick<Fault, "isPartial">; gap: Gap; from: number; isShared: boolean };

/**
 * Checks that the status page shows a gap without writes, and no outage at another time. On a shared machine, it may
 * show slow responses at another time.
 * @returns what is wrong, in words.
 */
export const checkStatusPage = async (statusUrl: string, { fault, gap, from, isShared }: Shown): Promise<string[]> => {
  const problems: string[] = [];
  for (const component of components) {
    const intervals = await readIntervals(statusUrl, component);
    const probed = intervals.filter(({ source, to }) => source === "probe" && to > from);
    const failing = probed.filter(({ state }) => state !== "operational");
    const isWithin = (one: Interval) => one.to >= gap.from && one.from <= gap.to + lateMilliseconds;
    const isLong = secondsOf(gap) >= shownSeconds[isShared ? "shared" : "alone"];
    const isMeasured = component === "sandbox" || !fault.isPartial;
    if (isMeasured && isLong && !failing.some(isWithin))
      problems.push(
        `the status page shows no gap of ${component}, ${secondsOf(gap)} s: ${probed.map(inWords).join(", ")}`,
      );
    const wrong = failing.filter((one) => !isWithin(one) && !isShared);
    problems.push(...wrong.map((one) => `the status page shows ${component} ${inWords(one)}, outside the gap`));
  }
  return problems;
};
