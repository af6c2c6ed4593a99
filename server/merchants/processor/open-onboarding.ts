import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findMerchant } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { merchantNotFound } from "../merchant-not-found.ts";
import { accountsOf, accountUnavailable } from "./connectable.ts";
import { createProcessorAccount } from "./create-processor-account.ts";
import { takeProcessorRequest } from "./take-processor-request.ts";

type Input = { merchantId: string; actor: Actor; requestId: string };

/**
 * Opens a page of the processor on which the merchant enters its details. Creates the merchant's account first if there
 * is none.
 * @throws DomainError too_many_processor_requests, account_disconnected, and those of `createProcessorAccount`.
 */
export const openOnboarding = async (
  deps: Deps,
  { merchantId, actor, requestId }: Input,
): Promise<{ pageUrl: string }> => {
  await takeProcessorRequest(deps, { merchantId });
  const account = await createProcessorAccount(deps, { merchantId, actor, requestId });
  const merchant = await findMerchant(deps.db.sql, merchantId);
  if (!merchant) throw merchantNotFound();
  const pageOf = (name: string) => merchantPageUrl(deps.config.walletUrl, merchantId, `/settings/processor/${name}`);
  const link = await accountsOf(deps, merchant.processor).link({
    account,
    returnUrl: pageOf("return"),
    refreshUrl: pageOf("refresh"),
  });
  if (link.kind === "gone") throw disconnectedRefusal();
  if (link.kind === "unknown") throw accountUnavailable();
  await deps.db.sqlTransaction((sql) =>
    appendAudit(sql, {
      at: deps.clock.now(),
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.processor_page_opened",
      data: { processor: merchant.processor, account },
    }),
  );
  return { pageUrl: link.pageUrl };
};

const disconnectedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "account_disconnected",
    message: "The account was disconnected at Stripe or deleted. Contact Paygrant.",
  });
