import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../data/client.ts";
import { findStatusLags } from "../../data/status/status-lags.ts";
import type { CheckResult, ServiceName } from "../rules/probes/checks.ts";

const timeoutMilliseconds = 5_000;
/** What is due is taken within seconds. */
const queueSeconds = 120;
const mailSeconds = 300;

type Finding = Omit<CheckResult, "check">;

/**
 * How long events and mail of one service wait; nothing where its database is not ours to ask, or is away.
 * @param watchedSeconds how long this process has run: a worker that stood still while all did is not late.
 */
export const checkLags = async (
  name: ServiceName,
  db: Db | null,
  { now, watchedSeconds }: { now: Date; watchedSeconds: number },
): Promise<CheckResult[]> => {
  const lags = db
    ? await Promise.race([
        findStatusLags(db.sql, now).catch(() => null),
        sleep(timeoutMilliseconds, null, { ref: false }),
      ])
    : null;
  const judge = (limit: number, oldest: number | null, sinceJob: number | null): Finding => {
    const longest = Math.min(Math.max(oldest ?? 0, sinceJob ?? 0), watchedSeconds);
    return longest > limit
      ? { outcome: "failed", detail: `what is due waits for ${Math.round(longest)} s` }
      : { outcome: "ok", detail: "nothing waits" };
  };
  const absent: Finding = { outcome: "absent", detail: "can't be requested" };
  return [
    { check: `${name}.queue`, ...(lags ? judge(queueSeconds, lags.oldestEvent, lags.sinceEventsJob) : absent) },
    { check: `${name}.mail`, ...(lags ? judge(mailSeconds, lags.oldestMail, lags.sinceMailJob) : absent) },
  ];
};
