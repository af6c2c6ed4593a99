import { createHash } from "node:crypto";
import { keepPdfHash } from "../../../data/billing/invoices/documents.ts";
import type { Deps } from "../../../deps/deps.ts";
import { renderPdf } from "../../../platform/pdf/render-pdf.ts";
import { getIssuedInvoice } from "../get-issued-invoice.ts";
import { invoicePdf } from "./invoice-pdf.ts";

/**
 * Renders the PDF of an issued invoice, and stores the hash of its first copy.
 * @throws DomainError not_found, invoice_not_final, reconciliation_pending, unavailable.
 */
export const drawInvoicePdf = async (
  deps: Pick<Deps, "db" | "config" | "log">,
  input: { merchantId: string; invoiceId: string },
): Promise<Uint8Array> => {
  const { issued, pdfSha256 } = await getIssuedInvoice(deps, input);
  const bytes = await renderPdf(invoicePdf(issued));
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (pdfSha256 === null) await keepPdfHash(deps.db.sql, input.invoiceId, hash);
  else if (pdfSha256 !== hash)
    deps.log.error(
      { invoiceId: input.invoiceId, pdfSha256, hash },
      "the PDF of an invoice differs from its first copy",
    );
  return bytes;
};
