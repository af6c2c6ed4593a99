import { appendAudit } from "../data/audit.ts";
import { findApprovalParties } from "../data/charge-approvals.ts";
import type { ChargeRow } from "../data/charges.ts";
import type { Sql } from "../data/client.ts";
import { appendEvent } from "../data/events.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { toChargeObject } from "./charge.wire.ts";
import { approvalAction } from "./rules/approval.ts";
import { actionSeconds } from "./rules/settlement.ts";

type AskDeps = Pick<Deps, "config" | "clock">;
type Asked = { charge: ChargeRow; requestId: string };

/** In the transaction that makes a charge above `step_up_above`: its event and audit entry, and the mail that asks its payer. */
export const askPayer = async (deps: AskDeps, sql: Sql, { charge, requestId }: Asked): Promise<void> => {
  const { id: objectId, createdAt: at } = charge;
  await appendEvent(sql, { type: "charge.requires_action", objectId, data: toChargeObject(charge), at });
  const actor = { kind: "client", id: charge.merchantClientId } as const;
  await appendAudit(sql, { at, actor, action: "charge.requires_action", subjectId: objectId, requestId });
  await mailPayer(deps, sql, { charge, requestId });
};

/**
 * In the transaction that makes a charge wait for its payer, here or at their bank: the mail that leads to its page.
 * It goes by real time, as sending does: it is useless once the 15 minutes are over.
 */
export const mailPayer = async (deps: AskDeps, sql: Sql, { charge, requestId }: Asked): Promise<void> => {
  if (!charge.nextAction) return;
  const { type, expires_at: expiresAt } = charge.nextAction;
  const { email, locale, timeZone, merchantName, clientName } = await findApprovalParties(sql, charge);
  await queueMail(deps, sql, {
    recipient: email,
    content: {
      kind: type === approvalAction ? "approval_needed" : "confirmation_needed",
      ...{ merchantName, clientName, amountMinor: charge.amount, currency: charge.currency },
      ...{ approvalUrl: approvalPage(deps.config, charge.id), expiresAt: new Date(expiresAt) },
      reader: { locale, timeZone },
    },
    ...{ uselessAfter: addSeconds(deps.clock.now(), actionSeconds), requestId },
  });
};

/** Where the payer answers, or goes on to their bank. */
export const approvalPage = ({ walletUrl }: Pick<Deps["config"], "walletUrl">, chargeId: string): string =>
  `${walletUrl}/wallet/approvals/${chargeId}`;
