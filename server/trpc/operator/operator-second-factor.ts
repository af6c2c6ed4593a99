import { encode } from "uqr";
import { z } from "zod";
import { beginTotp } from "../../accounts/second-factor/begin-totp.ts";
import { enterTotpCode } from "../../accounts/second-factor/enter-totp-code.ts";
import { findSecondFactorStep } from "../../accounts/second-factor/find-second-factor-step.ts";
import { accountProcedure, router } from "../init.ts";

/** Apps show codes as `123 456`. */
const code = z
  .string()
  .max(20)
  .transform((text) => text.replaceAll(/\s/g, ""))
  .refine((text) => /^\d{6}$/.test(text), "Enter the six digits that your authenticator app shows.");

/** The dark modules of a QR code as the path of an SVG, with a margin of four modules (ISO/IEC 18004). */
const qrPath = (text: string): { size: number; path: string } => {
  const { size, data } = encode(text, { border: 4, ecc: "M" });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join("") };
};

/** The second factor of the operator who is signed in (docs/spec/portal.md, Operators). */
export const operatorSecondFactorRouter = router({
  step: accountProcedure("second_factor.read").query(({ ctx }) => findSecondFactorStep(ctx.deps, ctx)),

  /** The secret, also as a QR code. The page shows it until a code confirms it. */
  begin: accountProcedure("second_factor.set_up").mutation(async ({ ctx }) => {
    const { secret, uri } = await beginTotp(ctx.deps, ctx);
    return { secret, uri, qr: qrPath(uri) };
  }),

  enter: accountProcedure("second_factor.enter")
    .input(z.object({ code }))
    .mutation(async ({ ctx, input }) => {
      const { sessionId, account, authTime, acr, hasSecondFactor, info } = ctx;
      const session = { sessionId, account, authTime, acr, hasSecondFactor };
      await enterTotpCode(ctx.deps, { session, code: input.code, info });
      return { ok: true };
    }),
});
