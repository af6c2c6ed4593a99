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
 * A final invoice. Revenue is booked before discounts, so that both are seen. Credit balance and prepaid amounts were
 * booked when they were granted, and now settle a part of the receivable. What a negative total leaves is owed to the
 * merchant.
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

/** What undoes them. */
export const reversedPostings = (postings: readonly Posting[]): Posting[] =>
  postings.map((posting) => ({ ...posting, amount: -posting.amount }));

/**
 * A credit note takes back revenue, discounts and tax. It settles what is still due of its invoice, and the rest becomes
 * credit balance.
 */
export const creditNotePostings = (note: {
  currency: string;
  total: bigint;
  discount: bigint;
  tax: bigint;
  settled: bigint;
  toCreditBalance: bigint;
}): Posting[] =>
  postingsIn(note.currency, [
    ["revenue", note.total + note.discount - note.tax],
    ["discounts", -note.discount],
    ["tax", note.tax],
    ["receivable", -note.settled],
    ["customer_credit", -note.toCreditBalance],
  ]);

/** For an invoice whose amount due is not expected to be paid. */
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

/** What a payment exceeds the due amount by is owed to the merchant. */
export const overpaymentPostings = (currency: string, amount: bigint): Posting[] =>
  postingsIn(currency, [
    ["receivable", amount],
    ["customer_credit", -amount],
  ]);

/**
 * A merchant pays in advance, which is deferred revenue, or is given an amount, which is a discount. @param kind of the
 * grant.
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

/** What is left of an expired grant: revenue without a supply, or a discount that wasn't given. */
export const expiryPostings = (grant: {
  kind: "prepaid" | "promotional";
  currency: string;
  amount: bigint;
}): Posting[] =>
  postingsIn(grant.currency, [
    ["prepaid", grant.amount],
    [grant.kind === "prepaid" ? "revenue" : "discounts", -grant.amount],
  ]);
