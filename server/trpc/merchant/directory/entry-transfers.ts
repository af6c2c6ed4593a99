import { z } from "zod";
import { acceptTransfer } from "../../../directory/transfers/accept-transfer.ts";
import { endOffer } from "../../../directory/transfers/end-offer.ts";
import { findRecipient } from "../../../directory/transfers/find-recipient.ts";
import { listOpenTransfers } from "../../../directory/transfers/list-transfers.ts";
import { offerTransfer } from "../../../directory/transfers/offer-transfer.ts";
import { byMerchant, inputMerchant, memberProcedure, router } from "../../init.ts";
import { toEntryTransfer } from "./entry-transfer-views.ts";

const toMerchantId = z.string().trim().min(1, "Enter the ID of a merchant.").max(64, "Use at most 64 characters.");
const byRecipient = byMerchant.extend({ toMerchantId });
const byTransfer = byMerchant.extend({ transferId: z.string().max(64) });

/** The transfer of a directory entry to another merchant (docs/spec/directory.md, Transfers). */
export const entryTransfersRouter = router({
  open: memberProcedure("directory.read", inputMerchant)
    .input(byMerchant)
    .query(async ({ ctx, input }) => {
      const { made, received, hasMore } = await listOpenTransfers(ctx.deps, input);
      return { made: made && toEntryTransfer(made), received: received.map(toEntryTransfer), hasMore };
    }),

  recipient: memberProcedure("directory.end_transfer", inputMerchant)
    .input(byRecipient)
    .query(({ ctx, input }) => findRecipient(ctx.deps, input)),

  offer: memberProcedure("directory.transfer", inputMerchant)
    .input(byRecipient)
    .mutation(({ ctx, input }) => offerTransfer(ctx.deps, { ...input, ...ctx.by })),

  cancel: memberProcedure("directory.end_transfer", inputMerchant)
    .input(byTransfer)
    .mutation(async ({ ctx, input }) => {
      await endOffer(ctx.deps, { ...input, ...ctx.by, outcome: "cancelled" });
      return { ok: true };
    }),

  accept: memberProcedure("directory.transfer", inputMerchant)
    .input(byTransfer)
    .mutation(({ ctx, input }) => acceptTransfer(ctx.deps, { ...input, ...ctx.by })),

  decline: memberProcedure("directory.end_transfer", inputMerchant)
    .input(byTransfer)
    .mutation(async ({ ctx, input }) => {
      await endOffer(ctx.deps, { ...input, ...ctx.by, outcome: "declined" });
      return { ok: true };
    }),
});
