import { findInvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { invoiceNotFound } from "../get-locked-invoice.ts";
import { listEventsOfLine } from "./list-line-events.ts";

/**
 * Like `listEventsOfLine`, but for any merchant's invoice.
 * @throws DomainError not_found; invalid for ending_before.
 */
export const listLineEventsForOperator = async (
  deps: Parameters<typeof listEventsOfLine>[0],
  request: Omit<Parameters<typeof listEventsOfLine>[1], "merchantId">,
): ReturnType<typeof listEventsOfLine> => {
  const row = await findInvoiceRow(deps.db.sql, request.invoiceId);
  if (!row) throw invoiceNotFound();
  return listEventsOfLine(deps, { ...request, merchantId: row.merchantId });
};
