import { appendAudit } from "../data/audit.ts";
import { findApprovalParties } from "../data/charge-approvals.ts";
import type { ChargeRow } from "../data/charges.ts";
import type { Sql } from "../data/client.ts";
import { appendEvent } from "../data/events.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { toChargeObject } from "./charge.wire.ts";
import { actionSeconds } from "./rules/settlement.ts";

/**
 * In the transaction that makes a charge above `step_up_above`: its event and audit entry, and the mail that asks its payer.
 * The mail goes by real time, as sending does: it is useless once the 15 minutes are over.
 */
export const askPayer = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { charge, requestId }: { charge: ChargeRow; requestId: string },
): Promise<void> => {
  const { id: chargeId, createdAt: at, nextAction } = charge;
  if (!nextAction) return;
  await appendEvent(sql, { type: "charge.requires_action", objectId: chargeId, data: toChargeObject(charge), at });
  const actor = { kind: "client", id: charge.merchantClientId } as const;
  await appendAudit(sql, { at, actor, action: "charge.requires_action", subjectId: chargeId, requestId });
  const { email, locale, timeZone, merchantName, clientName } = await findApprovalParties(sql, charge);
  await queueMail(deps, sql, {
    recipient: email,
    content: {
      kind: "approval_needed",
      ...{ merchantName, clientName, amountMinor: charge.amount, currency: charge.currency },
      ...{ approvalUrl: nextAction.url, expiresAt: new Date(nextAction.expires_at), reader: { locale, timeZone } },
    },
    ...{ uselessAfter: addSeconds(deps.clock.now(), actionSeconds), requestId },
  });
};
