import { type CollectionRow, lockCollection, updateCollection } from "../../data/billing/collection/collections.ts";
import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { getLockedInvoice } from "../invoices/get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "../invoices/record-invoice.ts";
import { type DunningStep, nextDunningStep } from "../rules/collection/dunning.ts";
import { lockStanding, refreshBillingStanding } from "./refresh-billing-standing.ts";
import { remindManagers } from "./remind-managers.ts";

type Input = InvoiceActor & { invoiceId: string; merchantId: string };
type Step = DunningStep["kind"] | "closed" | "none";

/**
 * Takes the next dunning step of an open invoice if the step is due: a payment attempt, or a step after the due date or
 * after the grace period. For a closed invoice, the last step lifts the consequences of the earlier steps.
 * @returns the step. For `pay`, the caller makes the payment, because a payment calls the processor.
 */
export const takeDunningStep = async (
  deps: Pick<Deps, "db" | "businessClock" | "config" | "clock">,
  { invoiceId, merchantId, actor, requestId }: Input,
): Promise<Step> => {
  const at = await deps.businessClock.now();
  return deps.db.sqlTransaction(async (sql) => {
    await lockStanding(sql, merchantId);
    const invoice = await getLockedInvoice(sql, { invoiceId });
    const collection = await lockCollection(sql, invoiceId);
    if (!collection) return "none";
    const step = await advance(deps, sql, { invoice, collection, at, actor, requestId });
    if (step !== "pay" && step !== "none") await refreshBillingStanding(sql, { merchantId, at, actor, requestId });
    return step;
  });
};

type Advance = InvoiceActor & { invoice: InvoiceRow; collection: CollectionRow; at: Date };

const advance = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { invoice, collection, at, actor, requestId }: Advance,
): Promise<Step> => {
  const invoiceDueAt = invoice.dueAt;
  if (invoice.status !== "open" || invoiceDueAt === null) {
    await updateCollection(sql, { ...collection, dueAt: null, attemptAt: null });
    return "closed";
  }
  const next = nextDunningStep({ ...collection, invoiceDueAt });
  const step = next !== null && next.at <= at ? next.kind : "none";
  if (step === "pay") return step;
  const done = {
    ...collection,
    overdueAt: step === "overdue" ? at : collection.overdueAt,
    suspendedAt: step === "suspend" ? at : collection.suspendedAt,
  };
  await updateCollection(sql, { ...done, dueAt: nextDunningStep({ ...done, invoiceDueAt })?.at ?? null });
  const record = { invoiceId: invoice.id, actor, requestId, at };
  if (step !== "overdue") return step;
  await recordInvoice(sql, { ...record, events: ["invoice.overdue"], action: "invoice.overdue" });
  // For a declined payment, a separate mail is sent.
  const cause = "no_payment_method";
  if (collection.hold === cause)
    await remindManagers(deps, sql, { invoiceId: invoice.id, collection: done, invoiceDueAt, cause, requestId });
  return step;
};
