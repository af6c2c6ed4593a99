import { type CreditUse, findKeptUses } from "../../../data/billing/credits/grants.ts";
import { findCreditedDiscounts, type InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows, type InvoiceLineRow, sumCreditedLines } from "../../../data/billing/invoices/lines.ts";
import type { Sql } from "../../../data/client.ts";
import { DomainError, fieldRefusal, sentenceRefusal } from "../../../kernel/errors.ts";
import { formatMoney } from "../../../kernel/money/money.ts";
import { smaller } from "../../../kernel/money/smaller.ts";
import {
  type ComputedCreditNote,
  type CreditableLine,
  computeCreditNote,
} from "../../rules/credit-notes/compute-credit-note.ts";
import { divideDiscount } from "../../rules/credit-notes/divide-discount.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import type { Discount } from "../../rules/invoice/types.ts";

/** For each line: an amount before discounts, greater than zero. `all`: the remaining amount of the whole invoice. */
export type CreditWanted = readonly { lineId: string; amountMinor: bigint }[] | "all";

type Creditable = CreditableLine & { row: InvoiceLineRow };

export type CreditNoteOfLines = ComputedCreditNote<Creditable> & {
  /** sums to `discount` */
  discounts: readonly Discount[];
  /** the part that reduces the amount due */
  settled: bigint;
  /** the part that is returned to prepaid and promotional credits */
  returned: readonly CreditUse[];
  toCreditBalance: bigint;
};

/**
 * Computes a credit note for these amounts (docs/spec/billing.md, Credit notes). Writes nothing.
 * @throws DomainError invalid, naming the field; conflict invoice_not_final or invoice_not_creditable.
 */
export const computeNote = async (sql: Sql, invoice: InvoiceRow, wanted: CreditWanted): Promise<CreditNoteOfLines> => {
  refuseNotCreditable(invoice);
  const lines = await loadLines(sql, invoice.id);
  const requested = wanted === "all" ? leftOf(lines) : readWanted(lines, wanted, invoice.currency);
  const credits = lines.map((line) => ({ ...line, credit: requested.get(line.row.id) ?? 0n }));
  const note = computeCreditNote(credits, invoice.taxBehaviour);
  // Lines with a negative amount, such as refunds, reduce the amount that can be credited for the other lines.
  const before = computeCreditNote(
    lines.map((line) => ({ ...line, credited: 0n, credit: line.credited })),
    invoice.taxBehaviour,
  );
  const left = invoice.total - before.total;
  if (left <= 0n) throw sentenceRefusal("/lines", "Nothing is left to credit on this invoice.");
  if (note.total > left)
    throw sentenceRefusal(
      "/lines",
      `Credit at most ${formatMoney({ amountMinor: left, currency: invoice.currency }, "en-GB")}, including tax. This is the remaining amount of the invoice.`,
    );
  if (note.total <= 0n)
    throw sentenceRefusal("/lines", "After discounts, the credit note’s total isn’t above zero. Enter higher amounts.");
  const settled = smaller(note.total, invoice.amountDue);
  const credited = note.lines.filter(({ credit }) => credit !== 0n);
  const { returned, left: toCreditBalance } = giveBack(note.total - settled, await findKeptUses(sql, invoice.id));
  const discounts = divideDiscount(note.discount, {
    discounts: toDiscounts(invoice.discounts),
    credited: toDiscounts(await findCreditedDiscounts(sql, invoice.id)),
  });
  return { ...note, discounts, lines: credited, settled, returned, toCreditBalance };
};

const toDiscounts = (stored: InvoiceRow["discounts"]): Discount[] =>
  stored.map(({ coupon, amount }) => ({ coupon, amount: BigInt(amount) }));

/**
 * Returns the amount to the credits that the invoice used, in reverse order of use. `left`: the amount that isn't
 * returned to a credit.
 */
const giveBack = (amount: bigint, uses: readonly CreditUse[]): { returned: CreditUse[]; left: bigint } => {
  let left = amount;
  const returned = uses.flatMap((use) => {
    const back = smaller(use.amount, left);
    left -= back;
    return back > 0n ? [{ id: use.id, amount: back }] : [];
  });
  return { returned, left };
};

const refuseNotCreditable = ({ type, status }: InvoiceRow): void => {
  if (status === "draft") {
    const message = "The invoice is a draft. Only an issued invoice can be credited.";
    throw new DomainError("conflict", { code: "invoice_not_final", message });
  }
  if (type === "invoice" && (status === "open" || status === "paid")) return;
  const message = "Only an open or paid invoice can be credited.";
  throw new DomainError("conflict", { code: "invoice_not_creditable", message });
};

const loadLines = async (sql: Sql, invoiceId: string): Promise<Creditable[]> => {
  const credited = await sumCreditedLines(sql, invoiceId);
  return (await findInvoiceLineRows(sql, invoiceId)).map((row) => ({
    row,
    amount: row.amount,
    discount: row.discount,
    tax: { category: row.taxCategory, rate: parseExact(row.taxRate) },
    credited: credited.get(row.id) ?? 0n,
    credit: 0n,
  }));
};

/** Includes negative lines, so that the sum is exactly the remaining amount of the invoice. */
const leftOf = (lines: readonly Creditable[]): Map<string, bigint> =>
  new Map(lines.map(({ row, amount, credited }) => [row.id, amount - credited]));

const readWanted = (
  lines: readonly Creditable[],
  wanted: Exclude<CreditWanted, "all">,
  currency: string,
): Map<string, bigint> => {
  if (wanted.length === 0) throw fieldRefusal("/lines", "must not be empty");
  const requested = new Map<string, bigint>();
  for (const [index, { lineId, amountMinor }] of wanted.entries()) {
    if (requested.has(lineId)) throw fieldRefusal(`/lines/${index}/lineId`, "is listed twice");
    const line = lines.find(({ row }) => row.id === lineId);
    if (!line) throw fieldRefusal(`/lines/${index}/lineId`, "is not a line of this invoice");
    const left = line.amount - line.credited;
    const pointer = `/lines/${index}/amount`;
    if (left < 1n) throw sentenceRefusal(pointer, "Nothing is left to credit for this line.");
    if (amountMinor < 1n) throw sentenceRefusal(pointer, "Enter an amount greater than zero.");
    if (amountMinor > left)
      throw sentenceRefusal(pointer, `Enter at most ${formatMoney({ amountMinor: left, currency }, "en-GB")}.`);
    requested.set(lineId, amountMinor);
  }
  return requested;
};
