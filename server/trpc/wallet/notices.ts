import { z } from "zod";
import { findNoticePayer, getPayerNotice, listPayerNotices } from "../../charges/notices/payer-notices.ts";
import { accountProcedure, ofInput, ownedProcedure, pageFields } from "../init.ts";
import { toNotice } from "./views.ts";

const byNotice = z.object({ noticeId: z.string().max(64) });

const noticePayer = ofInput(byNotice, findNoticePayer);

/** Payments that merchants have announced. */
export const noticeProcedures = {
  notices: accountProcedure("notice.list")
    .input(
      z
        .object({
          show: z.enum(["upcoming", "past"]).default("upcoming"),
          search: z.string().max(100).optional(),
          ...pageFields(),
        })
        .prefault({}),
    )
    .query(async ({ ctx, input }) => {
      const { notices, hasMore } = await listPayerNotices(ctx.deps, { ...input, payerId: ctx.account.id });
      return { notices: notices.map(toNotice), hasMore };
    }),

  notice: ownedProcedure("notice.read", noticePayer)
    .input(byNotice)
    .query(async ({ ctx, input }) => toNotice(await getPayerNotice(ctx.deps, { ...input, payerId: ctx.account.id }))),
};
