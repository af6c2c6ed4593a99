import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { type CreditGrantRow, insertCreditGrant, lockGrantOf } from "../../data/billing/credits/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, fieldRefusal, sentenceRefusal } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { currencyProblem, isCurrency, maxAmountMinor } from "../../kernel/money/money.ts";
import { getLockedMerchant } from "../../merchants/get-locked-merchant.ts";
import { postTransaction } from "../ledger/post-transaction.ts";
import { grantPostings } from "../rules/ledger/postings.ts";

type Input = {
  merchantId: string;
  /** `prepaid`: the merchant has paid the amount; `promotional`: it is a gift */
  kind: "prepaid" | "promotional";
  currency: string;
  amountMinor: bigint;
  /** lower ones are used first */
  priority: number;
  expiresAt: Date | null;
  /** unique per merchant: a repeated request grants no second credit */
  key: string;
  reason: string;
  actor: Actor;
  requestId: string;
};

/**
 * Grants a prepaid or promotional credit, with its ledger entries and audit entry (docs/spec/billing.md, Credits).
 * @throws DomainError not_found, invalid naming the field, conflict if the key was used for another grant.
 */
export const grantCredit = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  input: Input,
): Promise<{ grantId: string; isNew: boolean }> => {
  const { merchantId, kind, currency, amountMinor, actor, requestId } = input;
  const at = await businessClock.now();
  refuseInvalid(input, at);
  return db.sqlTransaction(async (sql) => {
    await getLockedMerchant(sql, merchantId);
    const source = { type: "operator", id: `${merchantId} ${input.key}` };
    const existing = await lockGrantOf(sql, source);
    if (existing) {
      if (!isGrantOf(existing, input)) throw keyConflict();
      return { grantId: existing.id, isNew: false };
    }
    const id = newId("crg");
    const { priority, expiresAt } = input;
    await insertCreditGrant(sql, {
      id,
      merchantId,
      kind,
      currency,
      granted: amountMinor,
      priority,
      expiresAt,
      grantedAt: at,
      source,
    });
    await postTransaction(sql, {
      merchantId,
      kind: "credit.granted",
      source: { type: "credit_grant", id },
      postings: grantPostings({ kind, currency, amount: amountMinor }),
      at,
    });
    const data = { merchant_id: merchantId, kind, currency, amount: String(amountMinor), reason: input.reason };
    await appendAudit(sql, { at, actor, requestId, action: "billing_credit.granted", subjectId: id, data });
    return { grantId: id, isNew: true };
  });
};

const refuseInvalid = ({ currency, amountMinor, expiresAt, key, reason }: Input, at: Date): void => {
  if (!isCurrency(currency)) throw fieldRefusal("/currency", currencyProblem);
  if (amountMinor < 1n || amountMinor > maxAmountMinor)
    throw fieldRefusal("/amount", `must be from 1 to ${maxAmountMinor}`);
  if (expiresAt && expiresAt <= at)
    throw sentenceRefusal("/expiresAt", "Choose a later date. The credit must expire in the future.");
  if (!/^\S{1,200}$/.test(key)) throw fieldRefusal("/key", "must be 1 to 200 characters without spaces");
  if (reason.trim() === "" || reason.length > 500) throw fieldRefusal("/reason", "must be 1 to 500 characters");
};

const isGrantOf = (grant: CreditGrantRow, { kind, currency, amountMinor, priority, expiresAt }: Input): boolean =>
  grant.kind === kind &&
  grant.currency === currency &&
  grant.granted === amountMinor &&
  grant.priority === priority &&
  grant.expiresAt?.getTime() === expiresAt?.getTime();

const keyConflict = () =>
  new DomainError("conflict", {
    code: "credit_conflict",
    message: "A different credit was already granted with this key. Use a new key.",
    errors: [{ pointer: "/key", detail: "was used for another credit" }],
  });
