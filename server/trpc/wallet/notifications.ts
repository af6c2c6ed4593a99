import { z } from "zod";
import { chooseNotification } from "../../accounts/notifications/choose-notification.ts";
import { listNotifications } from "../../accounts/notifications/list-notifications.ts";
import { optionalMailKinds } from "../../kernel/mail-kinds.ts";
import { accountProcedure, router } from "../init.ts";

/** The payer's choice of optional e-mails. */
export const notificationsRouter = router({
  list: accountProcedure("notification.list").query(({ ctx }) =>
    listNotifications(ctx.deps, { accountId: ctx.account.id }),
  ),

  choose: accountProcedure("notification.choose")
    .input(z.object({ kind: z.enum(optionalMailKinds), isOn: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await chooseNotification(ctx.deps, { ...input, accountId: ctx.account.id, requestId: ctx.info.requestId });
      return { ok: true };
    }),
});
