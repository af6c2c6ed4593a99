import { z } from "zod";
import { beginEmailChange } from "../../accounts/email-change/begin-email-change.ts";
import { cancelEmailChange } from "../../accounts/email-change/cancel-email-change.ts";
import { confirmEmailCode } from "../../accounts/email-change/confirm-email-code.ts";
import { findEmailChange } from "../../accounts/email-change/find-email-change.ts";
import { getProfile } from "../../accounts/profile/get-profile.ts";
import { updateProfile } from "../../accounts/profile/update-profile.ts";
import { requireSecondFactor } from "../../accounts/second-factor/require-second-factor.ts";
import { languageOf, languages, localeInLanguage } from "../../kernel/messages/languages.ts";
import { accountProcedure, router } from "../init.ts";

/** The person behind the account: name, formats and e-mail address. */
export const profileRouter = router({
  get: accountProcedure("account.read").query(async ({ ctx: { deps, account } }) => {
    const [profile, change] = await Promise.all([
      getProfile(deps, { accountId: account.id }),
      findEmailChange(deps, { accountId: account.id }),
    ]);
    const { locale, ...rest } = profile;
    const emailChange = change && { email: change.email, expiresAt: change.expiresAt.toISOString() };
    return { ...rest, language: languageOf(locale), emailChange };
  }),

  /** If the account's locale is already in this language, its region is kept. */
  update: accountProcedure("profile.update")
    .input(
      z.object({
        displayName: z.string().max(200),
        language: z.enum(languages),
        timeZone: z.string().max(100),
        currency: z.string().max(3),
      }),
    )
    .mutation(async ({ ctx: { deps, account, info }, input: { language, currency, ...fields } }) => {
      const locale = localeInLanguage(account.locale, language);
      const profile = { ...fields, locale, currency: currency === "" ? null : currency };
      await updateProfile(deps, { accountId: account.id, profile, requestId: info.requestId });
      return { ok: true };
    }),

  beginEmailChange: accountProcedure("email.change")
    .input(z.object({ email: z.string().max(320) }))
    .mutation(async ({ ctx, input }) => {
      const { deps, account, sessionId, info } = ctx;
      await requireSecondFactor(deps, ctx);
      const { requestId } = info;
      const { email, expiresAt } = await beginEmailChange(deps, { ...input, account, sessionId, requestId });
      return { email, expiresAt: expiresAt.toISOString() };
    }),

  confirmEmailCode: accountProcedure("email.confirm")
    .input(z.object({ code: z.string().max(40) }))
    .mutation(({ ctx: { deps, account, info }, input }) =>
      confirmEmailCode(deps, { ...input, accountId: account.id, requestId: info.requestId }),
    ),

  cancelEmailChange: accountProcedure("email.cancel").mutation(async ({ ctx: { deps, account, info } }) => {
    await cancelEmailChange(deps, { accountId: account.id, requestId: info.requestId });
    return { ok: true };
  }),
});
