import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";

/** The owner of a passkey, with locale and time zone. */
export type PasskeyOwner = { id: string; email: string; locale: string; timeZone: string };

/**
 * E-mails the owner of a passkey, so that the owner notices a change by someone else. The e-mail is queued in the
 * transaction of the change.
 */
export const queuePasskeyMail = async (
  deps: Pick<Deps, "config" | "clock">,
  tx: Tx,
  {
    kind,
    account,
    name,
    requestId,
  }: {
    kind: "passkey_added" | "passkey_removed";
    account: PasskeyOwner;
    name: string;
    requestId: string;
  },
): Promise<void> => {
  const { email, locale, timeZone } = account;
  const securityUrl = `${deps.config.walletUrl}/wallet/security`;
  const content = { kind, name, at: deps.clock.now(), securityUrl, reader: { locale, timeZone } };
  await queueMail(deps, tx.sql, { recipient: email, content, requestId });
};
