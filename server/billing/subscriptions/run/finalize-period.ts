import { lockInvoicingOf } from "../../../data/billing/invoices/write-invoice.ts";
import type { MeteredPeriod } from "../../../data/billing/meters/metered-events.ts";
import { isReconciled } from "../../../data/billing/meters/reconciled-periods.ts";
import { markSlaCreditsInvoiced } from "../../../data/billing/sla/sla-credits.ts";
import { areSlaMonthsDone } from "../../../data/billing/sla/sla-due.ts";
import { holdPeriod, markPeriodFinal } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { addSeconds, standingAt } from "../../../kernel/time/clock.ts";
import { finalizeInvoice } from "../../invoices/finalize-invoice.ts";
import { reconciliationRetrySeconds } from "../../rules/reconciliation-days.ts";
import { billingRun } from "../record-subscription.ts";
import { lateSeconds } from "./close-period.ts";
import { type Drafting, isFurtherPeriod, storeDrafts } from "./draft-period.ts";

const taxRetrySeconds = 3_600;
const slaRetrySeconds = 300;

/**
 * Refreshes the drafts of a period with the usage before the cut-off (`asOf`) and makes them final, in a transaction
 * that has locked the subscription. While the usage isn't reconciled, or the tax details or the issuer are missing, the
 * period waits and is tried again later. A period after the end of the subscription also waits until all SLA credits of
 * the subscription are computed.
 */
export const finalizePeriod = async (deps: Deps, sql: Sql, drafting: Drafting): Promise<void> => {
  const { period, row, asOf } = drafting;
  const usage = { merchantId: row.merchantId, period: usedTime(period) };
  if (!isFurtherPeriod(row, period) && !(await isReconciled(sql, usage))) {
    return hold(deps, sql, { drafting, reason: "reconciliation", seconds: reconciliationRetrySeconds });
  }
  if (period.kind === "late" && !(await areSlaMonthsDone(sql, row.id))) {
    return hold(deps, sql, { drafting, reason: "sla_credits", seconds: slaRetrySeconds });
  }
  await lockInvoicingOf(sql, row.merchantId);
  for (const invoiceId of await storeDrafts(sql, drafting)) {
    const { outcome } = await finalizeInvoice(joined(deps, sql, drafting), { invoiceId, ...billingRun });
    if (outcome === "awaits_tax_details") {
      return hold(deps, sql, { drafting, reason: "tax_details", seconds: taxRetrySeconds });
    }
    if (outcome === "no_issuer") {
      return hold(deps, sql, { drafting, reason: "issuer", seconds: taxRetrySeconds });
    }
    if (outcome === "finalized") await markSlaCreditsInvoiced(sql, invoiceId);
    if (outcome === "draft_outdated") throw new Error(`invoice ${invoiceId} changed in its transaction`);
  }
  await markPeriodFinal(sql, period, asOf);
};

/**
 * The time range of the usage that a period bills. For the last invoice of an ended subscription, it is the range
 * before the end of the subscription.
 */
const usedTime = ({ kind, from, to }: Drafting["period"]): MeteredPeriod =>
  kind === "late" ? { from: addSeconds(from, -lateSeconds), to: from } : { from, to };

type Hold = { drafting: Drafting; reason: string; seconds: number };

const hold = (deps: Deps, sql: Sql, { drafting, reason, seconds }: Hold): Promise<void> =>
  holdPeriod(sql, drafting.period, { reason, retryAt: addSeconds(deps.clock.now(), seconds) });

/** Dependencies with which `finalizeInvoice` runs in the caller's transaction, at the caller's time. */
const joined = (deps: Deps, sql: Sql, { at }: Drafting): Deps => ({
  ...deps,
  db: { ...deps.db, sqlTransaction: (work) => work(sql) },
  businessClock: standingAt(at),
});
