import type { ChargeRow } from "../../data/charges/charges.ts";
import { insertAnsweredKey } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import { settleCharge } from "../charge/settle-charge.ts";
import type { SettledBy } from "../charge/settled-by.ts";
import { answerToAct } from "../idempotency/answers.ts";
import { type ActResult, actResult } from "../rules/results.ts";

/** Whether the charge waits for the payer's approval. Such a charge was never sent to a processor. */
export const isWaiting = (charge: ChargeRow): boolean =>
  charge.state === "requires_action" && charge.submittedAt === null;

/**
 * Voids a charge that waits for the payer's approval. This is immediate and final, because the charge was not sent to a
 * processor. The voided charge and the answer under the void's own key are written in one transaction.
 * @returns null if the payer, the expiry, a revocation or another void was first. In this case, nothing was changed.
 */
export const voidWaitingCharge = async (
  deps: Deps,
  charge: ChargeRow,
  { idempotency, by }: { idempotency: { route: string; key: string; bodyHash: string }; by: SettledBy },
): Promise<ActResult<ChargeRow> | null> => {
  let result: ActResult<ChargeRow> | null = null;
  await settleCharge(deps, charge, {
    event: { kind: "voided" },
    by,
    async also(sql, voided) {
      const own = actResult(voided, "void");
      const { merchantId, id: chargeId } = voided;
      const at = await deps.businessClock.now();
      await insertAnsweredKey(sql, { merchantId, chargeId, ...idempotency, ...answerToAct(deps, own), at });
      result = own;
    },
  });
  return result;
};
