import { type Actor, appendAudit } from "../data/audit/audit.ts";
import type { Sql } from "../data/client.ts";
import { listMerchantManagers } from "../data/merchants/members.ts";
import { type MerchantRow, updateMerchantSuspended } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { recordMerchantChange } from "../directory/merchant-entries/record-merchant-change.ts";
import { merchantPageUrl } from "../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../platform/mail/queue-mail-to-all.ts";
import { getLockedMerchant } from "./get-locked-merchant.ts";

type Input = { merchantId: string; isSuspended: boolean; reason: string; actor: Actor; requestId: string };

/**
 * Suspends a merchant, or lifts the suspension. The change applies to every charge after this call returns;
 * charges/rules/merchant-standing.ts defines what a suspended merchant can do. Setting the current state again changes
 * nothing and sends no e-mail.
 * @throws DomainError not_found.
 */
export const setSuspension = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, isSuspended, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    if ((merchant.suspendedAt !== null) === isSuspended) return { isNew: false };
    const at = deps.clock.now();
    await updateMerchantSuspended(sql, merchantId, isSuspended ? at : null);
    const { environment } = deps.config;
    const change = isSuspended ? "suspended" : "resumed";
    await recordMerchantChange(sql, { merchantId, change, changedBy: actor.kind, environment, at });
    await notifyManagers(deps, sql, { merchant, isSuspended, at, requestId });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: isSuspended ? "merchant.suspended" : "merchant.resumed",
      data: { reason },
    });
    return { isNew: true };
  });

/** The e-mail doesn't contain the reason, which is for operators only. */
const notifyManagers = async (
  deps: Pick<Deps, "clock" | "config">,
  sql: Sql,
  {
    merchant,
    isSuspended,
    at,
    requestId,
  }: Pick<Input, "isSuspended" | "requestId"> & { merchant: MerchantRow; at: Date },
): Promise<void> => {
  const kind = isSuspended ? ("merchant_suspended" as const) : ("merchant_resumed" as const);
  const dashboardUrl = merchantPageUrl(deps.config.walletUrl, merchant.id, "");
  const content = (timeZone: string) => ({ kind, merchantName: merchant.displayName, at, timeZone, dashboardUrl });
  const recipients = await listMerchantManagers(sql, merchant.id);
  await queueMailToEach(deps, sql, { recipients, content, requestId });
};
