import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { findPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { toAuthorizationRequest } from "../requests/authorization-request.ts";
import { approveRequest } from "./approve-request.ts";
import { findAnswer, hashForm } from "./consent-answer.ts";
import { openConsentForm } from "./consent-form.ts";
import { declineRequest } from "./decline-request.ts";
import { findConsent } from "./find-consent.ts";
import type { ConsentDecision } from "./keep-consent.ts";

type Input = {
  handle: string;
  formToken: string;
  session: SessionContext | null;
  decision: ConsentDecision;
  info: RequestInfo;
};

/** Where the browser goes next: back to the client, or to sign in again first. */
export type ConsentOutcome = { kind: "redirect"; location: string } | { kind: "sign_in" };

/**
 * The payer's answer. One transaction: the request is completed (at most one caller gets it), the mandates become active,
 * rejected or others, the words are kept, the code is made. The same form sent again, even at once, gets the same redirect
 * while its code is unused and alive.
 * @throws DomainError consent_gone, consent_stale, or the field that is wrong; nothing has changed then.
 */
export const decideConsent = async (deps: Deps, input: Input): Promise<ConsentOutcome> => {
  const { session } = input;
  if (!session) return { kind: "sign_in" };
  try {
    return await answerRequest(deps, { ...input, session });
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const location = await findRepeatedAnswer(deps, { ...input, session });
    if (location === null) throw error;
    return { kind: "redirect", location };
  }
};

type SignedIn = Input & { session: SessionContext };

const answerRequest = async (deps: Deps, input: SignedIn): Promise<ConsentOutcome> => {
  const { handle, session, info, decision, formToken } = input;
  const lookup = await findConsent(deps, { handle, session });
  if (lookup.kind === "sign_in") return lookup;
  if (lookup.kind === "gone") {
    // A request that can't be approved any more can still be declined.
    if (decision.decision === "decline" && lookup.wayBack) {
      return { kind: "redirect", location: lookup.wayBack.location };
    }
    throw new DomainError("conflict", "consent_gone", `This request is ${lookup.reason}.`);
  }
  const shown = openConsentForm(deps, { formToken, session, view: lookup.view });
  const row = await findPushedRequest(deps.db, handle);
  if (!row) throw new DomainError("conflict", "consent_gone", "This request was not found. Start again in the app.");
  const request = toAuthorizationRequest(row.request);
  const answer = { consentId: newId("con"), formHash: hashForm(formToken, decision) };
  const decided = { info, decision, session, shown, view: lookup.view, request, ...answer };
  const decide = decision.decision === "approve" ? approveRequest : declineRequest;
  return { kind: "redirect", location: await decide(deps, decided) };
};

/** @returns the redirect that the same form got before, from the same session. */
const findRepeatedAnswer = async (
  deps: Deps,
  { handle, session, formToken, decision }: SignedIn,
): Promise<string | null> => {
  const row = await findPushedRequest(deps.db, handle);
  // What differs from the form that was answered is another decision: the page then shows the one that was made.
  if (row?.answerHash !== hashForm(formToken, decision)) return null;
  return (await findAnswer(deps, { row, session }))?.location ?? null;
};
