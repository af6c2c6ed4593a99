import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { type Finalized, finalizeDraft } from "./finalize-draft.ts";
import type { InvoiceActor } from "./record-invoice.ts";

type Input = Partial<InvoiceActor> & {
  invoiceId: string;
  refresh?: (sql: Sql, draft: InvoiceRow) => Promise<void>;
};

/**
 * Finalizes a draft in one transaction (`finalizeDraft`). A killed process leaves no gap in the numbers
 * (docs/spec/billing.md, Invoices).
 * @throws DomainError not_found.
 */
export const finalizeInvoice = async (
  deps: Pick<Deps, "db" | "businessClock" | "config" | "clock" | "processors">,
  input: Input,
): Promise<Finalized> => {
  const at = await deps.businessClock.now();
  return deps.db.sqlTransaction((sql) => finalizeDraft(deps, sql, { ...input, at }));
};
