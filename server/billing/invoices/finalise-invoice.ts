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
  { db, businessClock, config }: Pick<Deps, "db" | "businessClock" | "config">,
  input: Input,
): Promise<Finalised> => {
  const at = await businessClock.now();
  const { environment, billingIssuer: seller } = config;
  return db.sqlTransaction((sql) => finaliseDraft(sql, { ...input, environment, seller, at }));
};
