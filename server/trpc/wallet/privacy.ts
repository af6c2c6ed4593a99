import { cancelDeletion } from "../../privacy/cancel-deletion.ts";
import { findDeletionDate } from "../../privacy/find-deletion-date.ts";
import { listDataExports } from "../../privacy/list-data-exports.ts";
import { requestDataExport } from "../../privacy/request-data-export.ts";
import { requestDeletion } from "../../privacy/request-deletion.ts";
import { accountProcedure, router } from "../init.ts";

/** Export of the account's data, and its deletion. */
export const privacyRouter = router({
  overview: accountProcedure("data_export.list").query(async ({ ctx }) => {
    const accountId = ctx.account.id;
    const [exports, deletedOn] = await Promise.all([
      listDataExports(ctx.deps, { accountId }),
      findDeletionDate(ctx.deps, { accountId }),
    ]);
    return {
      deletedOn: deletedOn?.toISOString() ?? null,
      exports: exports.map((each) => ({
        ...each,
        requestedAt: each.requestedAt.toISOString(),
        expiresAt: each.expiresAt.toISOString(),
      })),
    };
  }),

  requestExport: accountProcedure("data_export.request").mutation(async ({ ctx }) => {
    await requestDataExport(ctx.deps, { accountId: ctx.account.id, requestId: ctx.info.requestId });
    return { ok: true };
  }),

  /** Ends all grants now; personal data is removed after the cooling-off period. */
  requestDeletion: accountProcedure("account.delete").mutation(async ({ ctx }) => {
    await requestDeletion(ctx.deps, { account: ctx.account, requestId: ctx.info.requestId });
    return { ok: true };
  }),

  cancelDeletion: accountProcedure("account.cancel_deletion").mutation(async ({ ctx }) => {
    await cancelDeletion(ctx.deps, { account: ctx.account, requestId: ctx.info.requestId });
    return { ok: true };
  }),
});
