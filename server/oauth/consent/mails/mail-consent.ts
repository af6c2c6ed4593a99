import type { Sql } from "../../../data/client.ts";
import { findMailRecipient } from "../../../data/mail/recipients.ts";
import type { Deps } from "../../../deps/deps.ts";
import { describeDetails } from "../../../mandates/details/describe-details.ts";
import { queueOptionalMail } from "../../../platform/mail/queue-optional-mail.ts";
import type { ApprovedRequest } from "../replace-grant.ts";

/**
 * Queues one e-mail about an approval, for all mandates of the request, in the approval's transaction. The e-mail lists
 * what the client may now spend.
 */
export const mailConsent = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  approved: ApprovedRequest & { now: Date },
): Promise<void> => {
  const { session, view, details, now } = approved;
  const kind = view.replaces ? "mandate_changed" : "consent_given";
  const recipient = await findMailRecipient(sql, { accountId: session.account.id, kind });
  if (!recipient) return;
  const { locale, timeZone } = recipient;
  const reader = { locale, timeZone };
  const terms = view.mandates.flatMap(({ payees }, index) => {
    const granted = details[index];
    return granted ? describeDetails({ details: granted, payees, consentedAt: now }, reader) : [];
  });
  const only = view.mandates.length === 1 ? view.mandates[0] : undefined;
  const mandates = `${deps.config.walletUrl}/wallet/mandates`;
  const shared = {
    clientName: view.client.appName,
    terms,
    at: now,
    mandateUrl: only ? `${mandates}/${only.mandateId}` : mandates,
    reader,
  };
  const content = view.replaces
    ? ({ kind: "mandate_changed", change: "replaced", ended: view.replaces.ends.length, ...shared } as const)
    : ({ kind: "consent_given", ...shared } as const);
  await queueOptionalMail(deps, sql, { recipient, content, requestId: approved.info.requestId });
};
