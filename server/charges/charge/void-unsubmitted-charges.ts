import { appendAudit } from "../../data/audit/audit.ts";
import { type ChargeRow, updateUnsubmittedVoided } from "../../data/charges/charges.ts";
import { chargeRoute, freeIdempotencyKey, keepFinalAnswers } from "../../data/charges/idempotency.ts";
import type { Sql } from "../../data/client.ts";
import { giveBackCredential } from "../../data/credentials/credential-uses.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { answerToCharge } from "../idempotency/answers.ts";
import { chargeResult } from "../rules/results.ts";
import { toChargeObject } from "./charge.wire.ts";

/** Called by each revocation. Voids `reserved` and unsubmitted `requires_action` charges and releases their holds. */
export const voidUnsubmittedCharges = async (
  deps: Pick<Deps, "config">,
  sql: Sql,
  input: { mandateId: string; at: Date; requestId: string },
): Promise<void> => {
  const voided = await updateUnsubmittedVoided(sql, input);
  for (const charge of voided) {
    await settleKey(deps, sql, { charge, at: input.at });
    await appendEvent(sql, { type: "charge.voided", objectId: charge.id, data: toChargeObject(charge), at: input.at });
    await appendAudit(sql, {
      at: input.at,
      actor: { kind: "system", id: "revocation" },
      action: "charge.voided",
      subjectId: charge.id,
      requestId: input.requestId,
      data: { mandate_id: charge.mandateId },
    });
  }
};

/**
 * A charge that waited for the payer was answered with 202, so its key gets a final answer. The key of any other charge
 * becomes free, and the credential presented for it is unused again.
 */
const settleKey = async (
  deps: Pick<Deps, "config">,
  sql: Sql,
  { charge, at }: { charge: ChargeRow; at: Date },
): Promise<void> => {
  const { merchantId, id: chargeId } = charge;
  if (charge.nextAction === null) {
    await giveBackCredential(sql, chargeId);
    return freeIdempotencyKey(sql, { merchantId, chargeId, route: chargeRoute });
  }
  const answers = [{ ...answerToCharge(deps, chargeResult(charge)), route: chargeRoute }];
  await keepFinalAnswers(sql, { merchantId, chargeId, answers, at });
};
