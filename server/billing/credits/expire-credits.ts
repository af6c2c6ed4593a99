import { appendAudit } from "../../data/audit/audit.ts";
import { type CreditGrantRow, lockExpiredGrant, takeFromGrants } from "../../data/billing/credits/grants.ts";
import type { Sql } from "../../data/client.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { postTransaction } from "../ledger/post-transaction.ts";
import { expiryPostings } from "../rules/ledger/postings.ts";

type ExpiryDeps = Pick<Deps, "db" | "businessClock" | "log">;

/**
 * Ends prepaid and promotional credits that have expired. Their unused amount leaves the ledger's prepaid balance
 * (docs/spec/billing.md, Credits). Each credit expires in its own transaction, so that any number of workers can
 * share the work.
 * @returns the number of credits; if it is `limit`, call it again.
 */
export const expireCredits = async (deps: ExpiryDeps, { limit }: { limit: number }): Promise<number> => {
  const at = await deps.businessClock.dueUntil();
  if (at === null) return 0;
  const failed: string[] = [];
  let done = 0;
  while (done < limit && (await expireNext(deps, { at, failed }))) done += 1;
  return done;
};

/** A credit that fails is skipped, and is tried again by the next run. */
const expireNext = async (deps: ExpiryDeps, { at, failed }: { at: Date; failed: string[] }): Promise<boolean> => {
  for (;;) {
    const claim: { id: string | null } = { id: null };
    try {
      return await deps.db.sqlTransaction(async (sql) => {
        const grant = await lockExpiredGrant(sql, at, { except: failed });
        if (!grant) return false;
        claim.id = grant.id;
        await expireGrant(sql, grant, at);
        return true;
      });
    } catch (error) {
      if (claim.id === null || (error instanceof Error && isUnavailable(error))) throw error;
      deps.log.error({ err: error, creditId: claim.id }, "the expiry of a credit failed");
      failed.push(claim.id);
    }
  }
};

const expireGrant = async (sql: Sql, grant: CreditGrantRow, at: Date): Promise<void> => {
  const { id, merchantId, kind, currency, remaining } = grant;
  // The credit balance never expires.
  if (kind === "credit_note") throw new Error(`credit balance ${id} has an expiry`);
  const [use] = await takeFromGrants(sql, [{ id, amount: remaining }], { invoiceId: null, at });
  await postTransaction(sql, {
    merchantId,
    kind: "credit.expired",
    // If an invoice is voided after the expiry, the amount that it used is returned to the credit, which then expires
    // again. The source's id contains the number of the credit's use, so that each expiry has its own id.
    source: { type: "credit_grant", id: `${id} ${use?.number}` },
    postings: expiryPostings({ kind, currency, amount: remaining }),
    at,
  });
  const data = { merchant_id: merchantId, currency, amount: String(remaining) };
  const actor = { kind: "system", id: "billing" } as const;
  await appendAudit(sql, { at, actor, requestId: "-", action: "billing_credit.expired", subjectId: id, data });
};
