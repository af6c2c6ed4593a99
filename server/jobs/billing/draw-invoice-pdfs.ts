import { drawIssuedPdfs } from "../../billing/documents/pdf/draw-issued-pdfs.ts";
import type { Tick } from "../job.ts";

const batchSize = 20;

/** Draws the PDFs of new invoices, so that their hashes are stored (docs/spec/billing.md, Documents). */
export const drawInvoicePdfsTick: Tick = {
  name: "draw-invoice-pdfs",
  intervalMilliseconds: 2_000,
  isDue: ({ undrawnInvoices }) => undrawnInvoices,
  async run(deps) {
    const done = await drawIssuedPdfs(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
