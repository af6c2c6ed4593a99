import { formatDuration } from "#components/format/durations.ts";
import { formatPublicDateTime } from "#components/format/public-dates.ts";
import { type ComponentSummary, deployedOrAll } from "#server/status/overview/summarize-components.ts";
import type { ComponentState } from "#server/status/rules/board.ts";

type Tone = "good" | "warn" | "bad" | "note" | "unknown";

/** States from the least to the most severe. */
const severities: readonly ComponentState[] = [
  "operational",
  "maintenance",
  "unknown",
  "degraded",
  "partial_outage",
  "major_outage",
];

const predicates: Readonly<Record<Exclude<ComponentState, "unknown">, string>> = {
  operational: "is operational",
  maintenance: "is under maintenance",
  degraded: "is degraded",
  partial_outage: "is partly down",
  major_outage: "is down",
};

const tones: Readonly<Record<ComponentState, Tone>> = {
  operational: "good",
  maintenance: "note",
  unknown: "unknown",
  degraded: "warn",
  partial_outage: "bad",
  major_outage: "bad",
};

const severityOf = ({ state }: Pick<ComponentSummary, "state">): number => severities.indexOf(state);

const statement = ({ name, state }: Pick<ComponentSummary, "name" | "state">): string =>
  state === "unknown" ? `${name}: status unknown` : `${name} ${predicates[state]}`;

/** The banner names the most severe state and its start, then the other states. */
export const bannerText = (
  all: readonly ComponentSummary[],
  now: Date,
): { title: string; text: string; tone: Tone } => {
  const notDeployed = all.filter(({ isDeployed }) => !isDeployed);
  const components = deployedOrAll(all);
  const affected = components
    .filter(({ state }) => state !== "operational")
    .toSorted((a, b) => severityOf(b) - severityOf(a));
  const [worst, ...others] = affected;
  if (!worst) {
    const exceptions = notDeployed.map(({ name }) => ` ${name} isn’t deployed.`).join("");
    const text = exceptions
      ? `All deployed components are operational.${exceptions}`
      : "All components are operational.";
    return { title: "All systems operational", text, tone: "good" };
  }
  const tone = tones[worst.state];
  if (affected.length === components.length && affected.every(({ state }) => state === "unknown"))
    return { title: "Status unknown", text: "No probe has succeeded recently.", tone };
  const title = statement(worst);
  const also = others.map((component) => `${statement(component)}.`);
  const rest =
    others.length === 0
      ? ["All other components are operational."]
      : [...also, "All other components are operational."];
  const isAll = affected.length === components.length;
  const age = formatDuration(now.getTime() - worst.since.getTime());
  return {
    title,
    text: [`Since ${formatPublicDateTime(worst.since, now)} (for ${age}).`, ...(isAll ? also : rest)].join(" "),
    tone,
  };
};
