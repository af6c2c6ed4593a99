import { listPaymentMethods } from "../../accounts/payment-methods/list-payment-methods.ts";
import type { Tx } from "../../data/client.ts";
import { insertCode, insertGrant } from "../../data/oauth/grants.ts";
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
import { completeRequest, type Decided, keepConsent } from "./keep-consent.ts";
import { nameInRequest } from "./name-in-request.ts";
import { replaceGrant } from "./replace-grant.ts";

/**
 * One transaction: the request is completed, its mandates are active, the words kept, and the code made.
 * @returns the redirect to the client.
 */
export const approveRequest = async (deps: Deps, input: Decided): Promise<string> => {
  const { session, request, view, decision } = input;
  const methods = await listPaymentMethods(deps, { payerId: session.account.id });
  const method = methods.find(({ id }) => id === decision.paymentMethodId);
  if (!method) {
    throw new DomainError("invalid", "payment_method_required", "Choose one of your payment methods.", {
      errors: [{ pointer: "/payment_method_id", detail: "is not one of your payment methods" }],
    });
  }
  const details = await Promise.all(
    request.details.map((item, index) =>
      nameInRequest(index, () => narrowMandate(item, decision.narrowings[index] ?? {})),
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
    await completeRequest(deps, tx, { ...input, location, now: createdAt });
    await (view.replaces ? replaceGrant(deps, tx, approved) : makeGrant(deps, tx, approved));
    await keepConsent(tx, { ...approved, paymentMethod: method.label });
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

/** Every authorization makes a new grant, but for one that replaces. */
const makeGrant = async (
  deps: Deps,
  tx: Tx,
  approved: Decided & {
    grantId: string;
    details: readonly PaymentMandateDetails[];
    paymentMethodId: string;
    now: BusinessTime;
  },
): Promise<void> => {
  const { grantId, session, request, view, decision, details, paymentMethodId, now } = approved;
  const parties = { clientId: view.client.id, payerId: session.account.id };
  await insertGrant(tx, { id: grantId, ...parties, scopes: request.scopes, createdAt: now });
  const shared = { requestId: approved.info.requestId, grantId, ...parties, paymentMethodId, now };
  const { budgetVisible } = decision;
  for (const [index, item] of details.entries()) {
    const mandate = { details: [item], mandateIds: request.mandateIds.slice(index, index + 1) };
    await nameInRequest(index, () => activateMandates(deps, tx, { ...shared, ...mandate, budgetVisible }));
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
        (_, place) => `/periodic_limits/${placeInRequest(details, narrowing.periodic_limits?.[Number(place)])}`,
      ),
      detail,
    }));
    throw new DomainError(error.kind, error.code, error.message, { errors });
  }
};

type Period = Pick<NonNullable<Narrowing["periodic_limits"]>[number], "period" | "alignment">;

/** A narrowing has only the limits that were typed: its places aren't those of the request. */
const placeInRequest = ({ periodic_limits: asked = [] }: PaymentMandateDetails, typed: Period | undefined): number =>
  asked.findIndex(({ period, alignment }) => period === typed?.period && alignment === typed.alignment);
