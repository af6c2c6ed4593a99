import { findInvoiceHold, findInvoiceSnapshot } from "../../data/billing/invoices/documents.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { getInvoice } from "../invoices/read/get-invoice.ts";
import { readSnapshot } from "../invoices/read-snapshot.ts";
import { reconciliationRetrySeconds } from "../rules/reconciliation-days.ts";
import type { IssuedInvoice } from "./issued-invoice.ts";

/**
 * An invoice as it was issued. Its PDF and UBL documents are created from it.
 * @throws DomainError not_found, also for another merchant's invoice; invoice_not_final for a draft; unavailable
 *   reconciliation_pending for a draft that becomes final when its usage is reconciled.
 */
export const getIssuedInvoice = async (
  deps: Pick<Deps, "db" | "config">,
  { merchantId, invoiceId }: { merchantId: string; invoiceId: string },
): Promise<{ issued: IssuedInvoice; pdfSha256: string | null }> => {
  const { row } = await getInvoice(deps, { merchantId, invoiceId });
  const frozen = await findInvoiceSnapshot(deps.db.sql, invoiceId);
  if (frozen === null || row.number === null || row.issuedAt === null) {
    throw notFinalRefusal(await findInvoiceHold(deps.db.sql, invoiceId));
  }
  const { seller, buyer, taxBehaviour, invoice } = readSnapshot(frozen.snapshot);
  const issued: IssuedInvoice = {
    invoice: { ...invoice, number: row.number, issued_at: row.issuedAt.toISOString() },
    issuer: seller,
    customer: {
      merchantId,
      name: buyer?.name ?? frozen.legalName,
      vatNumber: buyer?.vatNumber ?? null,
      country: buyer?.country ?? frozen.country,
      address: buyer,
    },
    corrects: frozen.corrects,
    reason: row.reason,
    planName: frozen.planName ?? invoice.plan.id,
    timeZone: frozen.timeZone,
    pricesIncludeTax: taxBehaviour === "inclusive",
    isTest: deps.config.environment === "sandbox",
  };
  return { issued, pdfSha256: row.pdfSha256 };
};

const notFinalRefusal = (hold: string | null): DomainError =>
  hold === "reconciliation"
    ? new DomainError("unavailable", {
        code: "reconciliation_pending",
        message: "The invoice will be issued when the usage of its period is reconciled.",
        headers: { "retry-after": String(reconciliationRetrySeconds) },
      })
    : new DomainError("conflict", {
        code: "invoice_not_final",
        message: "The invoice is a draft. Its documents are available after it is issued.",
      });
