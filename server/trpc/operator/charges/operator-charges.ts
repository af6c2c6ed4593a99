import { z } from "zod";
import { getChargeForOperator } from "../../../charges/lists/get-charge-for-operator.ts";
import { searchCharges } from "../../../charges/lists/search-charges.ts";
import { chargeStates } from "../../../charges/rules/charge-states.ts";
import { accountProcedure, operatorProcedure, pageFields, readsReplica, router } from "../../init.ts";
import { instant } from "../operator-fields.ts";
import { toChargeForOperator } from "./charge-detail-view.ts";
import { toFoundCharge } from "./found-charge-view.ts";

/** Charges of all merchants and payers. */
export const operatorChargesRouter = router({
  list: accountProcedure("recorded_charge.list")
    .use(readsReplica)
    .input(
      z.object({
        search: z.string().trim().min(1).max(255).optional(),
        states: z.array(z.enum(chargeStates)).min(1).optional(),
        from: instant.optional(),
        to: instant.optional(),
        ...pageFields(50),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { charges, ...found } = await searchCharges(ctx.deps, input);
      return { charges: charges.map(toFoundCharge), ...found };
    }),

  get: operatorProcedure("recorded_charge.read")
    .input(z.object({ chargeId: z.string().max(64) }))
    .query(async ({ ctx, input }) => toChargeForOperator(await getChargeForOperator(ctx.deps, input))),
});
