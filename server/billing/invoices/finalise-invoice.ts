import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { type Finalised, finaliseDraft } from "./finalise-draft.ts";
import type { InvoiceActor } from "./record-invoice.ts";

type Input = Partial<InvoiceActor> & {
  invoiceId: string;
  refresh?: (sql: Sql, draft: InvoiceRow) => Promise<void>;
};

/**
 * Finalises a draft in one transaction (`finaliseDraft`). A killed process leaves no gap in the numbers
 * (docs/spec/billing.md, Invoices).
 * @throws DomainError not_found.
 */
export const finaliseInvoice = async (
  deps: Pick<Deps, "db" | "businessClock" | "config" | "clock" | "processors">,
  input: Input,
): Promise<Finalised> => {
  const at = await deps.businessClock.now();
  return deps.db.sqlTransaction((sql) => finaliseDraft(deps, sql, { ...input, at }));
};
