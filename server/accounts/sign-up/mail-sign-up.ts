import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { mailedCodeMac, mailedCodeSeconds, newMailedCode } from "../mailed-code.ts";

/** A code and a link for one sign-up: the secrets to send, and the values to store. */
export type SignUpCode = {
  code: string;
  token: string;
  codeHash: string;
  linkHash: string;
  codeExpiresAt: Date;
  isTaken: boolean;
};

/**
 * For an address that has an account, the code and link are never sent. They are created and stored all the same, so
 * that both cases do the same work.
 */
export const makeSignUpCode = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { id, email }: { id: string; email: string },
): Promise<SignUpCode> => {
  const code = newMailedCode();
  const token = newSecret();
  return {
    code,
    token,
    codeHash: mailedCodeMac(config.masterKey, { purpose: "sign_up_code", id }, code),
    linkHash: sha256Base64url(token),
    codeExpiresAt: addSeconds(clock.now(), mailedCodeSeconds),
    isTaken: (await findAccountByEmail(db, email)) !== null,
  };
};

type Recipient = { email: string; displayName: string; locale: string; timeZone: string; returnTo: string };

/** Sends code and link, or informs the owner of an account that someone used the address to sign up. */
export const queueSignUpMail = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { to, made, requestId }: { to: Recipient; made: SignUpCode; requestId: string },
): Promise<void> => {
  const { walletUrl } = deps.config;
  const reader = { locale: to.locale, timeZone: to.timeZone };
  const returnQuery = new URLSearchParams({ return_to: to.returnTo });
  await queueMail(deps, sql, {
    recipient: to.email,
    requestId,
    obsoleteAfter: made.codeExpiresAt,
    content: made.isTaken
      ? {
          kind: "account_exists",
          signInUrl: `${walletUrl}/sign-in?${returnQuery}`,
          resetUrl: `${walletUrl}/reset?${returnQuery}`,
          reader,
        }
      : {
          kind: "verification",
          code: made.code,
          confirmUrl: `${walletUrl}/sign-up/confirm?token=${made.token}`,
          expiresAt: made.codeExpiresAt,
          reader,
        },
  });
};
