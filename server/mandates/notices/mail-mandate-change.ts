import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { type ChangedMandates, findRecipientsOfChange } from "../../data/mandates/mandate-mails.ts";
import type { Deps } from "../../deps/deps.ts";
import { queueOptionalMail } from "../../platform/mail/queue-optional-mail.ts";

type Change = {
  mandateIds: readonly string[];
  change: "suspended" | "resumed" | "revoked" | "narrowed" | "method";
  by: Actor;
  at: Date;
  requestId: string;
};

type MailDeps = Pick<Deps, "config" | "clock">;

/**
 * Queues an e-mail to each payer of these mandates, one per client, in the transaction that changed them. An operator's
 * reason isn't in the mail.
 */
export const mailMandateChange = async (deps: MailDeps, sql: Sql, change: Change): Promise<void> => {
  if (change.mandateIds.length === 0) return;
  for (const mandates of await findRecipientsOfChange(sql, change.mandateIds)) {
    const content = contentOf(deps, mandates, change);
    await queueOptionalMail(deps, sql, { recipient: mandates, content, requestId: change.requestId });
  }
};

const contentOf = ({ config }: MailDeps, mandates: ChangedMandates, { change, by, at }: Change) => {
  const { clientName, purpose, count, mandateId, locale, timeZone } = mandates;
  return {
    kind: "mandate_changed",
    clientName,
    purpose,
    count,
    change,
    by: by.kind === "anonymous" ? "system" : by.kind,
    at,
    mandateUrl: mandateId === null ? `${config.walletUrl}/wallet/mandates` : mandatePage(config, mandateId),
    reader: { locale, timeZone },
  } as const;
};

/** The page of a mandate in the wallet. */
const mandatePage = ({ walletUrl }: Pick<Deps["config"], "walletUrl">, mandateId: string): string =>
  `${walletUrl}/wallet/mandates/${mandateId}`;
