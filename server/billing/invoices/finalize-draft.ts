import { lockUsableGrants, takeFromGrants } from "../../data/billing/credits/grants.ts";
import { findInvoiceRow, type InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows } from "../../data/billing/invoices/lines.ts";
import { replaceDraft, updateTaxAwaited } from "../../data/billing/invoices/write-invoice.ts";
import { addRevenue } from "../../data/billing/revenue/revenue.ts";
import { findTaxDetails } from "../../data/billing/tax-details/tax-details.ts";
import type { Sql } from "../../data/client.ts";
import type { Config } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { announceInvoice } from "../collection/announce-invoice.ts";
import { grantCreditBalance } from "../credits/grant-credit-balance.ts";
import { splitCredits, toCredits } from "../credits/split-credits.ts";
import { postTransaction } from "../ledger/post-transaction.ts";
import { daySeconds, decisionDate, paymentTermDays, taxReadiness } from "../rules/documents/terms.ts";
import { applyCredits } from "../rules/invoice/apply-credits.ts";
import { invoicePostings } from "../rules/ledger/postings.ts";
import { getLockedInvoice } from "./get-locked-invoice.ts";
import { numberDocument } from "./number-document.ts";
import { type InvoiceActor, recordInvoice } from "./record-invoice.ts";
import { type InvoiceParties, makeSnapshot } from "./snapshot.ts";

type Issuing = Pick<Deps, "config" | "clock" | "processors">;

type Input = Partial<InvoiceActor> & {
  invoiceId: string;
  /** business time */
  at: Date;
  /** Computes and stores the draft again (`storeDraft`), immediately before it is finalized. */
  refresh?: (sql: Sql, draft: InvoiceRow) => Promise<void>;
};

export type Finalized =
  | { outcome: "finalized" | "already_final"; number: string; status: InvoiceRow["status"] }
  /** production only: the merchant's tax details are unknown; an operator can decide from `decideFrom` */
  | { outcome: "awaits_tax_details"; decideFrom: Date }
  /** the draft must be refreshed, because the tax details are newer */
  | { outcome: "draft_outdated" }
  /** BILLING_ISSUER is not set */
  | { outcome: "no_issuer" }
  | { outcome: "nothing_to_bill" };

const system: InvoiceActor = { actor: { kind: "system", id: "billing" }, requestId: "-" };

/**
 * Finalizes a draft in the caller's transaction: applies credits, and writes the number, the snapshot, ledger entries,
 * an audit entry, events and, if an amount is due, e-mails. If several callers finalize the draft, one succeeds and the
 * others get its number. The row of the number series is locked until the transaction ends (docs/spec/billing.md,
 * Invoices).
 * @throws DomainError not_found.
 */
export const finalizeDraft = async (deps: Issuing, sql: Sql, input: Input): Promise<Finalized> => {
  const { invoiceId, at, refresh, actor = system.actor, requestId = system.requestId } = input;
  const { environment, billingIssuer: seller } = deps.config;
  const locked = await getLockedInvoice(sql, { invoiceId });
  if (locked.number !== null) return { outcome: "already_final", number: locked.number, status: locked.status };
  if (seller === null) return { outcome: "no_issuer" };
  const buyer = await findTaxDetails(sql, locked.merchantId);
  const readiness = taxReadiness(locked, { environment, taxDetails: buyer });
  if (readiness === "awaits_tax_details") {
    const since = await updateTaxAwaited(sql, invoiceId, at);
    return { outcome: readiness, decideFrom: decisionDate(since) };
  }
  if (readiness === "draft_outdated" && !refresh) return { outcome: readiness };
  await refresh?.(sql, locked);
  const draft = refresh ? await findInvoiceRow(sql, invoiceId) : locked;
  if (!draft) return { outcome: "nothing_to_bill" };
  return issueInvoice(sql, draft, { deps, actor, requestId, at, environment, seller, buyer });
};

type Context = InvoiceActor & InvoiceParties & { deps: Issuing; at: Date; environment: Config["environment"] };

const issueInvoice = async (sql: Sql, draft: InvoiceRow, context: Context): Promise<Finalized> => {
  const { deps, at, environment, actor, requestId } = context;
  const { id: invoiceId, merchantId, currency, total } = draft;
  const grants = await lockUsableGrants(sql, { merchantId, currency, at });
  // Computed again, because other invoices may have used the credits since the draft was computed.
  const credits = applyCredits(total, toCredits(grants));
  await takeFromGrants(sql, splitCredits(credits, grants), { invoiceId, at });
  if (draft.toCreditBalance > 0n) {
    const source = { type: "invoice", id: invoiceId };
    await grantCreditBalance(sql, { merchantId, currency, amount: draft.toCreditBalance, source, at });
  }
  const { creditApplied, amountDue } = credits;
  const prepaidApplied = total - creditApplied - amountDue;
  const status = amountDue === 0n ? ("paid" as const) : ("open" as const);
  const lines = await findInvoiceLineRows(sql, invoiceId);
  const issued = { ...draft, creditApplied, prepaidApplied, amountDue, status, issuedAt: at };
  await postTransaction(sql, {
    merchantId,
    kind: "invoice.finalized",
    source: { type: "invoice", id: invoiceId },
    postings: invoicePostings(issued),
    at,
  });
  const number = await numberDocument(sql, { environment, type: "invoice", at });
  const dueAt = status === "paid" ? at : addSeconds(at, paymentTermDays * daySeconds);
  const final = { ...issued, number, dueAt, updatedAt: at, closedAt: status === "paid" ? at : null };
  await replaceDraft(sql, { ...final, snapshot: makeSnapshot(final, lines, context) });
  await addRevenue(sql, { invoiceId, at, sign: 1 });
  const events =
    status === "paid" ? (["invoice.finalized", "invoice.paid"] as const) : (["invoice.finalized"] as const);
  await recordInvoice(sql, { invoiceId, events, action: "invoice.finalized", actor, requestId, at });
  await announceInvoice(deps, sql, { invoice: final, requestId });
  return { outcome: "finalized", number, status };
};
