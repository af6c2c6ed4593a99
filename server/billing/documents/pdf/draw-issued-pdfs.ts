import { listUndrawnInvoices } from "../../../data/billing/invoices/documents.ts";
import { isUnavailable } from "../../../data/unavailable.ts";
import type { Deps } from "../../../deps/deps.ts";
import { drawInvoicePdf } from "./draw-invoice-pdf.ts";

/** The invoices whose PDF this process couldn't draw, each with the time of the next attempt. */
const failed = new Map<string, number>();
const retryMilliseconds = 600_000;

/**
 * Draws the PDFs of issued invoices without a stored hash, oldest first, one at a time in the PDF thread, and stores
 * the hashes. Several workers may draw the same PDF: its bytes are the same, and only the first hash is stored.
 * @returns the number of invoices for which a PDF was tried; call again while it equals `limit`.
 */
export const drawIssuedPdfs = async (
  deps: Pick<Deps, "db" | "config" | "log" | "clock">,
  { limit }: { limit: number },
): Promise<number> => {
  const now = deps.clock.now().getTime();
  for (const [id, until] of failed) if (until <= now) failed.delete(id);
  const undrawn = await listUndrawnInvoices(deps.db.sql, { limit, except: [...failed.keys()] });
  for (const wanted of undrawn) {
    try {
      await drawInvoicePdf(deps, wanted);
    } catch (error) {
      if (error instanceof Error && isUnavailable(error)) throw error;
      const { invoiceId } = wanted;
      failed.set(invoiceId, now + retryMilliseconds);
      deps.log.error({ err: error, invoiceId }, "the PDF of an invoice couldn't be drawn");
    }
  }
  return undrawn.length;
};
