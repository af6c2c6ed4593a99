import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { findPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { approveRequest } from "./approve-request.ts";
import { findAnswer } from "./consent-answer.ts";
import { openConsentForm } from "./consent-form.ts";
import { declineRequest } from "./decline-request.ts";
import type { ConsentRequest, ReadyConsentRequest } from "./load-consent-request.ts";
import type { ConsentDecision } from "./record-consent.ts";

type Input = {
  handle: string;
  /** the request for this handle and session, loaded in this HTTP request */
  consent: ConsentRequest;
  formToken: string;
  /** `hashForm` of all fields, token included */
  formHash: string;
  session: SessionContext | null;
  decision: ConsentDecision;
  info: RequestInfo;
};
type SignedIn = Input & { session: SessionContext };

/** Where the browser goes next: back to the client, or to the sign-in page. */
export type ConsentOutcome = { kind: "redirect"; location: string } | { kind: "sign_in" };

/**
 * The payer's answer. One transaction completes the request (for at most one caller), activates, replaces or rejects
 * the mandates, records the page's text and, after an approval, creates the code. The same form sent again gets the
 * same redirect while its code is unused and hasn't expired.
 * @throws DomainError, for example consent_gone, consent_stale, account_deletion_pending, or an error that names a
 *   field. Nothing is written then.
 */
export const decideConsent = async (deps: Deps, input: Input): Promise<ConsentOutcome> => {
  const { consent, session } = input;
  if (!session || consent.kind === "sign_in") return { kind: "sign_in" };
  const signedIn = { ...input, session };
  try {
    const location =
      consent.kind === "gone" ? declineGone(consent, input.decision) : await decideReady(deps, consent, signedIn);
    return { kind: "redirect", location };
  } catch (error) {
    if (!isDomainError(error) || !conflictCodes.includes(error.code)) throw error;
    const location = await findRepeatedAnswer(deps, signedIn);
    if (location === null) throw error;
    return { kind: "redirect", location };
  }
};

/** Error codes that a concurrent answer to the same request can cause. */
const conflictCodes: readonly string[] = ["consent_gone", "consent_stale"];

/** A request that can no longer be approved can still be declined. */
const declineGone = (consent: ConsentRequest & { kind: "gone" }, { decision }: ConsentDecision): string => {
  if (decision === "decline" && consent.wayBack) return consent.wayBack.location;
  throw new DomainError("conflict", { code: "consent_gone", message: `This request is closed (${consent.reason}).` });
};

const decideReady = (deps: Deps, consent: ReadyConsentRequest, input: SignedIn): Promise<string> => {
  const { session, info, decision, formToken, formHash } = input;
  const { request, view } = consent;
  const page = openConsentForm(deps, { formToken, session, view });
  const consentId = newId("con");
  const decide = decision.decision === "approve" ? approveRequest : declineRequest;
  return decide(deps, { info, decision, session, page, view, request, consentId, formHash });
};

/** @returns the redirect that the same form got before, from the same session. */
const findRepeatedAnswer = async (deps: Deps, input: SignedIn): Promise<string | null> => {
  const { consent, handle, session, formHash } = input;
  const answer =
    consent.kind === "gone" && consent.reason === "completed"
      ? consent.answer
      : // The conflict may come from an answer that was given after this request was loaded.
        await findAnswer(deps, { row: await findPushedRequest(deps.db.sql, handle), session });
  // A different form is another decision. The page then shows the decision that was made.
  return answer?.formHash === formHash ? answer.location : null;
};
