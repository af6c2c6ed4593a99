import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";

/** Whose passkey it is, and how they read. */
export type Holder = { id: string; email: string; locale: string; timeZone: string };

/** In the transaction of the act: a mail, so that an owner hears of what somebody else did in their name. */
export const tellOfPasskey = async (
  deps: Pick<Deps, "config" | "clock">,
  tx: Tx,
  {
    kind,
    account,
    name,
    requestId,
  }: {
    kind: "passkey_added" | "passkey_removed";
    account: Holder;
    name: string;
    requestId: string;
  },
): Promise<void> => {
  const { email, locale, timeZone } = account;
  const securityUrl = `${deps.config.walletUrl}/wallet/security`;
  const content = { kind, name, at: deps.clock.now(), securityUrl, reader: { locale, timeZone } };
  await queueMail(deps, tx.sql, { recipient: email, content, requestId });
};
