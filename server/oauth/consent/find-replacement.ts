import { findIssuableGrant } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { findReplaceableGrant, type ReplaceableMandate } from "../grants/find-replaceable-grant.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";

export type ConsentTerms = {
  mandateId: string;
  details: PaymentMandateDetails;
  /** registered merchants by name, or categories by code; empty: any registered merchant */
  payees: ({ id: string; name: string } | { category: string })[];
};

export type Replacement = {
  grantId: string;
  /** everything that lives in the grant now */
  mandates: readonly ReplaceableMandate[];
  /** of the first mandate that is to be changed: what the page offers first */
  paymentMethodId: string | null;
  budgetVisible: boolean;
};

/** Whether a request is this payer's to answer: one that makes a new grant is for whoever signs in. */
export const mayAnswer = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { request, payerId }: { request: AuthorizationRequest; payerId: string | null },
): Promise<boolean> => {
  if (request.replacesGrantId === null) return true;
  const grant = await findIssuableGrant(deps.db.sql, request.replacesGrantId, await deps.businessClock.now());
  return grant !== null && grant.payerId === payerId;
};

/**
 * What a request to replace a grant is about, as it stands now.
 * @returns null where the request makes a new grant; `ended` where the grant or one of the named mandates has ended;
 *   `not_yours` where the grant is another payer's.
 */
export const findReplacement = async (
  deps: Deps,
  input: { request: AuthorizationRequest; clientId: string; payerId: string },
): Promise<Replacement | "not_yours" | "ended" | null> => {
  const { request, clientId, payerId } = input;
  if (request.replacesGrantId === null) return null;
  if (!(await mayAnswer(deps, { request, payerId }))) return "not_yours";
  const grant = await findReplaceableGrant(deps, { grantId: request.replacesGrantId, clientId });
  if (!grant) return "ended";
  const named = request.details.flatMap(({ identifier }) => (identifier === undefined ? [] : [identifier]));
  const changed = named.flatMap((id) => grant.mandates.filter((mandate) => mandate.id === id));
  const [first] = changed;
  if (!first || changed.length < named.length) return "ended";
  const { paymentMethodId, budgetVisible } = first;
  return { grantId: grant.id, mandates: grant.mandates, paymentMethodId, budgetVisible };
};
