import { z } from "zod";
import type { Deps } from "../deps/deps.ts";
import { rememberBy } from "../kernel/remember-by.ts";
import { ownUserAgent } from "../kernel/requests/own-agent.ts";
import type { BadgeState } from "./rules/draw-badge.ts";

export const badgeStates = [
  "operational",
  "degraded",
  "partial_outage",
  "major_outage",
  "maintenance",
  "unknown",
] as const satisfies readonly BadgeState[];

const state = z.enum(badgeStates);
const summarySchema = z.object({
  overall: z.object({ state }),
  components: z.array(z.object({ id: z.string(), name: z.string(), state })),
});
type Summary = z.infer<typeof summarySchema>;

/** Each process sends the status process at most one request in this time, even if there are many readers. */
const freshMilliseconds = 15_000;
const timeoutMilliseconds = 2_000;

const readSummary = async (statusUrl: string): Promise<Summary | null> => {
  try {
    const response = await fetch(`${statusUrl}/status/v1/summary`, {
      headers: { "user-agent": ownUserAgent },
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    return response.ok ? summarySchema.parse(await response.json()) : null;
  } catch {
    return null;
  }
};

/**
 * Reads the summary from the separate status process. There is one reader for each configuration, and so one for each
 * process.
 */
const summaryReader = rememberBy(({ statusUrl }: Deps["config"]) => {
  let known: { at: number; summary: Promise<Summary | null> } | null = null;
  return (): Promise<Summary | null> => {
    const at = performance.now();
    if (known === null || at - known.at > freshMilliseconds) known = { at, summary: readSummary(statusUrl) };
    return known.summary;
  };
});

export type ComponentStatus = { name: string; state: BadgeState };

/**
 * @param component null: all components together.
 * @returns the state `unknown` if the status process doesn't answer, or doesn't report the component.
 */
export const findStatus = async (
  { config }: Pick<Deps, "config">,
  component: { key: string; name: string } | null,
): Promise<ComponentStatus> => {
  const summary = await summaryReader(config)();
  if (!component) return { name: "Paygrant", state: summary?.overall.state ?? "unknown" };
  const found = summary?.components.find(({ id }) => id === component.key);
  return { name: component.name, state: found?.state ?? "unknown" };
};
