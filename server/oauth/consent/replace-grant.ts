import type { Tx } from "../../data/client.ts";
import { endGrantWithoutLiveMandates, type LockedMandate, lockMandate } from "../../data/mandates/mandates.ts";
import { endEarlierAuthorizations, replaceGrantRow } from "../../data/oauth/grants.ts";
import { lockGrantOfClient } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import { activateMandates } from "../../mandates/lifecycle/activate-mandates.ts";
import { replaceMandate } from "../../mandates/lifecycle/replace-mandate.ts";
import { revokeGrantMandates } from "../../mandates/lifecycle/revoke-mandate.ts";
import { refuseStale } from "./consent-form.ts";
import type { CheckedDecision } from "./record-consent.ts";
import { withRequestPointers } from "./with-request-pointers.ts";

export type ApprovedRequest = CheckedDecision & {
  grantId: string;
  details: readonly PaymentMandateDetails[];
  paymentMethodId: string;
};

/**
 * The grant becomes exactly what is requested (Grant Management §5.2): mandates that the request names change, new ones
 * are added, and all others end. Earlier tokens and codes end too. Lock order (docs/adr/007-lock-order.md): grant,
 * mandates, their periods, their charges. The caller informs the payer.
 * @throws DomainError consent_gone if the grant has ended; consent_stale if a mandate has changed since the page was
 *   rendered; those of `activateMandates` and `replaceMandate`. Nothing is written then.
 */
export const replaceGrant = async (deps: Deps, tx: Tx, approved: ApprovedRequest): Promise<void> => {
  const { grantId, view, session, request } = approved;
  const parties = { clientId: view.client.id, payerId: session.account.id };
  const grant = await lockGrantOfClient(tx.sql, { grantId, clientId: parties.clientId });
  if (!grant || grant.endedAt) {
    throw new DomainError("conflict", {
      code: "consent_gone",
      message: "The grant that this request replaces has ended. Start again in the app.",
    });
  }
  // The mandates are locked before the clock is read. So a charge that is made while this transaction waits for the
  // locks counts in the periods that had begun by then.
  const locked = new Map<string, LockedMandate | null>();
  for (const { mandateId, current } of view.mandates) {
    if (current) locked.set(mandateId, await lockMandate(tx.sql, mandateId, { withGrant: false }));
  }
  const [now, at] = [await deps.businessClock.now(), deps.clock.now()];
  const { scopes, redirectUri } = request;
  await replaceGrantRow(tx.sql, { grantId, scopes, redirectUri, now, at });
  const shared = {
    requestId: approved.info.requestId,
    paymentMethodId: approved.paymentMethodId,
    budgetVisible: approved.decision.budgetVisible,
    now,
  };
  for (const [index, { mandateId, current }] of view.mandates.entries()) {
    const details = approved.details[index];
    if (!details) throw new Error("the request has no details for a mandate of the page");
    await withRequestPointers(index, async () => {
      if (current === null) {
        const added = { ...shared, grantId, ...parties, details: [details], mandateIds: [mandateId] };
        return activateMandates(deps, tx, added);
      }
      const mandate = locked.get(mandateId) ?? null;
      const act = { ...shared, mandate, fromVersion: current.version, details, payerId: parties.payerId };
      if (!(await replaceMandate(deps, tx, act))) refuseStale();
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
