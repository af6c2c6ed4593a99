import { lockUsedGrants, takeFromGrants } from "../../../data/billing/credits/grants.ts";
import { findCreditNoteOf, type InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { type InvoiceLineRow, insertInvoiceLines } from "../../../data/billing/invoices/lines.ts";
import { insertInvoice, updateInvoiceStatus } from "../../../data/billing/invoices/write-invoice.ts";
import { addRevenue } from "../../../data/billing/revenue/revenue.ts";
import { findTaxDetails } from "../../../data/billing/tax-details/tax-details.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { fieldRefusal } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { grantCreditBalance } from "../../credits/grant-credit-balance.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { formatExact, toExact } from "../../rules/exact/exact.ts";
import { creditNotePostings } from "../../rules/ledger/postings.ts";
import { getInvoiceLockedWithSubscription } from "../get-locked-invoice.ts";
import { numberDocument } from "../number-document.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { type InvoiceParties, makeSnapshot } from "../snapshot.ts";
import { type CreditNoteOfLines, type CreditWanted, computeNote } from "./compute-note.ts";
import { refuseOtherNote } from "./refuse-other-note.ts";

type Input = InvoiceActor & {
  invoiceId: string;
  lines: CreditWanted;
  reason: string;
  /** unique per invoice: a repeated request returns the same credit note */
  key: string;
};

export type CreatedCreditNote = { creditNoteId: string; number: string; isNew: boolean };

/**
 * Creates a credit note for amounts of lines of an open or paid invoice, in one transaction. The note first reduces the
 * amount due. The rest is returned to the credits that the invoice used. What then remains becomes credit balance. The
 * credit notes of an invoice together never exceed its total (docs/spec/billing.md, Credit notes).
 * @throws DomainError not_found; invalid, naming the field; conflict invoice_not_final, invoice_not_creditable or
 *   credit_note_conflict.
 */
export const createCreditNote = async (
  { db, businessClock, config }: Pick<Deps, "db" | "businessClock" | "config">,
  input: Input,
): Promise<CreatedCreditNote> => {
  refuseInvalid(input);
  const at = await businessClock.now();
  const { environment, billingIssuer: seller } = config;
  return db.sqlTransaction(async (sql) => {
    const invoice = await getInvoiceLockedWithSubscription(sql, input.invoiceId);
    const existing = await findCreditNoteOf(sql, invoice.id, input.key);
    if (existing?.number) {
      await refuseOtherNote(sql, existing, input);
      return { creditNoteId: existing.id, number: existing.number, isNew: false };
    }
    const note = await computeNote(sql, invoice, input.lines);
    if (seller === null) throw new Error("a final invoice exists, but BILLING_ISSUER is not set");
    const buyer = await findTaxDetails(sql, invoice.merchantId);
    return issueCreditNote(sql, { invoice, note, input }, { seller, buyer, at, environment });
  });
};

const refuseInvalid = ({ reason, key }: Input): void => {
  if (reason.trim() === "" || reason.length > 500) throw fieldRefusal("/reason", "must be 1 to 500 characters");
  if (!/^\S{1,200}$/.test(key)) throw fieldRefusal("/key", "must be 1 to 200 characters without spaces");
};

type Note = CreditNoteOfLines;
type Issue = { invoice: InvoiceRow; note: Note; input: Input };
type Context = InvoiceParties & { at: Date; environment: "production" | "sandbox" };

const issueCreditNote = async (
  sql: Sql,
  { invoice, note, input }: Issue,
  context: Context,
): Promise<CreatedCreditNote> => {
  const { at, environment } = context;
  const { merchantId, currency } = invoice;
  const { actor, requestId } = input;
  const { settled, returned, toCreditBalance } = note;
  const creditNoteId = newId("inv");
  const source = { type: "credit_note", id: creditNoteId } as const;
  if (returned.length > 0) await lockUsedGrants(sql, invoice.id);
  if (toCreditBalance > 0n)
    await grantCreditBalance(sql, { merchantId, currency, amount: toCreditBalance, source, at });
  const { total, tax, discount } = note;
  const toPrepaid = returned.reduce((sum, { amount }) => sum + amount, 0n);
  const postings = creditNotePostings({ currency, total, tax, discount, settled, toPrepaid, toCreditBalance });
  await postTransaction(sql, { merchantId, kind: "credit_note.created", source, postings, at });
  const lines = note.lines.map((line, index) => toNoteLine(line, index + 1, at));
  const number = await numberDocument(sql, { environment, type: "credit_note", at });
  const row = toNoteRow({ invoice, note, input }, { id: creditNoteId, number, toCreditBalance, at });
  await insertInvoice(sql, { ...row, closedAt: at, snapshot: makeSnapshot(row, lines, context) });
  await insertInvoiceLines(sql, creditNoteId, lines);
  if (returned.length > 0) {
    const back = returned.map((use) => ({ id: use.id, amount: -use.amount }));
    await takeFromGrants(sql, back, { invoiceId: creditNoteId, at });
  }
  await addRevenue(sql, { invoiceId: creditNoteId, at, sign: -1 });
  const data = { corrects: invoice.id, reason: input.reason, settled: String(settled) };
  const by = { actor, requestId, at };
  await recordInvoice(sql, {
    ...by,
    invoiceId: creditNoteId,
    events: ["credit_note.created"],
    action: "credit_note.created",
    data,
  });
  if (settled > 0n) await settleInvoice(sql, { invoice, settled }, by);
  return { creditNoteId, number, isNew: true };
};

/** Reduces the amount due of the invoice. The invoice is paid if no amount remains due. */
const settleInvoice = async (
  sql: Sql,
  { invoice, settled }: { invoice: InvoiceRow; settled: bigint },
  by: InvoiceActor & { at: Date },
): Promise<void> => {
  const amountDue = invoice.amountDue - settled;
  const amountCredited = invoice.amountCredited + settled;
  const status = amountDue === 0n ? "paid" : invoice.status;
  const { amountPaid } = invoice;
  await updateInvoiceStatus(sql, invoice.id, { status, amountDue, amountPaid, amountCredited, at: by.at });
  if (status === "paid")
    await recordInvoice(sql, { ...by, invoiceId: invoice.id, events: ["invoice.paid"], action: "invoice.paid" });
};

const toNoteLine = (
  { row, credit, creditedDiscount, net }: Note["lines"][number],
  position: number,
  at: Date,
): InvoiceLineRow => ({
  ...row,
  id: newId("il"),
  position,
  corrects: row.id,
  replaces: null,
  description: `Credit: ${row.description}`,
  quantity: "1",
  exact: formatExact(toExact(credit)),
  pricedExact: formatExact(toExact(credit)),
  amount: credit,
  discount: creditedDiscount,
  net,
  invoiceAt: at,
  eventCount: null,
  eventSetHash: null,
  eventsAsOf: null,
  eventsReceivedFrom: null,
  eventMonths: null,
});

type NoteFields = { id: string; number: string; toCreditBalance: bigint; at: Date };

const toNoteRow = (
  { invoice, note, input }: Issue,
  { id, number, toCreditBalance, at }: NoteFields,
): Omit<InvoiceRow, "subscriptionId"> & { subscriptionId: null } => ({
  ...invoice,
  id,
  subscriptionId: null,
  type: "credit_note",
  corrects: invoice.id,
  reason: input.reason,
  requestKey: input.key,
  status: "paid",
  number,
  subtotal: note.subtotal,
  discount: note.discount,
  tax: note.tax,
  total: note.total,
  creditApplied: 0n,
  prepaidApplied: 0n,
  toCreditBalance,
  amountCredited: 0n,
  amountPaid: 0n,
  amountDue: 0n,
  discounts: note.discounts.map(({ coupon, amount }) => ({ coupon, amount: String(amount) })),
  taxes: note.taxes.map(({ category, rate, base, amount }) => ({
    category,
    rate: formatExact(rate),
    base: String(base),
    amount: String(amount),
  })),
  lineCount: note.lines.length,
  createdAt: at,
  updatedAt: at,
  issuedAt: at,
  dueAt: at,
  pdfSha256: null,
});
