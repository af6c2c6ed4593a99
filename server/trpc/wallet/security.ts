import { z } from "zod";
import { listSignIns } from "../../accounts/history/list-sign-ins.ts";
import { changePassword } from "../../accounts/passwords/change-password.ts";
import { removePassword } from "../../accounts/passwords/remove-password.ts";
import { findRecoveryCodes } from "../../accounts/recovery-codes/find-recovery-codes.ts";
import { regenerateRecoveryCodes } from "../../accounts/recovery-codes/regenerate-recovery-codes.ts";
import { requireSecondFactor } from "../../accounts/second-factor/require-second-factor.ts";
import { findProofMethods } from "../../accounts/sessions/find-proof-methods.ts";
import { accountProcedure, pageFields, router } from "../init.ts";

/** The account's password, recovery codes and sign-in history. */
export const securityRouter = router({
  overview: accountProcedure("recovery_code.read").query(async ({ ctx: { deps, account } }) => {
    const [methods, codes] = await Promise.all([
      findProofMethods(deps, { accountId: account.id }),
      findRecoveryCodes(deps, { accountId: account.id }),
    ]);
    const recoveryCodes = codes && { left: codes.left, createdAt: codes.createdAt.toISOString() };
    return { hasPassword: methods.hasPassword, recoveryCodes };
  }),

  /** The rules of new passwords have their own messages. */
  changePassword: accountProcedure("password.change")
    .input(z.object({ password: z.string().max(1_000), endsOthers: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { deps, account, sessionId, headers, info, cookies } = ctx;
      await requireSecondFactor(deps, ctx);
      const request = { cookieHeader: headers.get("cookie"), requestId: info.requestId };
      const changed = await changePassword(deps, { ...input, ...request, account, sessionId });
      cookies.push(changed.knownBrowserCookie);
      return { endedSessions: changed.endedSessions };
    }),

  removePassword: accountProcedure("password.remove").mutation(async ({ ctx }) => {
    const { deps, account, sessionId, headers, info, cookies } = ctx;
    await requireSecondFactor(deps, ctx);
    const request = { cookieHeader: headers.get("cookie"), requestId: info.requestId };
    cookies.push((await removePassword(deps, { ...request, account, sessionId })).knownBrowserCookie);
    return { ok: true };
  }),

  /** Only this response contains the codes. */
  createRecoveryCodes: accountProcedure("recovery_code.create").mutation(async ({ ctx }) => {
    const { deps, account, sessionId, info } = ctx;
    await requireSecondFactor(deps, ctx);
    return { codes: await regenerateRecoveryCodes(deps, { account, sessionId, requestId: info.requestId }) };
  }),

  signIns: accountProcedure("sign_in.list")
    .input(z.object(pageFields(10)))
    .query(async ({ ctx: { deps, account }, input: { limit, startingAfter = null } }) => {
      const { signIns, hasMore } = await listSignIns(deps, { accountId: account.id, limit, startingAfter });
      return { signIns: signIns.map((each) => ({ ...each, at: each.at.toISOString() })), hasMore };
    }),
});
