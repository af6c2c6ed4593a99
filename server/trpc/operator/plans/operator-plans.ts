import { z } from "zod";
import { comparePlanVersions } from "../../../billing/catalogue/compare-plan-versions.ts";
import { listCatalogue } from "../../../billing/catalogue/list-catalogue.ts";
import { accountProcedure, operatorProcedure, router } from "../../init.ts";
import { toOperatorCatalogue, toPlanComparison } from "./operator-plan-views.ts";

const version = z.int().min(1).max(1_000_000).nullable().default(null);

/** The catalogue. It is changed by `npm run plans` only (docs/operating.md, Plans). */
export const operatorPlansRouter = router({
  list: accountProcedure("catalogue_plan.list").query(async ({ ctx }) =>
    toOperatorCatalogue(await listCatalogue(ctx.deps)),
  ),

  compare: operatorProcedure("catalogue_plan.read")
    .input(z.object({ planId: z.string().max(64), from: version, to: version }))
    .query(async ({ ctx, input }) => toPlanComparison(await comparePlanVersions(ctx.deps, input))),
});
