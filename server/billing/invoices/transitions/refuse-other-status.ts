import type { InvoiceRow, InvoiceStatus } from "../../../data/billing/invoices/invoices.ts";
import { DomainError } from "../../../kernel/errors.ts";

/** @throws DomainError conflict: invoice_not_final for a draft, otherwise invoice_not_open. */
export const refuseOtherStatus = ({ status }: InvoiceRow, ...wanted: readonly InvoiceStatus[]): void => {
  if (wanted.includes(status)) return;
  if (status === "draft")
    throw new DomainError("conflict", { code: "invoice_not_final", message: "The invoice is still a draft." });
  throw new DomainError("conflict", { code: "invoice_not_open", message: `The invoice is ${status}.` });
};
