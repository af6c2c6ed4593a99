import type { ReplacedGrant } from "../grants/find-replaced-grant.ts";
import type { AuthorizationRequest } from "../requests/authorization-request.ts";

export type Replacement = {
  grant: ReplacedGrant;
  /** The first mandate that the request changes: the page preselects its payment method and visibility. */
  paymentMethodId: string | null;
  budgetVisible: boolean;
};

/** @returns null if the grant or one of the mandates that the request names has ended. */
export const toReplacement = (
  request: Pick<AuthorizationRequest, "details">,
  grant: ReplacedGrant,
): Replacement | null => {
  if (grant.hasEnded) return null;
  const named = request.details.flatMap(({ identifier }) => (identifier === undefined ? [] : [identifier]));
  const changed = named.flatMap((id) => grant.mandates.filter((mandate) => mandate.id === id));
  const [first] = changed;
  if (!first || changed.length < named.length) return null;
  return { grant, paymentMethodId: first.paymentMethodId, budgetVisible: first.budgetVisible };
};
