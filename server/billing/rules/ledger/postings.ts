import type { LedgerAccount, Posting } from "./accounts.ts";

type Side = readonly [LedgerAccount, bigint];

const postingsIn = (currency: string, sides: readonly Side[]): Posting[] =>
  sides.flatMap(([account, amount]) => (amount === 0n ? [] : [{ account, currency, amount }]));

type Issued = {
  currency: string;
  discount: bigint;
  tax: bigint;
  total: bigint;
  toCreditBalance: bigint;
  creditApplied: bigint;
  prepaidApplied: bigint;
};

/**
 * A final invoice. Revenue is posted without discounts, which have an account of their own. Credit balance and prepaid
 * amounts were posted when they were granted. They now settle a part of the receivable. The amount of a negative total
 * is owed to the merchant.
 */
export const invoicePostings = (invoice: Issued): Posting[] => {
  const { currency, discount, tax, total, toCreditBalance, creditApplied, prepaidApplied } = invoice;
  return postingsIn(currency, [
    ["receivable", total - creditApplied - prepaidApplied],
    ["customer_credit", creditApplied - toCreditBalance],
    ["prepaid", prepaidApplied],
    ["discounts", discount],
    ["tax", -tax],
    ["revenue", -(total - toCreditBalance + discount - tax)],
  ]);
};

/** The postings that reverse the given ones. */
export const reversedPostings = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amount: -posting.amount }));

/**
 * A credit note reverses revenue, discounts and tax. It first settles the amount due of its invoice. The rest is
 * returned to the prepaid and promotional credits that the invoice used. What then remains is added to the credit
 * balance.
 */
export const creditNotePostings = (note: {
  currency: string;
  total: bigint;
  discount: bigint;
  tax: bigint;
  settled: bigint;
  toPrepaid: bigint;
  toCreditBalance: bigint;
}): Posting[] =>
  postingsIn(note.currency, [
    ["revenue", note.total + note.discount - note.tax],
    ["discounts", -note.discount],
    ["tax", note.tax],
    ["receivable", -note.settled],
    ["prepaid", -note.toPrepaid],
    ["customer_credit", -note.toCreditBalance],
  ]);

/** An invoice becomes uncollectible: its amount due is not expected to be paid. */
export const uncollectiblePostings = (currency: string, amountDue: bigint): Posting[] =>
  postingsIn(currency, [
    ["bad_debt", amountDue],
    ["receivable", -amountDue],
  ]);

/** A payment through the processor: pending until its outcome is known. */
export const paymentPostings = (currency: string, amount: bigint): Posting[] =>
  postingsIn(currency, [
    ["processor_clearing", amount],
    ["receivable", -amount],
  ]);

/** The excess of a payment over the amount due is owed to the merchant. */
export const overpaymentPostings = (currency: string, amount: bigint): Posting[] =>
  postingsIn(currency, [
    ["receivable", amount],
    ["customer_credit", -amount],
  ]);

/**
 * A prepaid grant is deferred revenue, because the merchant pays in advance. A promotional grant is a discount.
 */
export const grantPostings = (grant: {
  kind: "prepaid" | "promotional";
  currency: string;
  amount: bigint;
}): Posting[] =>
  postingsIn(grant.currency, [
    [grant.kind === "prepaid" ? "cash" : "discounts", grant.amount],
    ["prepaid", -grant.amount],
  ]);

/**
 * The unused amount of an expired grant. For a prepaid grant, it becomes revenue without a supply. For a promotional
 * grant, it reverses the discount.
 */
export const expiryPostings = (grant: {
  kind: "prepaid" | "promotional";
  currency: string;
  amount: bigint;
}): Posting[] =>
  postingsIn(grant.currency, [
    ["prepaid", grant.amount],
    [grant.kind === "prepaid" ? "revenue" : "discounts", -grant.amount],
  ]);
