import type { ParticipantRow } from "#server/data/directory/participants.ts";
import type { Config } from "#server/deps/config.ts";
import { toParticipant } from "#server/directory/participants/participant.wire.ts";
import { serverEntry } from "#server/oauth/server-entry.ts";
import { pageDeps } from "../../page-context.ts";

/** Every visitor sees the same times. */
export const reader = { locale: "en-GB", timeZone: "UTC" };

/**
 * `base`: address of the directory's pages. `origin`: prefix of the links to other pages. If the hosts of DISCOVERY_URL
 * and BASE_URL differ, both are absolute.
 */
const addressesOf = ({ baseUrl, discoveryUrl }: Config): { base: string; origin: string } => {
  const directory = new URL(discoveryUrl);
  return directory.host === new URL(baseUrl).host
    ? { base: directory.pathname, origin: "" }
    : { base: discoveryUrl, origin: baseUrl };
};

export const directoryPage = async () => {
  const deps = await pageDeps();
  const now = deps.clock.now();
  const context = { environment: deps.config.environment, server: () => serverEntry(deps), now };
  return {
    deps,
    config: deps.config,
    now,
    ...addressesOf(deps.config),
    viewOf: (row: ParticipantRow) => toParticipant(row, context),
  };
};
