import type { MailReader } from "./mail-reader.ts";

/** E-mails about an account, in the language of the reader's locale. */
export type AccountMailContent =
  | {
      kind: "verification";
      /** six digits */
      code: string;
      /** a page with a button; only the button verifies the address */
      confirmUrl: string;
      expiresAt: Date;
      reader: MailReader;
    }
  | {
      /** someone tried to sign up with the address of an account */
      kind: "account_exists";
      signInUrl: string;
      resetUrl?: string;
      reader: MailReader;
    }
  | {
      /** the owner is informed, because someone else may have signed in */
      kind: "passkey_added" | "passkey_removed";
      /** the name of the passkey */
      name: string;
      at: Date;
      /** the page with passkeys and sessions */
      securityUrl: string;
      reader: MailReader;
    }
  | {
      /** to a merchant's team */
      kind: "invitation";
      team: { name: string; role: "owner" | "admin" | "developer" | "viewer" };
      inviterName: string;
      /** the only place where the link's token appears */
      acceptUrl: string;
      expiresAt: Date;
      reader: MailReader;
    }
  | { kind: "data_export_ready"; downloadUrl: string; expiresAt: Date; reader: MailReader }
  | { kind: "deletion_scheduled"; deletedOn: Date; keepUrl: string; reader: MailReader }
  | { kind: "deletion_cancelled"; walletUrl: string; reader: MailReader }
  | { kind: "account_deleted"; at: Date; reader: MailReader };
