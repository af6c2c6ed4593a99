import { z } from "zod";
import { addPasskey } from "../../accounts/passkeys/add-passkey.ts";
import { beginAddingPasskey } from "../../accounts/passkeys/begin-adding-passkey.ts";
import { beginPasskeyConfirmation } from "../../accounts/passkeys/begin-passkey-confirmation.ts";
import { confirmPasskey } from "../../accounts/passkeys/confirm-passkey.ts";
import { findPasskeyOwner } from "../../accounts/passkeys/find-passkey-owner.ts";
import { listPasskeys } from "../../accounts/passkeys/list-passkeys.ts";
import { assertionSchema, attestationSchema } from "../../accounts/passkeys/passkey.wire.ts";
import { removePasskey } from "../../accounts/passkeys/remove-passkey.ts";
import { renamePasskey } from "../../accounts/passkeys/rename-passkey.ts";
import { completeSetUp } from "../../accounts/second-factor/complete-set-up.ts";
import { requireSecondFactor } from "../../accounts/second-factor/require-second-factor.ts";
import { accountProcedure, ofInput, ownedProcedure, router } from "../init.ts";

const byPasskey = z.object({ passkeyId: z.string().max(64) });
const name = z.string().trim().min(1).max(60);

const passkeyOwner = ofInput(byPasskey, findPasskeyOwner);

/** The account's passkeys, and the confirmation of risky actions with them. */
export const passkeysRouter = router({
  list: accountProcedure("passkey.list").query(async ({ ctx }) => {
    const passkeys = await listPasskeys(ctx.deps, { accountId: ctx.account.id });
    return passkeys.map((passkey) => ({
      ...passkey,
      createdAt: passkey.createdAt.toISOString(),
      lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
    }));
  }),

  beginAdding: accountProcedure("passkey.add").mutation(async ({ ctx }) => {
    await requireSecondFactor(ctx.deps, ctx);
    const { deps, account, sessionId } = ctx;
    return beginAddingPasskey(deps, { account, sessionId });
  }),

  add: accountProcedure("passkey.add")
    .input(z.object({ attestation: attestationSchema, name }))
    .mutation(async ({ ctx, input }) => {
      await requireSecondFactor(ctx.deps, ctx);
      const { deps, account, sessionId, authTime, acr, hasSecondFactor, info } = ctx;
      const { requestId } = info;
      const added = await addPasskey(deps, { ...input, account, sessionId, requestId });
      await completeSetUp(deps, { session: { account, sessionId, authTime, acr, hasSecondFactor }, requestId });
      return added;
    }),

  rename: ownedProcedure("passkey.rename", passkeyOwner)
    .input(byPasskey.extend({ name }))
    .mutation(async ({ ctx: { deps, account, info }, input }) => {
      await renamePasskey(deps, { ...input, accountId: account.id, requestId: info.requestId });
      return { ok: true };
    }),

  remove: ownedProcedure("passkey.remove", passkeyOwner)
    .input(byPasskey)
    .mutation(async ({ ctx, input }) => {
      await requireSecondFactor(ctx.deps, ctx);
      const { deps, account, sessionId, info } = ctx;
      await removePasskey(deps, { ...input, account, sessionId, requestId: info.requestId });
      return { ok: true };
    }),

  beginConfirming: accountProcedure("session.confirm").mutation(({ ctx: { deps, account, sessionId } }) =>
    beginPasskeyConfirmation(deps, { accountId: account.id, sessionId }),
  ),

  /** Confirms the person's identity with a passkey before a risky action, as `confirmPassword` does with a password. */
  confirm: accountProcedure("session.confirm")
    .input(z.object({ assertion: assertionSchema }))
    .mutation(async ({ ctx: { deps, account, sessionId, info }, input }) => {
      await confirmPasskey(deps, { ...input, account, sessionId, info });
      return { ok: true };
    }),
});
