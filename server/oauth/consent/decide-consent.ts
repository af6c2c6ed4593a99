import type { SessionContext } from "../../accounts/find-session.ts";
import { listPaymentMethods } from "../../accounts/list-payment-methods.ts";
import { appendAudit } from "../../data/audit.ts";
import type { Tx } from "../../data/client.ts";
import { insertConsent } from "../../data/consents.ts";
import { insertCode, insertGrant } from "../../data/grants.ts";
import { completePushedRequest, findPushedRequest } from "../../data/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps.ts";
import { addSeconds } from "../../kernel/clock.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { sha256Base64url } from "../../kernel/hash.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { activateMandates } from "../../mandates/activate-mandates.ts";
import { type Narrowing, narrowDetails } from "../../mandates/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/payment-mandate.wire.ts";
import { rejectMandates } from "../../mandates/reject-mandates.ts";
import type { AuthorizationRequest } from "../push-request.ts";
import { withParameters } from "../rules/redirect-uri.ts";
import { codeSeconds } from "../rules/tokens.ts";
import { openConsentForm } from "./consent-form.ts";
import { type ConsentView, findConsent } from "./find-consent.ts";

type ConsentDecision = {
  decision: "approve" | "decline";
  paymentMethodId: string | null;
  /** one per mandate of the request */
  narrowings: readonly Narrowing[];
  budgetVisible: boolean;
};

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
 * The payer's answer. One transaction: the request is completed (at most one caller gets it), the mandates become active
 * or rejected, the words are kept, the code is made.
 * @throws DomainError consent_gone, consent_stale, or the field that is wrong; nothing has changed then.
 */
export const decideConsent = async (deps: Deps, input: Input): Promise<ConsentOutcome> => {
  const { handle, session } = input;
  const lookup = await findConsent(deps, { handle, session });
  if (lookup.kind === "sign_in" || !session) return { kind: "sign_in" };
  if (lookup.kind === "gone") throw new DomainError("conflict", "consent_gone", `This request is ${lookup.reason}.`);
  const shown = openConsentForm(deps, { formToken: input.formToken, session, view: lookup.view });
  const row = await findPushedRequest(deps.db, handle);
  if (!row) throw new DomainError("conflict", "consent_gone", "This request is unknown.");
  const request = row.request as unknown as AuthorizationRequest;
  const parameters =
    input.decision.decision === "approve"
      ? { code: await approve(deps, { ...input, session, shown, view: lookup.view, request }) }
      : { error: "access_denied", ...(await decline(deps, { ...input, session, shown, view: lookup.view, request })) };
  return { kind: "redirect", location: authorizationResponse(deps, request, parameters) };
};

type Decided = Input & {
  session: SessionContext;
  /** the page's words as the payer saw them */
  shown: { shownText: string; locale: string };
  view: ConsentView;
  request: AuthorizationRequest;
};

const approve = async (deps: Deps, input: Decided): Promise<string> => {
  const { session, request, view, decision } = input;
  const methods = await listPaymentMethods(deps, { payerId: session.account.id });
  const method = methods.find(({ id }) => id === decision.paymentMethodId);
  if (!method) {
    throw new DomainError("invalid", "payment_method_required", "Choose one of your payment methods.", {
      errors: [{ pointer: "/payment_method_id", detail: "is not one of your payment methods" }],
    });
  }
  const details = request.details.map((item, index) => narrowMandate(item, decision.narrowings[index], index));
  const code = newSecret();
  const now = deps.clock.now();
  const grantId = newId("grt");
  await deps.db.transaction(async (tx) => {
    await complete(tx, view.handle, now);
    await insertGrant(tx, {
      id: grantId,
      clientId: view.client.id,
      payerId: session.account.id,
      scopes: request.scopes,
      createdAt: now,
    });
    await activateMandates(deps, tx, {
      requestId: input.info.requestId,
      grantId,
      clientId: view.client.id,
      payerId: session.account.id,
      paymentMethodId: method.id,
      details,
      mandateIds: request.mandateIds,
      budgetVisible: decision.budgetVisible,
      now,
    });
    await keepConsent(tx, { ...input, grantId, details, paymentMethod: method.label, now });
    await insertCode(tx, {
      codeHash: sha256Base64url(code),
      grantId,
      clientId: view.client.id,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      dpopJkt: request.dpopJkt,
      authTime: session.authTime,
      acr: session.acr,
      createdAt: now,
      expiresAt: addSeconds(now, codeSeconds),
    });
  });
  return code;
};

/** Errors name the field of this mandate: `/mandates/0/max_total_amount`. */
const narrowMandate = (details: PaymentMandateDetails, narrowing: Narrowing | undefined, index: number) => {
  try {
    return narrowDetails(details, narrowing ?? {});
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const errors = error.errors.map(({ pointer, detail }) => ({ pointer: `/mandates/${index}${pointer}`, detail }));
    throw new DomainError(error.kind, error.code, error.message, { errors });
  }
};

const decline = async (deps: Deps, input: Decided): Promise<{ error_description: string }> => {
  const now = deps.clock.now();
  const { session, request, view } = input;
  const grantId = newId("grt");
  await deps.db.transaction(async (tx) => {
    await complete(tx, view.handle, now);
    // A rejected mandate needs a grant to belong to; it has ended before it could issue anything.
    await insertGrant(tx, {
      id: grantId,
      clientId: view.client.id,
      payerId: session.account.id,
      scopes: [],
      createdAt: now,
      endedAt: now,
    });
    await rejectMandates(deps, tx, {
      requestId: input.info.requestId,
      grantId,
      clientId: view.client.id,
      payerId: session.account.id,
      mandateIds: request.mandateIds,
      details: request.details,
      now,
    });
    await keepConsent(tx, { ...input, grantId, details: request.details, paymentMethod: "", now });
  });
  return { error_description: "the payer declined" };
};

const complete = async (tx: Tx, handle: string, now: Date): Promise<void> => {
  if (!(await completePushedRequest(tx.sql, handle, now))) {
    throw new DomainError("conflict", "consent_gone", "This request was completed or has expired.");
  }
};

type Kept = Decided & { grantId: string; details: readonly PaymentMandateDetails[]; paymentMethod: string; now: Date };

const keepConsent = async (tx: Tx, kept: Kept): Promise<void> => {
  const { view, session, decision, now, info } = kept;
  const text = [kept.shown.shownText, ...decidedLines(kept)].join("\n");
  const id = newId("con");
  const textHash = sha256Base64url(text);
  await insertConsent(tx, {
    id,
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
    subjectId: id,
    requestId: info.requestId,
    data: { client_id: view.client.id, grant_id: kept.grantId, text_hash: textHash },
  });
};

/** Behind the page's words: what was answered, and which limits the payer lowered first. */
const decidedLines = ({ decision, paymentMethod, request, details }: Kept): string[] =>
  decision.decision === "decline"
    ? ["Declined."]
    : [
        `Approved, paying with ${paymentMethod}. Merchants ${decision.budgetVisible ? "may" : "may not"} see what is left.`,
        ...details.flatMap((granted, index) =>
          JSON.stringify(granted) === JSON.stringify(request.details[index])
            ? []
            : [`Lowered before approval: ${JSON.stringify(decision.narrowings[index])}`],
        ),
      ];

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
