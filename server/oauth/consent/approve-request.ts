import { listPaymentMethods } from "../../accounts/payment-methods/list-payment-methods.ts";
import type { Tx } from "../../data/client.ts";
import { insertCode, insertGrant } from "../../data/oauth/grants.ts";
import { holdDeletion } from "../../data/privacy/account-deletion.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError, isDomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import { type Narrowing, narrowDetails } from "../../mandates/details/narrow-details.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { codeSeconds } from "../rules/tokens/tokens.ts";
import { authorizationResponse } from "./authorization-response.ts";
import { mailConsent } from "./mails/mail-consent.ts";
import { type CheckedDecision, completeRequest, recordConsent } from "./record-consent.ts";
import { type ApprovedRequest, replaceGrant } from "./replace-grant.ts";
import { withRequestPointers } from "./with-request-pointers.ts";

/**
 * One transaction: completes the request, activates its mandates, records the consent and creates the code.
 * @returns the redirect to the client.
 */
export const approveRequest = async (deps: Deps, input: CheckedDecision): Promise<string> => {
  const { session, request, view, decision } = input;
  const methods = await listPaymentMethods(deps, { payerId: session.account.id });
  const method = methods.find(({ id }) => id === decision.paymentMethodId);
  if (!method) {
    throw new DomainError("invalid", {
      code: "payment_method_required",
      message: "Choose one of your payment methods.",
      errors: [{ pointer: "/payment_method_id", detail: "is not one of your payment methods" }],
    });
  }
  const details = await Promise.all(
    request.details.map((item, index) =>
      withRequestPointers(index, () => narrowMandate(item, decision.narrowings[index] ?? {})),
    ),
  );
  const now = await deps.businessClock.now();
  const createdAt = deps.clock.now();
  const expiresAt = addSeconds(createdAt, codeSeconds);
  const code = newSecretUntil(expiresAt);
  const location = authorizationResponse(deps, request, { code });
  const grantId = view.replaces?.grantId ?? newId("grt");
  const approved = { ...input, grantId, details, paymentMethodId: method.id, now };
  await deps.db.transaction(async (tx) => {
    await refuseDuringDeletion(tx, session.account.id);
    await completeRequest(deps, tx, { ...input, location, now: createdAt });
    await (view.replaces ? replaceGrant(deps, tx, approved) : createGrant(deps, tx, approved));
    await recordConsent(tx, { ...approved, paymentMethod: method.label });
    await mailConsent(deps, tx.sql, approved);
    await insertCode(tx, {
      codeHash: hashDated(code),
      grantId,
      clientId: view.client.id,
      redirectUri: request.redirectUri,
      codeChallenge: request.codeChallenge,
      dpopJkt: request.dpopJkt,
      authTime: session.authTime,
      acr: session.acr,
      createdAt,
      expiresAt,
    });
  });
  return location;
};

/**
 * The deletion ended all grants of the account (docs/spec/portal.md, Privacy). No grant is added while a deletion is
 * pending.
 */
const refuseDuringDeletion = async (tx: Tx, accountId: string): Promise<void> => {
  if (!(await holdDeletion(tx.sql, accountId)).isPending) return;
  throw new DomainError("conflict", {
    code: "account_deletion_pending",
    message:
      "Your account is scheduled for deletion, so you can’t approve requests. Choose to keep your account first.",
  });
};

/** Every authorization that replaces no grant creates a new grant. */
const createGrant = async (deps: Deps, tx: Tx, approved: ApprovedRequest & { now: BusinessTime }): Promise<void> => {
  const { grantId, session, request, view, decision, details, paymentMethodId, now } = approved;
  const parties = { clientId: view.client.id, payerId: session.account.id };
  const { scopes, redirectUri } = request;
  await insertGrant(tx, { id: grantId, ...parties, scopes, redirectUri, createdAt: now });
  const shared = { requestId: approved.info.requestId, grantId, ...parties, paymentMethodId, now };
  const { budgetVisible } = decision;
  for (const [index, item] of details.entries()) {
    const mandate = { details: [item], mandateIds: request.mandateIds.slice(index, index + 1) };
    await withRequestPointers(index, () => activateMandates(deps, tx, { ...shared, ...mandate, budgetVisible }));
  }
};

const narrowMandate = (details: PaymentMandateDetails, narrowing: Narrowing): PaymentMandateDetails => {
  try {
    return narrowDetails(details, narrowing);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const errors = error.errors.map(({ pointer, detail }) => ({
      pointer: pointer.replace(
        /^\/periodic_limits\/(\d+)/,
        (_, index) => `/periodic_limits/${indexInRequest(details, narrowing.periodic_limits?.[Number(index)])}`,
      ),
      detail,
    }));
    throw new DomainError(error.kind, { code: error.code, message: error.message, errors });
  }
};

type Period = Pick<NonNullable<Narrowing["periodic_limits"]>[number], "period" | "alignment">;

/** A narrowing contains only the limits that were entered, so its indexes differ from the request's. */
const indexInRequest = ({ periodic_limits: limits = [] }: PaymentMandateDetails, typed: Period | undefined): number =>
  limits.findIndex(({ period, alignment }) => period === typed?.period && alignment === typed.alignment);
