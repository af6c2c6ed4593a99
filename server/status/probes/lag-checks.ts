import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../data/client.ts";
import { findStatusLags } from "../../data/status/status-lags.ts";
import type { CheckResult, ServiceName } from "../rules/probes/checks.ts";

const timeoutMilliseconds = 5_000;
/** Workers normally take due work within seconds. */
const queueSeconds = 120;
const mailSeconds = 300;

type Finding = Omit<CheckResult, "check">;

/**
 * Checks how long events and mail of one service wait. Without the service's database, the outcome is `not_run`.
 * @param watchedSeconds uptime of this process. It is the longest lag that counts: if the whole machine was paused, a
 *   longer lag isn't the worker's fault.
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
      ? { outcome: "failed", detail: `delayed by ${Math.round(longest)} s` }
      : { outcome: "ok", detail: "no long delay" };
  };
  const notRun: Finding = { outcome: "not_run", detail: "database not available" };
  return [
    { check: `${name}.queue`, ...(lags ? judge(queueSeconds, lags.oldestEvent, lags.sinceEventsJob) : notRun) },
    { check: `${name}.mail`, ...(lags ? judge(mailSeconds, lags.oldestMail, lags.sinceMailJob) : notRun) },
  ];
};
