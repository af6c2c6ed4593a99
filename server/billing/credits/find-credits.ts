import { findUsableGrants } from "../../data/billing/credits/grants.ts";
import type { Sql } from "../../data/client.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";
import { toCredits } from "./split-credits.ts";

/** The credits that an invoice computed at this time would use. */
export const findCredits = async (
  sql: Sql,
  owner: { merchantId: string; currency: string; at: Date },
): Promise<Pick<InvoiceInput, "creditBalance" | "prepaid">> => toCredits(await findUsableGrants(sql, owner));
