import { appendAudit } from "../../data/audit/audit.ts";
import { requestSubscription } from "../../data/status/status-subscribers.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { type ComponentKey, componentName } from "../rules/components.ts";
import { addressHashOf, subscriberSealContext, unsubscribeUrl } from "./subscription-token.ts";

const confirmSeconds = 24 * 3600;
/** At most one confirmation per address in this time, so that a mailbox can't be flooded. */
const resendSeconds = 3600;

/**
 * Mails a confirmation to the address. The same happens for an address that is already subscribed: its components
 * change once its owner confirms, and only the owner of the mailbox learns of the subscription.
 */
export const subscribeByMail = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "sealer">,
  { address, components, info }: { address: string; components: readonly ComponentKey[]; info: RequestInfo },
): Promise<void> => {
  const recipient = address.toLowerCase();
  const now = deps.clock.now();
  const [id, token] = [newId("sub"), newSecret()];
  await deps.db.sqlTransaction(async (sql) => {
    const subscriberId = await requestSubscription(sql, {
      id,
      components,
      createdAt: now,
      confirmExpiresAt: addSeconds(now, confirmSeconds),
      addressHash: addressHashOf(deps, "email", recipient),
      addressSealed: deps.sealer.seal(recipient, subscriberSealContext(id, "address")),
      confirmHash: sha256Base64url(token),
      resendIfExpiresBy: addSeconds(now, confirmSeconds - resendSeconds),
    });
    if (subscriberId === null) return;
    await queueMail(deps, sql, {
      recipient,
      requestId: info.requestId,
      unsubscribeUrl: unsubscribeUrl(deps, subscriberId),
      obsoleteAfter: addSeconds(now, confirmSeconds),
      content: {
        kind: "status_confirm",
        components: components.map(componentName),
        confirmUrl: `${deps.config.statusUrl}/status/confirm?token=${token}`,
      },
    });
    await appendAudit(sql, {
      at: now,
      actor: { kind: "anonymous", id: "-" },
      subjectId: subscriberId,
      requestId: info.requestId,
      action: "status_subscription.requested",
      data: { kind: "email" },
    });
  });
};
