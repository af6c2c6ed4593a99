import { setTimeout as sleep } from "node:timers/promises";
import { fillDemo } from "../../prisma/seed/seed-demo.ts";
import { ensureStatusLists } from "../credentials/status-lists/publish-status-lists.ts";
import { type Actor, appendAudit } from "../data/audit/audit.ts";
import { holdMilliseconds, tryHoldClock } from "../data/sandbox/sandbox-clock.ts";
import { emptySandbox, finishReset, isPassingLock, isResetUnfinished } from "../data/sandbox/sandbox-reset.ts";
import type { Deps } from "../deps/deps.ts";
import { publishWholeLog } from "../directory/log/publish-log.ts";
import { DomainError } from "../kernel/errors.ts";
import { refreshMilliseconds } from "../oauth/keys/load-key-ring.ts";
import { makeMissingKeys, withLockedKeys } from "../oauth/keys/maintain-signing-keys.ts";
import { enterServerParticipant } from "../oauth/keys/server-participant.ts";
import { clearSimulator } from "../processors/simulator/clear-simulator.ts";

type Input = {
  actor: Actor;
  requestId: string;
  /** does nothing unless a reset was begun but not completed */
  onlyUnfinished?: boolean;
};

/** Requests in progress release their tables within moments. Under high load several attempts may be necessary. */
const tries = 30;
/** After this time every process has compared its keys with the database and read the clock. */
const settleMilliseconds = refreshMilliseconds + 500;

/**
 * Deletes all data of the sandbox in one transaction, including keys, so that nothing issued before is valid. Then
 * creates the demo data again if SEED_DEMO is on. After a crash in between, the sandbox stays marked, and the next
 * process that finds the mark starts the reset again. Processes keep running: they check cached state against the
 * database at every use or within a second.
 * @returns whether it was reset.
 * @throws DomainError clock_in_use while another reset or a move of the clock is in progress.
 */
export const resetSandbox = async (deps: Deps, input: Input): Promise<boolean> => {
  if (deps.config.environment !== "sandbox") throw new Error("only a sandbox can be reset");
  return deps.db.sqlTransaction(
    async (holder) => {
      if (!(await tryHoldClock(holder))) {
        throw new DomainError("conflict", {
          code: "clock_in_use",
          message: "The sandbox is being reset or its clock is being moved. Try again in a moment.",
        });
      }
      if (input.onlyUnfinished && !(await isResetUnfinished(holder))) return false;
      await emptyWithNewKeys(deps, input);
      await Promise.all([deps.keys.refresh(), sleep(settleMilliseconds), clearSimulator(deps.config)]);
      await ensureStatusLists(deps);
      if (deps.config.seedDemo) await fillDemo(deps);
      await publishWholeLog(deps);
      await finishReset(deps.db.sql);
      return true;
    },
    { timeoutMilliseconds: holdMilliseconds },
  );
};

const emptyWithNewKeys = async (deps: Deps, { actor, requestId }: Input): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withLockedKeys(deps, { actor, requestId }, async (work) => {
        await emptySandbox(work.tx, work.at);
        await appendAudit(work.tx.sql, { ...work, action: "sandbox.reset", subjectId: "sandbox" });
        await makeMissingKeys(deps, work);
        await enterServerParticipant(deps, work);
      });
      return;
    } catch (error) {
      if (!isPassingLock(error) || attempt === tries) throw error;
      await sleep(100 + Math.random() * 400);
    }
  }
};
