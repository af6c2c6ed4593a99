import { appendAudit } from "../../data/audit/audit.ts";
import { lockExpiredGrants, takeFromGrants } from "../../data/billing/credits/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { postTransaction } from "../ledger/post-transaction.ts";
import { expiryPostings } from "../rules/ledger/postings.ts";

/**
 * Ends prepaid and promotional credits that have expired. Their unused amount leaves the ledger's prepaid balance
 * (docs/spec/billing.md, Credits). Each credit is ended once, also with concurrent callers.
 * @returns the number of credits; if it is `limit`, call it again.
 */
export const expireCredits = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { limit }: { limit: number },
): Promise<number> => {
  const at = await businessClock.dueUntil();
  if (at === null) return 0;
  return db.sqlTransaction(async (sql) => {
    const grants = await lockExpiredGrants(sql, at, limit);
    for (const { id, merchantId, kind, currency, remaining } of grants) {
      // A credit balance never expires.
      if (kind === "credit_note") continue;
      await takeFromGrants(sql, [{ id, amount: remaining }], { invoiceId: null, at });
      await postTransaction(sql, {
        merchantId,
        kind: "credit.expired",
        source: { type: "credit_grant", id },
        postings: expiryPostings({ kind, currency, amount: remaining }),
        at,
      });
      const data = { merchant_id: merchantId, currency, amount: String(remaining) };
      const actor = { kind: "system", id: "billing" } as const;
      await appendAudit(sql, { at, actor, requestId: "-", action: "billing_credit.expired", subjectId: id, data });
    }
    return grants.length;
  });
};
