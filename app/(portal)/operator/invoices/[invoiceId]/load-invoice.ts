import { cache } from "react";
import type { OperatorAction } from "#server/accounts/authorize.ts";
import { orNotFound } from "../../../portal-context.ts";
import { operatorPage } from "../../operator-context.ts";

/** Cached per request, because the title and the page both need the data. */
export const loadInvoice = cache(async (invoiceId: string, action: OperatorAction) => {
  const page = await operatorPage(`/operator/invoices/${encodeURIComponent(invoiceId)}`, action);
  const invoice = await orNotFound(page.api.operatorInvoices.get({ invoiceId: invoiceId.slice(0, 64) }));
  return { ...page, invoice };
});
