import type { SessionContext } from "../../accounts/find-session.ts";
import { findPushedRequest } from "../../data/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type AuthorizationRequest, toAuthorizationRequest } from "../authorization-request.ts";
import { withParameters } from "../rules/redirect-uri.ts";
import { approveRequest } from "./approve-request.ts";
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
 * rejected or others, the words are kept, the code is made.
 * @throws DomainError consent_gone, consent_stale, or the field that is wrong; nothing has changed then.
 */
export const decideConsent = async (deps: Deps, input: Input): Promise<ConsentOutcome> => {
  const { handle, session, info, decision } = input;
  const lookup = await findConsent(deps, { handle, session });
  if (lookup.kind === "sign_in" || !session) return { kind: "sign_in" };
  if (lookup.kind === "gone") throw new DomainError("conflict", "consent_gone", `This request is ${lookup.reason}.`);
  const shown = openConsentForm(deps, { formToken: input.formToken, session, view: lookup.view });
  const row = await findPushedRequest(deps.db, handle);
  if (!row) throw new DomainError("conflict", "consent_gone", "This request is unknown.");
  const request = toAuthorizationRequest(row.request);
  const decided = { info, decision, session, shown, view: lookup.view, request };
  if (decision.decision === "approve") {
    const code = await approveRequest(deps, decided);
    return { kind: "redirect", location: authorizationResponse(deps, request, { code }) };
  }
  await declineRequest(deps, decided);
  const refusal = { error: "access_denied", error_description: "the payer declined" };
  return { kind: "redirect", location: authorizationResponse(deps, request, refusal) };
};

/** RFC 6749 §4.1.2, §4.1.2.1 with `iss` (RFC 9207 §2), on errors too. */
const authorizationResponse = (
  { config }: Deps,
  request: AuthorizationRequest,
  parameters: Readonly<Record<string, string>>,
): string =>
  withParameters(request.redirectUri, {
    ...parameters,
    ...(request.state === null ? {} : { state: request.state }),
    iss: config.baseUrl,
  });
