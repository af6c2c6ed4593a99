import { checkAccount } from "../../merchants/processor/check-account.ts";
import { getProcessorAccount } from "../../merchants/processor/get-processor-account.ts";
import { openOnboarding } from "../../merchants/processor/open-onboarding.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../init.ts";

/** The merchant's account at the processor (docs/spec/portal.md, Processor account). */
export const processorRouter = router({
  account: memberProcedure("processor.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => {
      const account = await getProcessorAccount(ctx.deps, input);
      const { dueBy, checkedAt } = account;
      return { ...account, dueBy: dueBy?.toISOString() ?? null, checkedAt: checkedAt?.toISOString() ?? null };
    }),

  /** Asks the processor for the current state. */
  check: memberProcedure("processor.check", inputMerchant)
    .input(byMerchant)
    .mutation(async ({ ctx, input }) => ({
      state: await checkAccount(ctx.deps, { ...input, requestId: ctx.by.requestId }),
    })),

  /** Opens a page of the processor. Creates the merchant's account first if there is none. */
  connect: memberProcedure("processor.connect", inputMerchant)
    .input(byMerchant)
    .mutation(({ ctx, input }) => openOnboarding(ctx.deps, { ...input, ...ctx.by })),
});
