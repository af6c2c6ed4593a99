import { z } from "zod";
import { confirmRecoveryCode } from "../accounts/recovery-codes/confirm-recovery-code.ts";
import { findSessionOwner } from "../accounts/sessions/find-session-owner.ts";
import { listSessions } from "../accounts/sessions/list-sessions.ts";
import { revokeOtherSessions } from "../accounts/sessions/revoke-other-sessions.ts";
import { revokeSession } from "../accounts/sessions/revoke-session.ts";
import { confirmPassword } from "../accounts/sign-in/confirm-password.ts";
import { accountProcedure, ofInput, ownedProcedure, pageFields, router } from "./init.ts";

const bySession = z.object({ sessionId: z.string().max(64) });

const sessionOwner = ofInput(bySession, findSessionOwner);

export const authRouter = router({
  me: accountProcedure("account.read").query(({ ctx }) => {
    const { id, email, displayName, locale, timeZone } = ctx.account;
    return { id, email, displayName, locale, timeZone };
  }),

  sessions: accountProcedure("session.list")
    .input(z.object(pageFields(10)).prefault({}))
    .query(async ({ ctx, input: { limit, startingAfter = null } }) => {
      const page = await listSessions(ctx.deps, { accountId: ctx.account.id, startingAfter, limit });
      const sessions = page.sessions.map((session) => ({
        ...session,
        createdAt: session.createdAt.toISOString(),
        lastSeenAt: session.lastSeenAt.toISOString(),
        isCurrent: session.id === ctx.session?.sessionId,
      }));
      return { ...page, sessions };
    }),

  /** Confirms the password before a risky action, when the last authentication is over 5 minutes old. */
  confirmPassword: accountProcedure("session.confirm")
    .input(z.object({ password: z.string().min(1).max(1_000) }))
    .mutation(async ({ ctx, input }) => {
      const { account, sessionId, info } = ctx;
      await confirmPassword(ctx.deps, { accountId: account.id, sessionId, password: input.password, info });
      return { ok: true };
    }),

  /** Confirms with a recovery code, which then stops working. */
  confirmRecoveryCode: accountProcedure("session.confirm")
    .input(z.object({ code: z.string().min(1).max(100) }))
    .mutation(async ({ ctx: { deps, account, sessionId, info }, input }) => {
      await confirmRecoveryCode(deps, { account, sessionId, code: input.code, info });
      return { ok: true };
    }),

  revokeOtherSessions: accountProcedure("session.revoke_others").mutation(
    ({ ctx: { deps, account, sessionId, info } }) =>
      revokeOtherSessions(deps, { accountId: account.id, sessionId, requestId: info.requestId }),
  ),

  revokeSession: ownedProcedure("session.revoke", sessionOwner)
    .input(bySession)
    .mutation(async ({ ctx, input }) => {
      await revokeSession(ctx.deps, {
        accountId: ctx.account.id,
        sessionId: input.sessionId,
        requestId: ctx.info.requestId,
      });
      return { ok: true };
    }),
});
