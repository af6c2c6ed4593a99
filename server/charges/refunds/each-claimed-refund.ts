import { failureLevel } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";

/** If this worker crashes, another may claim the refund after this time. */
const claimSeconds = 60;

/**
 * Runs `act` for each due refund. If `act` fails for one refund, it still runs for the others. The failed refund
 * remains due. Its claim expires, and a later round claims it again.
 * @returns the number of claimed refunds.
 */
export const eachClaimedRefund = async <Refund extends { id: string }>(
  deps: Deps,
  claim: (lease: { now: Date; leaseUntil: Date }) => Promise<readonly Refund[]>,
  act: (refund: Refund) => Promise<unknown>,
): Promise<number> => {
  const now = deps.clock.now();
  const due = await claim({ now, leaseUntil: addSeconds(now, claimSeconds) });
  await Promise.all(
    due.map(async (refund) => {
      try {
        await act(refund);
      } catch (error) {
        deps.log[failureLevel(error)]({ refundId: refund.id, err: error }, "a due refund could not be processed");
      }
    }),
  );
  return due.length;
};
