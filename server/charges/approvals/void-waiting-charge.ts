import type { ChargeRow } from "../../data/charges/charges.ts";
import { insertAnsweredKey } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import { answerForAct, type ChargeAnswer } from "../charge/charge-answer.ts";
import { type SettledBy, settleCharge } from "../charge/settle-charge.ts";

/** It waits for the payer's approval, and nothing of it was ever sent. */
export const isWaiting = (charge: ChargeRow): boolean =>
  charge.state === "requires_action" && charge.submittedAt === null;

/**
 * The merchant calls off a charge that waits for its payer: at once and for good, as no processor knows of it. The
 * voided charge and the answer under the void's own key are one transaction.
 * @returns null where the payer, the clock, a revocation or another void came first: then this changed nothing.
 */
export const voidWaitingCharge = async (
  deps: Deps,
  charge: ChargeRow,
  idempotency: { route: string; key: string; bodyHash: string },
  by: SettledBy,
): Promise<ChargeAnswer | null> => {
  let answer: ChargeAnswer | null = null;
  await settleCharge(deps, charge, { kind: "voided" }, by, async (sql, voided) => {
    const own = answerForAct(deps, voided, "void");
    const { merchantId, id: chargeId } = voided;
    const { status, body } = own;
    await insertAnsweredKey(sql, {
      merchantId,
      chargeId,
      ...idempotency,
      status,
      body,
      at: await deps.businessClock.now(),
    });
    answer = own;
  });
  return answer;
};
