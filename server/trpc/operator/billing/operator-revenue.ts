import { z } from "zod";
import { type Revenue, readRevenue } from "../../../billing/revenue/read-revenue.ts";
import { accountProcedure, readsReplica, router } from "../../init.ts";

const toRevenue = ({ months, rows, outstanding }: Revenue) => ({
  months,
  rows: rows.map(({ month, net, ...row }) => ({ ...row, month: month.slice(0, 7), netMinor: Number(net) })),
  outstanding: outstanding.map(({ currency, due, invoices, overdue, overdueInvoices }) => ({
    currency,
    dueMinor: Number(due),
    invoices,
    overdueMinor: Number(overdue),
    overdueInvoices,
  })),
});

export type OperatorRevenue = ReturnType<typeof toRevenue>;

/** What was invoiced, and what is unpaid (docs/spec/billing.md, Operator pages). */
export const operatorRevenueRouter = router({
  overview: accountProcedure("billing_revenue.read")
    .use(readsReplica)
    .input(z.object({ months: z.int().min(1).max(36).default(12) }).prefault({}))
    .query(async ({ ctx, input }) => toRevenue(await readRevenue(ctx.deps, input))),
});
