import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import { holdClient } from "../../data/oauth/clients.ts";
import { insertConsent } from "../../data/oauth/consents.ts";
import { completePushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Narrowing } from "../../mandates/details/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";
import { sealLocation } from "./consent-answer.ts";
import { type ConsentView, mayStillAsk } from "./find-consent.ts";

export type ConsentDecision = {
  decision: "approve" | "decline";
  paymentMethodId: string | null;
  /** one per mandate of the request */
  narrowings: readonly Narrowing[];
  budgetVisible: boolean;
};

/** An answer that was found to be this payer's, to this very page. */
export type Decided = {
  info: RequestInfo;
  decision: ConsentDecision;
  session: SessionContext;
  /** the page's words as the payer saw them */
  shown: { shownText: string; locale: string };
  view: ConsentView;
  request: AuthorizationRequest;
  /** of the consent that is written */
  consentId: string;
  formHash: string;
};

type Completion = Decided & {
  /** where the client's answer leads, code included */
  location: string;
  now: Date;
};

/** At most one answer completes a request. @throws DomainError consent_gone. */
export const completeRequest = async (
  { sealer }: Pick<Deps, "sealer">,
  tx: Tx,
  { view, request, consentId, formHash, location, now }: Completion,
): Promise<void> => {
  // First, as whoever deletes or changes the client takes its lock first: no grant is made for one that is gone.
  const client = await holdClient(tx.sql, view.client.id);
  const answer = { consentId, answerHash: formHash, answerSealed: sealLocation({ sealer }, view.handle, location) };
  const completion = { handle: view.handle, now, ...answer };
  if (!client || !mayStillAsk(client, request) || !(await completePushedRequest(tx.sql, completion))) {
    throw new DomainError(
      "conflict",
      "consent_gone",
      "This request was completed or has expired. Start again in the app.",
    );
  }
};

type Kept = Decided & { grantId: string; details: readonly PaymentMandateDetails[]; paymentMethod: string; now: Date };

/** What was shown and answered, word for word, with its audit entry. */
export const keepConsent = async (tx: Tx, kept: Kept): Promise<void> => {
  const { view, session, decision, now, info } = kept;
  const text = [kept.shown.shownText, ...decidedLines(kept)].join("\n");
  const textHash = sha256Base64url(text);
  await insertConsent(tx, {
    id: kept.consentId,
    grantId: kept.grantId,
    payerId: session.account.id,
    clientId: view.client.id,
    sessionId: session.sessionId,
    decision: decision.decision,
    locale: kept.shown.locale,
    text,
    textHash,
    createdAt: now,
  });
  await appendAudit(tx.sql, {
    at: now,
    actor: { kind: "payer", id: session.account.id },
    action: decision.decision === "approve" ? "consent.approved" : "consent.declined",
    subjectId: kept.consentId,
    requestId: info.requestId,
    data: { client_id: view.client.id, grant_id: kept.grantId, text_hash: textHash },
  });
};

/** Behind the page's words: what was answered, and which limits the payer lowered first. */
const decidedLines = ({ decision, paymentMethod, request, details }: Kept): string[] =>
  decision.decision === "decline"
    ? ["Declined."]
    : [
        `Approved, paying with ${paymentMethod}. Merchants ${decision.budgetVisible ? "may" : "may not"} see the remaining limit.`,
        ...details.flatMap((granted, index) =>
          JSON.stringify(granted) === JSON.stringify(request.details[index])
            ? []
            : [`Lowered before approval: ${JSON.stringify(decision.narrowings[index])}`],
        ),
      ];
