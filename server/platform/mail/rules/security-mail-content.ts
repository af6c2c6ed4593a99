import type { MailReader } from "./mail-reader.ts";

/** The device and the place of a request, for mails about sign-ins. */
type RequestOrigin = { userAgent: string | null; place: { country: string; city: string | null } | null };

/** About the sign-in methods of an account. */
export type SecurityMailContent =
  | { kind: "password_reset"; resetUrl: string; expiresAt: Date; reader: MailReader }
  | {
      /** someone requested a reset for an address without an account */
      kind: "reset_unknown";
      signUpUrl: string;
      reader: MailReader;
    }
  | { kind: "email_change_code"; code: string; confirmUrl: string; expiresAt: Date; reader: MailReader }
  | {
      /** someone wants to move their account to an address that has an account */
      kind: "email_change_taken";
      signInUrl: string;
      reader: MailReader;
    }
  | {
      /** to the old address */
      kind: "email_changed";
      /** masked */
      newEmail: string;
      at: Date;
      securityUrl: string;
      reader: MailReader;
    }
  | (RequestOrigin & { at: Date; securityUrl: string; reader: MailReader } & (
        | { kind: "new_sign_in" }
        /** an operator ended all sessions */
        | { kind: "signed_out" }
        | { kind: "password_changed"; change: "set" | "changed" | "removed" | "reset" }
        | { kind: "recovery_codes_created" }
        | { kind: "recovery_code_used"; left: number }
      ));
