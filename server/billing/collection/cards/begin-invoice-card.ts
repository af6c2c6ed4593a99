import { cardSetupTimes } from "../../../accounts/payment-methods/card-setup-times.ts";
import { appendAudit } from "../../../data/audit/audit.ts";
import { insertBillingCardSetup } from "../../../data/billing/collection/card-setups.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { merchantPageUrl } from "../../../kernel/requests/merchant-page-url.ts";
import { takeProcessorRequest } from "../../../merchants/processor/take-processor-request.ts";
import type { InvoiceActor } from "../../invoices/record-invoice.ts";

/** The processor that accepts cards. The simulator has its own test cards. */
const processor = "stripe";

/** Whether merchants can add a card for their invoices. Where the simulator is configured, they use its test cards. */
export const acceptsInvoiceCards = ({ config }: Pick<Deps, "config">): boolean =>
  config.stripe !== null && config.simulatorUrl === null;

type Input = InvoiceActor & { merchantId: string };

/**
 * Opens a page of the processor on which a member enters a card for the merchant's invoices, so that card numbers never
 * reach this service. `settleInvoiceCard` reads the result when the member returns. `settleDueInvoiceCards` reads it
 * regularly until it is known.
 * @throws DomainError invoice_cards_unavailable, too_many_processor_requests, processor_unavailable.
 */
export const beginInvoiceCard = async (
  deps: Deps,
  { merchantId, actor, requestId }: Input,
): Promise<{ setupId: string; pageUrl: string }> => {
  if (!acceptsInvoiceCards(deps)) throw notAcceptedRefusal();
  const { cardSetups } = deps.processors.get(processor);
  if (!cardSetups) throw unavailableRefusal();
  await takeProcessorRequest(deps, { merchantId });
  const setupId = newId("bcs");
  const times = cardSetupTimes(deps.clock.now());
  // The dashboard may show another merchant by the time the member returns.
  const page = merchantPageUrl(deps.config.walletUrl, merchantId, "/billing/details");
  const urls = { doneUrl: `${page}&card=${setupId}`, leaveUrl: page };
  const begun = await cardSetups.begin({ key: setupId, ...urls, expiresAt: times.expiresAt });
  if (begun.kind !== "begun") throw unavailableRefusal();
  const { setupRef, pageUrl } = begun;
  await deps.db.sqlTransaction(async (sql) => {
    await insertBillingCardSetup(sql, { id: setupId, merchantId, processor, setupRef, begunBy: actor.id, ...times });
    const action = "billing_card_setup.begun";
    const data = { card_setup_id: setupId, processor };
    await appendAudit(sql, { at: times.createdAt, actor, requestId, action, subjectId: merchantId, data });
  });
  return { setupId, pageUrl };
};

const notAcceptedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "invoice_cards_unavailable",
    message:
      "Cards for invoices can’t be added through Stripe here. To pay an invoice, write to the e-mail address at the bottom of its PDF.",
  });

const unavailableRefusal = (): DomainError =>
  new DomainError("unavailable", {
    code: "processor_unavailable",
    message: "Cards can’t be added at the moment. Try again in a minute.",
  });
