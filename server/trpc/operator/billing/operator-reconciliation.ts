import { z } from "zod";
import { compareAgain } from "../../../billing/meters/reconciliation/compare-again.ts";
import { listReconciliation } from "../../../billing/meters/reconciliation/list-reconciliation.ts";
import type { ResultPlace } from "../../../data/billing/meters/reconciliation-lists.ts";
import { accountProcedure, router } from "../../init.ts";
import { operatorOf, reason } from "../operator-fields.ts";
import { toReconciliation } from "./reconciliation-views.ts";

const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`));

/** A position in the list, as in `place` of a result. */
const place = z
  .string()
  .max(200)
  .regex(/^\d{4}-\d{2}-\d{2}~[^~]+~[^~]+$/)
  .transform((text, context): ResultPlace => {
    const [date = "", merchantId = "", meter = ""] = text.split("~");
    const parsed = day.safeParse(date);
    if (parsed.success) return { day: parsed.data, merchantId, meter };
    context.addIssue({ code: "custom", message: "isn't a position" });
    return z.NEVER;
  });

/** Whether each meter equals its source (docs/spec/billing.md, Reconciliation). */
export const operatorReconciliationRouter = router({
  list: accountProcedure("reconciliation.list")
    .input(
      z
        .object({
          merchantId: z.string().max(64).optional(),
          day: day.optional(),
          isDifferent: z.boolean().default(false),
          after: place.optional(),
          limit: z.int().min(1).max(100).default(50),
        })
        .prefault({}),
    )
    .query(async ({ ctx, input }) =>
      toReconciliation(await listReconciliation(ctx.deps, { ...input, after: input.after ?? null })),
    ),

  compareAgain: accountProcedure("reconciliation.repeat")
    .input(z.object({ day, reason }))
    .mutation(({ ctx, input }) => compareAgain(ctx.deps, { ...input, ...operatorOf(ctx) })),
});
