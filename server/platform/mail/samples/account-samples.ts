import type { AccountMailContent } from "../rules/account-mail-content.ts";
import type { MailReader } from "../rules/mail-reader.ts";

const at = new Date("2026-11-21T13:15:00Z");
const wallet = "https://pay.example/wallet";

/** An example of each mail about an account. */
export const accountSamples = (
  reader: MailReader,
): { [Kind in AccountMailContent["kind"]]: AccountMailContent & { kind: Kind } } => {
  const security = { at, securityUrl: `${wallet}/security`, reader };
  return {
    verification: {
      kind: "verification",
      code: "482913",
      confirmUrl: "https://pay.example/sign-up/verify?token=example",
      expiresAt: at,
      reader,
    },
    account_exists: {
      kind: "account_exists",
      signInUrl: "https://pay.example/sign-in",
      resetUrl: "https://pay.example/reset-password",
      reader,
    },
    passkey_added: { kind: "passkey_added", name: "Work laptop", ...security },
    passkey_removed: { kind: "passkey_removed", name: "Work laptop", ...security },
    invitation: {
      kind: "invitation",
      team: { name: "Fresh Market", role: "developer" },
      inviterName: "Ada Lovelace",
      acceptUrl: "https://pay.example/invitation?token=example",
      expiresAt: at,
      reader,
    },
    data_export_ready: { kind: "data_export_ready", downloadUrl: `${wallet}/privacy`, expiresAt: at, reader },
    deletion_scheduled: { kind: "deletion_scheduled", deletedOn: at, keepUrl: `${wallet}/privacy`, reader },
    deletion_cancelled: { kind: "deletion_cancelled", walletUrl: wallet, reader },
    account_deleted: { kind: "account_deleted", at, reader },
  };
};
