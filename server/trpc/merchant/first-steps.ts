import { readFirstSteps } from "../../merchants/read-first-steps.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../init.ts";

export const firstStepsRouter = router({
  progress: memberProcedure("merchant.read", inputMerchant)
    .input(byMerchant)
    .query(({ ctx, input }) => readFirstSteps(ctx.deps, input)),
});
