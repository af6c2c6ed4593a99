import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { holdClient } from "../../data/oauth/clients.ts";
import { insertConsent } from "../../data/oauth/consents.ts";
import { completePushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { methodLabel } from "../../kernel/messages/method-label.ts";
import { translator } from "../../kernel/messages/translator.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";
import { sealLocation } from "./consent-answer.ts";
import type { ConsentPageText } from "./consent-form.ts";
import type { ConsentView } from "./consent-view.ts";
import { isStillAllowed } from "./load-consent-request.ts";

export type ConsentDecision = {
  decision: "approve" | "decline";
  paymentMethodId: string | null;
  /** one per mandate of the request */
  narrowings: readonly Narrowing[];
  budgetVisible: boolean;
};

/** A decision that was checked: it belongs to this payer, session and page. */
export type CheckedDecision = {
  info: RequestInfo;
  decision: ConsentDecision;
  session: SessionContext;
  page: ConsentPageText;
  view: ConsentView;
  request: AuthorizationRequest;
  /** id of the consent to insert */
  consentId: string;
  formHash: string;
};

type Completion = CheckedDecision & {
  /** the redirect to the client, code included */
  location: string;
  now: Date;
};

/**
 * At most one decision completes a request.
 * @throws DomainError consent_gone if the request was completed or has expired, or if the client was deleted or lost a
 *   requested permission.
 */
export const completeRequest = async (
  { sealer }: Pick<Deps, "sealer">,
  tx: Tx,
  { view, request, consentId, formHash, location, now }: Completion,
): Promise<void> => {
  // Deletions and updates of the client also lock it first. So no grant is created for a deleted client.
  const client = await holdClient(tx.sql, view.client.id);
  const answerSealed = sealLocation({ sealer }, view.handle, location);
  const completion = { handle: view.handle, now, consentId, answerHash: formHash, answerSealed };
  if (!client || !isStillAllowed(client, request) || !(await completePushedRequest(tx.sql, completion))) {
    const message = "This request was completed, has expired or is no longer allowed. Start again in the app.";
    throw new DomainError("conflict", { code: "consent_gone", message });
  }
};

type Recorded = CheckedDecision & {
  grantId: string;
  details: readonly PaymentMandateDetails[];
  paymentMethod: string;
  now: Date;
};

/** Inserts the page's text with the decision, and the audit entry. */
export const recordConsent = async (tx: Tx, recorded: Recorded): Promise<void> => {
  const { view, session, decision, now, info, consentId, grantId, page } = recorded;
  const text = [page.text, ...decisionLines(recorded)].join("\n");
  const textHash = sha256Base64url(text);
  await insertConsent(tx, {
    id: consentId,
    grantId,
    payerId: session.account.id,
    clientId: view.client.id,
    sessionId: session.sessionId,
    decision: decision.decision,
    locale: page.locale,
    text,
    textHash,
    createdAt: now,
  });
  await appendAudit(tx.sql, {
    at: now,
    actor: { kind: "payer", id: session.account.id },
    action: decision.decision === "approve" ? "consent.approved" : "consent.declined",
    subjectId: consentId,
    requestId: info.requestId,
    data: { client_id: view.client.id, grant_id: grantId, text_hash: textHash },
  });
};

/** Appended to the page's text, in its language: the decision, and the limits that the payer lowered. */
const decisionLines = ({ decision, paymentMethod, request, details, page }: Recorded): string[] => {
  const t = translator(page.locale, "consent");
  if (decision.decision === "decline") return [t("declinedLine")];
  const narrowed = details.flatMap((granted, index) =>
    JSON.stringify(granted) === JSON.stringify(request.details[index])
      ? []
      : [t("loweredLine", { limits: JSON.stringify(decision.narrowings[index]) })],
  );
  return [
    t(decision.budgetVisible ? "approvedLine" : "approvedHiddenLine", {
      method: methodLabel(paymentMethod, page.locale),
    }),
    ...narrowed,
  ];
};
