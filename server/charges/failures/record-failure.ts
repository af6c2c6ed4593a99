import type { AuditEntry } from "../../data/audit/audit.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Sql } from "../../data/client.ts";
import { appendFailureEvents } from "../../data/mail/failed-charges.ts";
import type { AuditedEvents } from "../../data/webhooks/events.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueOptionalMail } from "../../platform/mail/queue-optional-mail.ts";
import { failureMailSeconds } from "../rules/failure.ts";

type Failed = { charge: ChargeRow; events: AuditedEvents; entry: AuditEntry };

/**
 * Writes the events and the audit entry of a charge that failed, and queues an e-mail to the payer: at most one per
 * mandate and hour. The caller's transaction holds the mandate's lock.
 */
export const recordFailure = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { charge, events, entry }: Failed,
): Promise<void> => {
  const { mandateId, merchantId } = charge;
  const now = deps.clock.now();
  const failure = { mandateId, merchantId, now, since: addSeconds(now, -failureMailSeconds) };
  const recipient = await appendFailureEvents(sql, { events, entry, failure });
  if (!recipient) return;
  const { clientName, merchantName, locale, timeZone } = recipient;
  const content = {
    kind: "charge_failed",
    merchantName,
    clientName,
    amountMinor: charge.amount,
    currency: charge.currency,
    declineCode: charge.decline?.decline_code ?? null,
    at: events.at,
    chargeUrl: `${deps.config.walletUrl}/wallet/activity/${charge.id}`,
    reader: { locale, timeZone },
  } as const;
  await queueOptionalMail(deps, sql, { recipient, content, requestId: entry.requestId });
};
