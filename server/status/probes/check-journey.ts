import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../data/client.ts";
import { findRefreshToken } from "../../data/oauth/refresh-tokens.ts";
import { findProbe, requestProbe } from "../../data/status/status-probe.ts";
import type { Log } from "../../deps/deps.ts";
import { addSeconds, type Clock, isExpired } from "../../kernel/time/clock.ts";
import type { CheckResult, ServiceName } from "../rules/probes/checks.ts";
import { decideProbe, probeSeconds, probeSoonSeconds } from "../rules/probes/probe-renewal.ts";
import type { ProbeIdentity, ProbeKey } from "./probe-identity.ts";
import { createJourney, type JourneyGrant } from "./run-journey.ts";
import type { Visit } from "./visit.ts";

type GrantOptions = {
  name: ServiceName;
  /** of this environment */
  db: Db;
  identity: ProbeIdentity;
  clock: Clock;
  log: Log;
  /** time for the database to return the grant: a slow database must not delay the journey */
  databaseMilliseconds?: number;
};

type Options = Pick<GrantOptions, "name" | "identity" | "clock"> & {
  baseUrl: string;
  ask?: Visit;
  findGrant: () => Promise<JourneyGrant | null>;
  /** time limit for all steps together, the same as for one request of the other checks */
  timeoutMilliseconds?: number;
};

const isSameKey = (requested: Readonly<Record<string, string>>, { publicJwk }: ProbeKey): boolean =>
  requested["kid"] === publicJwk["kid"];

/**
 * Finds the grant of one environment's probes. The grant is requested in that environment's database and created by a
 * job; until then the result is null. While the database is unavailable, the last grant is used. Concurrent calls share
 * one search.
 */
export const createGrantFinder = (options: GrantOptions): (() => Promise<JourneyGrant | null>) => {
  const { name, db, identity, clock, log, databaseMilliseconds = 1_000 } = options;
  let last: JourneyGrant | null = null;
  let search: Promise<JourneyGrant | null> | null = null;

  const findGrant = async (): Promise<JourneyGrant | null> => {
    const now = clock.now();
    const probe = await findProbe(db.sql, { now, soonSeconds: probeSoonSeconds });
    const granted = probe?.grantedHash ? await findRefreshToken(db.sql, probe.grantedHash) : null;
    const refreshToken = probe?.grantedHash ? identity.findSecret(probe.grantedHash) : null;
    const hasOurKeys =
      probe !== null && isSameKey(probe.agentKey, identity.agent) && isSameKey(probe.merchantKey, identity.merchant);
    const { shouldRequest, canRun } = decideProbe(
      probe && {
        isOurs: hasOurKeys && identity.findSecret(probe.requestedHash) !== null,
        isGranted: refreshToken !== null,
        isPending: probe.requestedHash !== probe.grantedHash,
        isLive: probe.isLive && granted !== null && granted.revokedAt === null && !isExpired(granted, now),
        endsSoon: probe.endsSoon,
      },
    );
    if (shouldRequest) {
      const requestedHash = await identity.makeSecret(addSeconds(now, probeSeconds));
      const [agentKey, merchantKey] = [identity.agent.publicJwk, identity.merchant.publicJwk];
      await requestProbe(db.sql, { agentKey, merchantKey, requestedHash, now });
      log.info({ service: name }, "consent for the synthetic journey requested");
    }
    if (!canRun || refreshToken === null) return null;
    const { agentClientId, merchantClientId, merchantId, mandateId } = probe ?? {};
    if (!agentClientId || !merchantClientId || !merchantId || !mandateId) return null;
    return { agentClientId, merchantClientId, merchantId, mandateId, refreshToken };
  };

  const findInTime = async (): Promise<JourneyGrant | null> => {
    last = await Promise.race([
      findGrant().catch(() => last),
      sleep(databaseMilliseconds, undefined, { ref: false }).then(() => last),
    ]);
    return last;
  };

  return () => {
    search ??= findInTime().finally(() => {
      search = null;
    });
    return search;
  };
};

/** The synthetic journey of one environment. Without a grant, the check doesn't run. */
export const createJourneyCheck = ({ findGrant, ...options }: Options): (() => Promise<CheckResult>) => {
  const makeJourney = createJourney(options);
  return async () => {
    const grant = await findGrant();
    const result = grant ? await makeJourney(grant) : ({ outcome: "not_run", detail: "waiting for consent" } as const);
    return { check: `${options.name}.journey`, ...result };
  };
};
