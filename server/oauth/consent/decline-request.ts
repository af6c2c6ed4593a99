import { appendAudit } from "../../data/audit/audit.ts";
import { insertGrant } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { rejectMandates } from "../../mandates/lifecycle/reject-mandates.ts";
import { authorizationResponse } from "./authorization-response.ts";
import { type CheckedDecision, completeRequest, recordConsent } from "./record-consent.ts";

/**
 * Completes the request and records the refusal. A grant that the request would replace isn't changed.
 * @returns the redirect to the client.
 */
export const declineRequest = async (deps: Deps, input: CheckedDecision): Promise<string> => {
  const now = await deps.businessClock.now();
  const { session, request, view, info } = input;
  const parties = { clientId: view.client.id, payerId: session.account.id };
  const grantId = view.replaces?.grantId ?? newId("grt");
  const error = { error: "access_denied", error_description: "the payer declined" } as const;
  const location = authorizationResponse(deps, request, error);
  await deps.db.transaction(async (tx) => {
    await completeRequest(deps, tx, { ...input, location, now: deps.clock.now() });
    if (view.replaces === null) {
      // A rejected mandate needs a grant. This grant is created as ended, so it issues nothing.
      await insertGrant(tx, { id: grantId, ...parties, scopes: [], createdAt: now, endedAt: now });
      const { mandateIds, details } = request;
      await rejectMandates(deps, tx, { requestId: info.requestId, grantId, ...parties, mandateIds, details, now });
    }
    for (const { mandateId, current } of view.mandates) {
      if (current === null) continue;
      await appendAudit(tx.sql, {
        at: now,
        actor: { kind: "payer", id: parties.payerId },
        action: "mandate.replacement_declined",
        subjectId: mandateId,
        requestId: info.requestId,
        data: { grant_id: grantId, client_id: parties.clientId },
      });
    }
    await recordConsent(tx, { ...input, grantId, details: request.details, paymentMethod: "", now });
  });
  return location;
};
