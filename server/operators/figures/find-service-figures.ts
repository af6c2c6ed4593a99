import { findLastPulse, findQueueLag, findRunLag, type QueueLag } from "../../data/jobs/queue-lag.ts";
import { type ChargeCount, countChargesByState } from "../../data/operators/charge-counts.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { type FigureRange, readRequestFigures } from "../../platform/metrics/read-request-figures.ts";
import { shareAnswer } from "../../platform/share-answer.ts";

type FigureDeps = Pick<Deps, "db" | "clock" | "businessClock">;

/** How long an answer is shared. The figures of requests change once a minute; a day's are sums of many rows. */
const sharedMilliseconds = {
  requests: { hour: 5_000, day: 60_000 },
  queues: 5_000,
  charges: { hour: 10_000, day: 60_000 },
} as const;

const rangeSeconds: Readonly<Record<FigureRange, number>> = { hour: 3600, day: 24 * 3600 };

/**
 * The service as a whole: requests of all web processes, queues, and charges by state. Pages that are open at the same
 * time share the statements (docs/spec/portal.md, Live figures).
 */
export const findServiceFigures = async (deps: FigureDeps, { range }: { range: FigureRange }) => {
  const [hour, shown, queues, charges] = await Promise.all([
    findRequests(deps, "hour"),
    findRequests(deps, range),
    findQueues(deps),
    findCharges(deps, range),
  ]);
  return {
    range,
    current: hour.current,
    total: shown.total,
    points: shown.points,
    ...queues,
    charges,
  };
};

const findRequests = (deps: FigureDeps, range: FigureRange) =>
  shareAnswer(deps, { name: `requests ${range}`, milliseconds: sharedMilliseconds.requests[range] }, () =>
    readRequestFigures(deps, { range }),
  );

const findQueues = (deps: FigureDeps): Promise<{ queues: QueueLag[]; workerSeenAt: Date | null }> =>
  shareAnswer(deps, { name: "queues", milliseconds: sharedMilliseconds.queues }, async () => {
    const { sql } = deps.db;
    const [others, jobs, workerSeenAt] = await Promise.all([
      findQueueLag(sql, deps.clock.now()),
      findRunLag(sql),
      findLastPulse(sql),
    ]);
    return { queues: [jobs, ...others], workerSeenAt };
  });

/** Charges are dated in business time. */
const findCharges = (deps: FigureDeps, range: FigureRange): Promise<ChargeCount[]> =>
  shareAnswer(deps, { name: `charges ${range}`, milliseconds: sharedMilliseconds.charges[range] }, async () =>
    countChargesByState(deps.db.sql, addSeconds(await deps.businessClock.now(), -rangeSeconds[range])),
  );
