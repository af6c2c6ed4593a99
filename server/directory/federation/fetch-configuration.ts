import type { FetchedEntity } from "../../data/directory/federation-entities.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds, epochSeconds } from "../../kernel/time/clock.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { configurationUrl, readEntityConfiguration } from "../rules/federation/entity-configuration.ts";

const limits = { maxBytes: 64 * 1024, timeoutMilliseconds: 5_000 } as const;
const statementType = "application/entity-statement+jwt";

/** An entity whose configuration can't be fetched for this time is no longer a subordinate. */
const maxValiditySeconds = 72 * 3600;

/** The interval of the fetches. */
export const checkSeconds = 3600;

/** `problem`: a sentence for the participant. `busy`: too many requests are in progress, so nothing is known. */
export type Fetched = { is: "fetched"; entity: FetchedEntity } | { is: "refused"; problem: string } | { is: "busy" };

const failures: Readonly<Record<Exclude<OutboundError["problem"], "busy">, string>> = {
  bad_address: "The URL of the configuration can’t be used.",
  unreachable: "The host has no public IP address that responds.",
  timed_out: "The host does not answer within 5 seconds.",
  too_large: "The configuration is larger than 64 KiB.",
  bad_answer: `The configuration is not returned with status 200 as ${statementType}.`,
};

/** Fetches and verifies the configuration of an entity. */
export const fetchConfiguration = async (
  deps: Pick<Deps, "outbound" | "config" | "clock" | "log">,
  entityId: string,
): Promise<Fetched> => {
  const url = configurationUrl(entityId);
  try {
    const headers = { accept: statementType };
    const answer = await deps.outbound.request({ ...limits, url, method: "GET", headers, canWait: true });
    const type = answer.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
    if (answer.status !== 200 || type !== statementType) throw new OutboundError("bad_answer", "not a statement");
    return read(deps, entityId, answer.body.toString("latin1").trim());
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    deps.log.info({ host: new URL(entityId).host, problem: error.message }, "federation configuration");
    return error.problem === "busy" ? { is: "busy" } : { is: "refused", problem: failures[error.problem] };
  }
};

const read = ({ config, clock }: Pick<Deps, "config" | "clock">, entityId: string, configuration: string): Fetched => {
  const at = clock.now();
  const expected = { entityId, anchorId: config.discoveryUrl, nowSeconds: epochSeconds(at) };
  const result = readEntityConfiguration(configuration, expected);
  if ("problem" in result) return { is: "refused", problem: `The configuration ${result.problem}.` };
  const longest = addSeconds(at, maxValiditySeconds);
  const expiresAt = new Date(Math.min(result.expiresAtSeconds * 1000, longest.getTime()));
  return {
    is: "fetched",
    entity: {
      entityId,
      configuration,
      keyThumbprints: result.keys.map(({ thumbprint }) => thumbprint).toSorted(),
      entityTypes: Object.keys(result.metadata),
      validUntil: expiresAt,
    },
  };
};
