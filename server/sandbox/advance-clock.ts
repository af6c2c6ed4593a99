import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, appendAudit } from "../data/audit/audit.ts";
import { findClockOffset, holdMilliseconds, setClockOffset, tryHoldClock } from "../data/sandbox/sandbox-clock.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { advanceRefusal, type Refusal } from "./rules/advance.ts";
import { runDueWork } from "./run-due-work.ts";
import { clockLeaseMilliseconds } from "./sandbox-clock.ts";

type Input = { to: Date; actor: Actor; requestId: string };
type Advanced = { from: Date; now: Date };

/** How long a request to move the clock waits for another such request, or for a reset. */
const turnMilliseconds = 60_000;

/**
 * Moves the sandbox's clock forward. Callers are serialized. Returns when every process uses the new time and all work
 * due until then is done. A concurrent charge happens either before the move or after it, never in between.
 * @throws DomainError clock_not_forward, clock_too_far, clock_in_use, clock_work_unfinished.
 */
export const advanceClock = async (deps: Deps, input: Input): Promise<Advanced> => {
  for (const since = performance.now(); performance.now() - since < turnMilliseconds; await sleep(100)) {
    // While another caller moves the clock, waits without a database connection.
    const advanced = await deps.db.sqlTransaction(
      async (sql) => ((await tryHoldClock(sql)) ? advance(deps, input) : null),
      { timeoutMilliseconds: holdMilliseconds },
    );
    if (advanced) return advanced;
  }
  throw new DomainError("conflict", {
    code: "clock_in_use",
    message: "Another request is moving the clock. Try again when it has finished.",
    headers: { "retry-after": "5" },
  });
};

const advance = async (deps: Deps, input: Input): Promise<Advanced> => {
  const from = await move(deps, input);
  // A timer may fire slightly early.
  await sleep(clockLeaseMilliseconds + 10);
  await runDueWork(deps, input.to);
  return { from, now: await deps.businessClock.now() };
};

/** @returns the previous time of the clock. */
const move = (deps: Deps, { to, actor, requestId }: Input): Promise<Date> =>
  deps.db.sqlTransaction(async (sql) => {
    const realNow = deps.clock.now();
    const from = new Date(realNow.getTime() + (await findClockOffset(sql)));
    const refusal = advanceRefusal({ to, businessNow: from, realNow });
    if (refusal) throw clockRefusal(refusal);
    await setClockOffset(sql, to.getTime() - realNow.getTime());
    await appendAudit(sql, {
      at: realNow,
      actor,
      action: "sandbox_clock.advanced",
      subjectId: "sandbox_clock",
      requestId,
      data: { from: from.toISOString(), to: to.toISOString(), reason: "Requested with POST /sandbox/clock" },
    });
    return from;
  });

const clockRefusal = (refusal: Refusal): DomainError =>
  refusal === "clock_not_forward"
    ? new DomainError("conflict", {
        code: "clock_not_forward",
        message: "The clock only moves forward.",
        errors: [{ pointer: "/advance_to", detail: "must be after the clock's current time" }],
      })
    : new DomainError("invalid", {
        code: "clock_too_far",
        message: "The clock can be at most ten years ahead of real time.",
        errors: [{ pointer: "/advance_to", detail: "must be within ten years from now" }],
      });
