import { type Actor, appendAudit } from "../data/audit/audit.ts";
import type { Sql } from "../data/client.ts";
import type { MerchantRow } from "../data/merchants/merchants.ts";
import { listMerchantOwners, updateMerchantReview } from "../data/merchants/new-merchants.ts";
import type { Deps } from "../deps/deps.ts";
import { enrolMerchant } from "../directory/participants/enrol-participant.ts";
import { DomainError } from "../kernel/errors.ts";
import { merchantPageUrl } from "../kernel/requests/merchant-page-url.ts";
import { queueMailToEach } from "../platform/mail/queue-mail-to-all.ts";
import { getLockedMerchant } from "./get-locked-merchant.ts";
import { settingsVersion } from "./settings/settings-version.ts";

type Input = {
  merchantId: string;
  review: "approved" | "declined";
  /** version of the details that the operator reviewed */
  version: string;
  /** for the audit log; the owners of a declined merchant read it */
  reason: string;
  actor: Actor;
  requestId: string;
};

/**
 * An operator approves or declines a new merchant. A declined merchant can be approved later. An approved merchant can
 * only be suspended. The decision applies only to the details that the operator saw, because members can change them
 * until the approval. Repeating a decision changes nothing and sends no e-mail.
 * @throws DomainError not_found, merchant_already_approved, merchant_details_changed.
 */
export const reviewMerchant = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, review, version, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const merchant = await getLockedMerchant(sql, merchantId);
    if (merchant.review === review) return { isNew: false };
    const at = deps.clock.now();
    const isApproved = review === "approved";
    const from = isApproved ? (["pending", "declined"] as const) : (["pending"] as const);
    if (!(await updateMerchantReview(sql, merchantId, { review, from, reason: isApproved ? null : reason, at }))) {
      throw new DomainError("conflict", {
        code: "merchant_already_approved",
        message: "This merchant was already approved. To stop its charges, suspend it.",
      });
    }
    if (version !== settingsVersion(merchant, "details")) throw detailsChanged();
    const { environment } = deps.config;
    if (isApproved) await enrolMerchant(sql, { merchantId, changedBy: actor.kind, environment, at });
    await notifyOwners(deps, sql, { merchant, review, reason, at, requestId });
    await appendAudit(sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: isApproved ? "merchant.approved" : "merchant.declined",
      data: { reason },
    });
    return { isNew: true };
  });

const detailsChanged = (): DomainError =>
  new DomainError("conflict", {
    code: "merchant_details_changed",
    message: "The details changed after this page was loaded. Close this dialog, then review the details again.",
  });

const notifyOwners = async (
  deps: Pick<Deps, "clock" | "config">,
  sql: Sql,
  {
    merchant,
    review,
    reason,
    at,
    requestId,
  }: Omit<Input, "actor" | "merchantId" | "version"> & { merchant: MerchantRow; at: Date },
): Promise<void> => {
  const mustConnect = merchant.processorAccount === "";
  const page = review === "approved" && mustConnect ? "/settings" : "";
  const about = {
    merchantName: merchant.displayName,
    at,
    dashboardUrl: merchantPageUrl(deps.config.walletUrl, merchant.id, page),
  };
  const content = (timeZone: string) =>
    review === "approved"
      ? ({ kind: "merchant_approved", mustConnect, ...about, timeZone } as const)
      : ({ kind: "merchant_declined", reason, ...about, timeZone } as const);
  const recipients = await listMerchantOwners(sql, merchant.id);
  await queueMailToEach(deps, sql, { recipients, content, requestId });
};
