import type { Tx } from "../../data/client.ts";
import { endGrantWithoutLiveMandates, lockMandate } from "../../data/mandates/mandates.ts";
import { endEarlierAuthorizations, replaceGrantRow } from "../../data/oauth/grants.ts";
import { lockGrantOfClient } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { replaceMandate } from "../../mandates/lifecycle/replace-mandate.ts";
import { revokeGrantMandates } from "../../mandates/lifecycle/revoke-mandate.ts";
import type { Decided } from "./keep-consent.ts";
import { nameInRequest } from "./name-in-request.ts";

type Approved = Decided & {
  grantId: string;
  details: readonly PaymentMandateDetails[];
  paymentMethodId: string;
};

/**
 * The grant becomes only what was asked for and consented to now (Grant Management §5.2): mandates that the request names
 * change, new ones join, what it leaves out ends, and so do the tokens and codes of before. Locks come in the one order:
 * grant, mandates, their periods, their charges.
 * @throws DomainError consent_gone where the grant has ended meanwhile, consent_stale where a mandate has changed since
 *   the payer read of it; nothing is written then.
 */
export const replaceGrant = async (deps: Deps, tx: Tx, approved: Approved): Promise<void> => {
  const { grantId, view, session, request } = approved;
  const parties = { clientId: view.client.id, payerId: session.account.id };
  const grant = await lockGrantOfClient(tx.sql, { grantId, clientId: parties.clientId });
  if (!grant || grant.endedAt)
    throw new DomainError("conflict", "consent_gone", "This request was not found. Start again in the app.");
  // Before the clock is read: what was charged while this waited is counted in the periods that had begun by then.
  for (const { mandateId, current } of view.mandates) {
    if (current) await lockMandate(tx.sql, mandateId, { withGrant: false });
  }
  const [now, at] = [await deps.businessClock.now(), deps.clock.now()];
  await replaceGrantRow(tx.sql, { grantId, scopes: request.scopes, now, at });
  const shared = {
    requestId: approved.info.requestId,
    paymentMethodId: approved.paymentMethodId,
    budgetVisible: approved.decision.budgetVisible,
    now,
  };
  for (const [index, { mandateId, current }] of view.mandates.entries()) {
    const details = approved.details[index];
    if (!details) throw new Error("details for each mandate of the page are needed");
    await nameInRequest(index, async () => {
      if (current === null) {
        const added = { ...shared, grantId, ...parties, details: [details], mandateIds: [mandateId] };
        return activateMandates(deps, tx, added);
      }
      const act = { ...shared, mandateId, fromVersion: current.version, details, payerId: parties.payerId };
      if (!(await replaceMandate(deps, tx, act))) throw stale();
    });
  }
  await revokeGrantMandates(deps, {
    grantId,
    requestId: shared.requestId,
    tx,
    except: request.mandateIds,
    actor: { kind: "payer", id: parties.payerId },
    reason: "omitted when the grant was replaced",
  });
  await endEarlierAuthorizations(tx.sql, grantId, at);
  await endGrantWithoutLiveMandates(tx.sql, grantId, now);
};

const stale = () => new DomainError("forbidden", "consent_stale", "This page is outdated. Reload it and decide again.");
