import type { Tx } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";

/** The owner of an account, with locale and time zone. */
export type AccountReader = { id: string; email: string; locale: string; timeZone: string };

/** What the mail reports: a new sign-in, ended sessions, or a change of the account's sign-in methods. */
export type SecurityEvent =
  /** support ended all sessions */
  | { kind: "signed_out" }
  | { kind: "new_sign_in" }
  | { kind: "password_changed"; change: "set" | "changed" | "removed" | "reset" }
  | { kind: "recovery_codes_created" }
  | { kind: "recovery_code_used"; left: number };

type Notice = {
  account: AccountReader;
  event: SecurityEvent;
  /** the request of the sign-in; the mail shows its device and place */
  info?: RequestInfo;
  requestId: string;
};

/** Queues a mail in the transaction of the change, so that the owner notices if someone else made the change. */
export const queueSecurityMail = async (
  deps: Pick<Deps, "config" | "clock"> & Partial<Pick<Deps, "places">>,
  tx: Tx,
  { account, event, info, requestId }: Notice,
): Promise<void> => {
  const { email, locale, timeZone } = account;
  const content = {
    ...event,
    at: deps.clock.now(),
    userAgent: info?.userAgent ?? null,
    place: (info && deps.places?.find(info.ipAddress)) ?? null,
    securityUrl: `${deps.config.walletUrl}/wallet/security`,
    reader: { locale, timeZone },
  };
  await queueMail(deps, tx.sql, { recipient: email, content, requestId });
};
