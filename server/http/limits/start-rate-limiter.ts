import { policiesOf } from "../../contract/limit-classes.ts";
import { appendAuditAlone } from "../../data/audit/audit.ts";
import type { Db } from "../../data/client.ts";
import { shareRateLimitUsage } from "../../data/platform/rate-limit-buckets.ts";
import type { Config } from "../../deps/config.ts";
import type { Log } from "../../deps/deps.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { Refusal } from "./usage-ledger.ts";

type Parts = { db: Db; config: Pick<Config, "rateLimits">; log: Log };

/**
 * The limiter of one process. Processes share their usage through the database. If the database is unreachable, the
 * process applies the limits on its own.
 */
export const startRateLimiter = ({ db, config, log }: Parts): RateLimiter => {
  const limiter = new RateLimiter({
    policies: policiesOf(config.rateLimits),
    now: () => performance.now(),
    share: (usages) => shareRateLimitUsage(db.sql, usages),
    audit: (refusal) =>
      audit(db, log, refusal).catch((error: unknown) =>
        log.warn({ err: error }, "a rate-limited request could not be recorded in the audit log"),
      ),
    onReach: (isReachable, error) =>
      isReachable
        ? log.info({}, "rate limits are shared again")
        : log.warn({ err: error }, "rate limits can't be shared: this process applies them on its own"),
  });
  limiter.start();
  return limiter;
};

/** The IP address is written to the log, which is kept for days. The audit log keeps ids only. */
const audit = async (db: Db, log: Log, { at, requestId, operation, policy, key, party }: Refusal): Promise<void> => {
  log.info({ requestId, operation, policy: policy.name, key }, "rate limited");
  await appendAuditAlone(db, {
    at,
    ...party,
    action: "request.rate_limited",
    requestId,
    data: { operation, policy: policy.name },
  });
};
