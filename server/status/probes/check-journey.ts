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

type Options = {
  name: ServiceName;
  baseUrl: string;
  /** of that environment */
  db: Db;
  identity: ProbeIdentity;
  clock: Clock;
  log: Log;
  ask?: Visit;
  /** for the database to say what was granted: a slow one must not hold up the trial */
  patienceMilliseconds?: number;
  /** for all steps together, as long as any other check waits: a run that is made again takes no longer than 15 s */
  timeoutMilliseconds?: number;
};

const sameKey = (asked: Readonly<Record<string, string>>, { publicJwk }: ProbeKey): boolean =>
  asked["kid"] === publicJwk["kid"];

/**
 * The trial of one environment. What it needs is asked for in that environment's database and given by a job there; until
 * then there is nothing to try, which says nothing. While the database is away the last that was given is tried.
 */
export const createJourneyCheck = (options: Options): (() => Promise<CheckResult>) => {
  const { name, db, identity, clock, log, patienceMilliseconds = 1_000 } = options;
  const makeTrip = createJourney(options);
  let last: JourneyGrant | null = null;

  const look = async (): Promise<JourneyGrant | null> => {
    const now = clock.now();
    const probe = await findProbe(db.sql, { now, soonSeconds: probeSoonSeconds });
    const granted = probe?.grantedHash ? await findRefreshToken(db.sql, probe.grantedHash) : null;
    const refreshToken = probe?.grantedHash ? identity.findSecret(probe.grantedHash) : null;
    const hasOurKeys =
      probe !== null && sameKey(probe.agentKey, identity.agent) && sameKey(probe.merchantKey, identity.merchant);
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
      log.info({ service: name }, "the trial's consent is asked for");
    }
    if (!canRun || refreshToken === null) return null;
    const { agentClientId, merchantClientId, merchantId, mandateId } = probe ?? {};
    if (!agentClientId || !merchantClientId || !merchantId || !mandateId) return null;
    return { agentClientId, merchantClientId, merchantId, mandateId, refreshToken };
  };

  return async () => {
    const found = await Promise.race([
      look().catch(() => last),
      sleep(patienceMilliseconds, undefined, { ref: false }).then(() => last),
    ]);
    last = found;
    const result = found ? await makeTrip(found) : ({ outcome: "absent", detail: "waits for its consent" } as const);
    return { check: `${name}.journey`, ...result };
  };
};
