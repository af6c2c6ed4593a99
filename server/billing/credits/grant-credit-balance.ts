import { insertCreditGrant } from "../../data/billing/credits/grants.ts";
import type { Sql } from "../../data/client.ts";
import { newId } from "../../kernel/ids.ts";

type Grant = {
  merchantId: string;
  currency: string;
  amount: bigint;
  /** the invoice, credit note or payment that the amount comes from */
  source: { type: string; id: string };
  at: Date;
};

/** Adds to a merchant's credit balance, which never expires. The ledger entries of the source include the amount. */
export const grantCreditBalance = async (sql: Sql, { amount, at, ...grant }: Grant): Promise<void> => {
  const id = newId("crg");
  await insertCreditGrant(sql, {
    ...grant,
    id,
    kind: "credit_note",
    granted: amount,
    priority: 0,
    expiresAt: null,
    grantedAt: at,
  });
};
