import type { MailReader } from "../rules/mail-reader.ts";
import type { SecurityMailContent } from "../rules/security-mail-content.ts";

const at = new Date("2026-11-21T13:15:00Z");
const securityUrl = "https://pay.example/wallet/security";
const userAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** An example of each mail about sign-in methods. */
export const securitySamples = (
  reader: MailReader,
): { [Kind in SecurityMailContent["kind"]]: SecurityMailContent & { kind: Kind } } => {
  const change = {
    userAgent,
    place: { country: "DE", city: "Berlin" },
    at,
    securityUrl,
    reader,
  };
  return {
    password_reset: {
      kind: "password_reset",
      resetUrl: "https://pay.example/reset-password?token=example",
      expiresAt: at,
      reader,
    },
    reset_unknown: { kind: "reset_unknown", signUpUrl: "https://pay.example/sign-up", reader },
    email_change_code: {
      kind: "email_change_code",
      code: "482913",
      confirmUrl: "https://pay.example/wallet/profile?change=example",
      expiresAt: at,
      reader,
    },
    email_change_taken: { kind: "email_change_taken", signInUrl: "https://pay.example/sign-in", reader },
    email_changed: { kind: "email_changed", newEmail: "n…s@example.com", at, securityUrl, reader },
    new_sign_in: { kind: "new_sign_in", ...change },
    signed_out: { kind: "signed_out", ...change, userAgent: null, place: null },
    password_changed: { kind: "password_changed", change: "changed", ...change },
    recovery_codes_created: { kind: "recovery_codes_created", ...change },
    recovery_code_used: { kind: "recovery_code_used", left: 7, ...change },
  };
};
