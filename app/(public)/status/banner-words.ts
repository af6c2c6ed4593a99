import { formatDuration } from "#components/format/durations.ts";
import { formatPublicDateTime } from "#components/format/public-dates.ts";
import { type ComponentSummary, deployedOrAll } from "#server/status/overview/summarize-components.ts";
import type { ComponentState } from "#server/status/rules/board.ts";

type Tone = "good" | "warn" | "bad" | "note" | "unknown";

/** How much a state weighs in the first sentence, most last. */
const weights: readonly ComponentState[] = [
  "operational",
  "maintenance",
  "unknown",
  "degraded",
  "partial_outage",
  "major_outage",
];

const predicates: Readonly<Record<ComponentState, string>> = {
  operational: "works",
  maintenance: "is under maintenance",
  unknown: "can’t be seen just now",
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

const weightOf = ({ state }: Pick<ComponentSummary, "state">): number => weights.indexOf(state);

/** The first sentences of the page: what is worst, what else there is, and since when. */
export const bannerWords = (
  all: readonly ComponentSummary[],
  now: Date,
): { title: string; text: string; tone: Tone } => {
  const absent = all.filter(({ isDeployed }) => !isDeployed);
  const components = deployedOrAll(all);
  const troubled = components
    .filter(({ state }) => state !== "operational")
    .toSorted((a, b) => weightOf(b) - weightOf(a));
  const [worst, ...others] = troubled;
  if (!worst) {
    const exceptions = absent.map(({ name }) => ` ${name} isn’t deployed.`).join("");
    const text = exceptions
      ? `Every component that is deployed is operational.${exceptions}`
      : "Every component is operational.";
    return { title: "Everything works", text, tone: "good" };
  }
  const tone = tones[worst.state];
  if (troubled.length === components.length && troubled.every(({ state }) => state === "unknown"))
    return { title: "We can’t see how it is just now", text: "No probe has come through lately.", tone };
  const title = `${worst.name} ${predicates[worst.state]}`;
  const also = others.map(({ name, state }) => `${name} ${predicates[state]}.`);
  const rest = others.length === 0 ? ["Everything else works."] : [...also, "All others work."];
  const isAll = troubled.length === components.length;
  const age = formatDuration(now.getTime() - worst.since.getTime());
  return {
    title,
    text: [...(isAll ? also : rest), `Since ${formatPublicDateTime(worst.since, now)}, ${age} ago.`].join(" "),
    tone,
  };
};
