import { findMerchantMandate } from "../../data/mandates/merchant-mandates.ts";
import type { Deps } from "../../deps/deps.ts";
import { findMandateView, type MandateView } from "../find-mandates.ts";
import { mandateNotFound } from "../lifecycle/transition-mandate.ts";

export type MerchantMandate = Pick<
  MandateView,
  "id" | "state" | "client" | "currency" | "timeZone" | "validFrom" | "validUntil" | "endedAt"
> & {
  isNamed: boolean;
  since: Date;
  actions: readonly string[];
  payerPresence: readonly string[];
  /** null unless the payer allowed merchants to see what is left */
  limits: MandateView["limits"] | null;
};

/**
 * What a merchant may see of a mandate: nothing about the payer, other payees or their charges (docs/spec/portal.md,
 * Mandates of a merchant).
 * @throws DomainError not_found, also for a mandate that doesn't name the merchant and wasn't charged by it.
 */
export const getMerchantMandate = async (
  deps: Pick<Deps, "db" | "businessClock">,
  input: { merchantId: string; mandateId: string },
): Promise<MerchantMandate> => {
  const found = await findMerchantMandate(deps.db.sql, input);
  const view = found && (await findMandateView(deps, { payerId: found.payerId, mandateId: input.mandateId }));
  if (!found || !view) throw mandateNotFound();
  const { id, state, client, currency, timeZone, validFrom, validUntil, endedAt, details } = view;
  return {
    id,
    state,
    client,
    currency,
    timeZone,
    validFrom,
    validUntil,
    endedAt,
    isNamed: found.isNamed,
    since: found.since,
    actions: details.actions,
    payerPresence: details.payer_presence ?? [],
    limits: view.budgetVisible ? view.limits : null,
  };
};
