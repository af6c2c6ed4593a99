import type { Actor } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { insertMandateMailBatches } from "../../data/mandates/mandate-mail-batches.ts";
import { type ChangedMandates, findRecipientsOfChange } from "../../data/mandates/mandate-mails.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { mailBatchSize, maxMailsAtOnce } from "../../platform/mail/queue-mail-to-all.ts";
import { queueOptionalMail } from "../../platform/mail/queue-optional-mail.ts";
import { describeLimits } from "../details/describe-details.ts";
import type { PaymentMandateDetails } from "../details/payment-mandate.wire.ts";

export type MandateChange = {
  mandateIds: readonly string[];
  change: "suspended" | "resumed" | "revoked" | "narrowed" | "method";
  by: Pick<Actor, "kind">;
  at: Date;
  requestId: string;
  /** after `narrowed`: the new limits */
  narrowed?: { details: PaymentMandateDetails; consentedAt: Date };
};

type MailDeps = Pick<Deps, "config" | "clock">;

/**
 * Queues an e-mail to each payer of these mandates, one per client, in the transaction that changed them. If there are
 * many mandates, the transaction only records the change, and workers queue the e-mails in batches.
 */
export const mailMandateChange = async (deps: MailDeps, sql: Sql, change: MandateChange): Promise<void> => {
  if (change.mandateIds.length <= maxMailsAtOnce) return mailPayersOfChange(deps, sql, change);
  await insertMandateMailBatches(sql, {
    ...change,
    id: newId("mail"),
    actorKind: change.by.kind,
    createdAt: deps.clock.now(),
    payers: mailBatchSize,
  });
};

/** The e-mail doesn't contain an operator's reason. */
export const mailPayersOfChange = async (deps: MailDeps, sql: Sql, change: MandateChange): Promise<void> => {
  if (change.mandateIds.length === 0) return;
  for (const mandates of await findRecipientsOfChange(sql, change.mandateIds)) {
    const content = contentOf(deps, mandates, change);
    await queueOptionalMail(deps, sql, { recipient: mandates, content, requestId: change.requestId });
  }
};

const contentOf = ({ config }: MailDeps, mandates: ChangedMandates, { change, by, at, narrowed }: MandateChange) => {
  const { clientName, purpose, count, mandateId, locale, timeZone } = mandates;
  return {
    kind: "mandate_changed",
    clientName,
    purpose,
    count,
    change,
    limits: narrowed ? describeLimits(narrowed, { locale, timeZone }) : [],
    by: by.kind === "anonymous" ? "system" : by.kind,
    at,
    mandateUrl: mandateId === null ? `${config.walletUrl}/wallet/mandates` : mandatePage(config, mandateId),
    reader: { locale, timeZone },
  } as const;
};

/** The page of a mandate in the wallet. */
const mandatePage = ({ walletUrl }: Pick<Deps["config"], "walletUrl">, mandateId: string): string =>
  `${walletUrl}/wallet/mandates/${mandateId}`;
