import { appendAudit } from "../../data/audit/audit.ts";
import { insertMeteredCall } from "../../data/billing/meters/metering.ts";
import { getApprovalParties, takeApprovalMail } from "../../data/charges/charge-approvals.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import { appendEvent } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { toChargeObject } from "../charge/charge.wire.ts";
import { approvalAction, approvalMailsAnHour } from "../rules/approval.ts";
import { actionSeconds } from "../rules/schedule.ts";

type AskDeps = Pick<Deps, "config" | "clock">;
type ApprovalRequest = { charge: ChargeRow; requestId: string };

/**
 * Adds the event, the audit entry, the mail to the payer and the metered step-up. Runs in the transaction that makes a
 * charge above `step_up_above`.
 */
export const askPayer = async (deps: AskDeps, sql: Sql, { charge, requestId }: ApprovalRequest): Promise<void> => {
  const { id: objectId, createdAt: at } = charge;
  await appendEvent(sql, { type: "charge.requires_action", objectId, data: toChargeObject(charge), at });
  const actor = { kind: "client", id: charge.merchantClientId } as const;
  const data = await mailPayer(deps, sql, { charge, requestId });
  await appendAudit(sql, { at, actor, action: "charge.requires_action", subjectId: objectId, requestId, data });
  await insertMeteredCall(sql, {
    id: dateId(newId("mev"), at),
    merchantId: charge.merchantId,
    at,
    meter: "step_ups",
    clientId: charge.merchantClientId,
    subject: objectId,
  });
};

/**
 * Queues a mail with a link to the approval page, unless the mandate has reached its hourly limit of mails. Runs in the
 * transaction that makes a charge wait for its payer, here or at their bank. The hour of the limit, and the 15 minutes
 * after which the mail is no longer useful, are counted in real time, because mails are sent in real time.
 * @returns for the audit entry: whether the payer was mailed.
 */
export const mailPayer = async (
  deps: AskDeps,
  sql: Sql,
  { charge, requestId }: ApprovalRequest,
): Promise<{ mail?: "queued" | "withheld" }> => {
  if (!charge.nextAction) return {};
  const now = deps.clock.now();
  const { mandateId } = charge;
  const window = { at: now, limit: approvalMailsAnHour, since: addSeconds(now, -3600) };
  const taken = await takeApprovalMail(sql, { mandateId, ...window });
  if (!taken) return { mail: "withheld" };
  const { type, expires_at: expiresAt } = charge.nextAction;
  const { email, locale, timeZone, merchantName, clientName } = await getApprovalParties(sql, charge);
  if (email === null) return {};
  await queueMail(deps, sql, {
    recipient: email,
    content: {
      kind: type === approvalAction ? "approval_needed" : "confirmation_needed",
      merchantName,
      clientName,
      amountMinor: charge.amount,
      currency: charge.currency,
      approvalUrl: approvalPage(deps.config, charge.id),
      expiresAt: new Date(expiresAt),
      isLast: taken.isLast,
      reader: { locale, timeZone },
    },
    obsoleteAfter: addSeconds(now, actionSeconds),
    requestId,
  });
  return { mail: "queued" };
};

/** The page where the payer answers, or continues to their bank. */
export const approvalPage = ({ walletUrl }: Pick<Deps["config"], "walletUrl">, chargeId: string): string =>
  `${walletUrl}/wallet/approvals/${chargeId}`;
