import { type ChargeCount, countRecentCharges } from "../../charges/lists/count-recent-charges.ts";
import { findLastPulse, findQueueLag, findRunLag, type QueueLag } from "../../data/jobs/queue-lag.ts";
import type { Deps } from "../../deps/deps.ts";
import { type FigureRange, readRequestFigures } from "../../platform/metrics/read-request-figures.ts";
import { shareAnswer } from "../../platform/share-answer.ts";

// Figures of the service as a whole. Each part is loaded separately, so that a slow or failed part doesn't affect the
// others. All open pages share the result of one SQL statement (docs/spec/portal.md, Live figures).

type FigureDeps = Pick<Deps, "db" | "clock" | "businessClock">;

/**
 * How long a result is shared. Request figures change once a minute. Figures of a day are shared longer, because they
 * add up many rows.
 */
const sharedMilliseconds = {
  requests: { hour: 5_000, day: 60_000 },
  queues: 5_000,
  charges: { hour: 10_000, day: 60_000 },
} as const;

const rangeSeconds: Readonly<Record<FigureRange, number>> = { hour: 3600, day: 24 * 3600 };

/** Requests of all web processes, now and in the period. */
export const findServiceRequests = async (deps: FigureDeps, { range }: { range: FigureRange }) => {
  const [hour, shown] = await Promise.all([findRequests(deps, "hour"), findRequests(deps, range)]);
  return { current: hour.current, total: shown.total, points: shown.points };
};

const findRequests = (deps: FigureDeps, range: FigureRange) =>
  shareAnswer(deps, { name: `requests ${range}`, milliseconds: sharedMilliseconds.requests[range] }, () =>
    readRequestFigures(deps, { range }),
  );

/** Due work of all queues, and when a worker last reported. */
export const findServiceQueues = (deps: FigureDeps): Promise<{ queues: QueueLag[]; workerSeenAt: Date | null }> =>
  shareAnswer(deps, { name: "queues", milliseconds: sharedMilliseconds.queues }, async () => {
    const { sql } = deps.db;
    const [others, jobs, workerSeenAt] = await Promise.all([
      findQueueLag(sql, deps.clock.now()),
      findRunLag(sql),
      findLastPulse(sql),
    ]);
    return { queues: [jobs, ...others], workerSeenAt };
  });

/** Charges of the period by state. */
export const findServiceCharges = (deps: FigureDeps, { range }: { range: FigureRange }): Promise<ChargeCount[]> =>
  shareAnswer(deps, { name: `charges ${range}`, milliseconds: sharedMilliseconds.charges[range] }, () =>
    countRecentCharges(deps, { seconds: rangeSeconds[range] }),
  );
