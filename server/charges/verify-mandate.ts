import type { Decision } from "../data/mandate-decision.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import { decideUse, type UseDecision } from "../mandates/decide-use.ts";
import type { VerifyRequest } from "./charge.wire.ts";
import { findPermission, permissionNotFound, readCredential } from "./find-permission.ts";
import { signReceipt } from "./sign-receipt.ts";

/** A verdict is advice for the next moments; charge checks again. */
const verdictSeconds = 60;

/**
 * Whether a charge would be allowed now. Changes no mandate and no budget; one read, no outbound call.
 * @throws DomainError 404 where the merchant has no standing permission.
 */
export const verifyMandate = async (
  deps: Deps,
  input: { merchantId: string; request: VerifyRequest },
): Promise<Verdict & { receipt: string }> => {
  const { merchantId, request } = input;
  const mandateId = readCredential(request);
  const at = deps.clock.now();
  const mandate = await findPermission(deps, { mandateId, merchantId, at });
  if (!mandate) throw permissionNotFound();
  const { amount, currency, payer_presence: payerPresence } = request;
  const decision = decideUse(mandate, { action: "verify", amountMinor: BigInt(amount), currency, payerPresence }, at);
  const verdict = toVerdict(deps, { mandate, decision, at });
  return { ...verdict, receipt: signReceipt(deps, { verdict, merchantId, request, at }) };
};

type Verdict = ReturnType<typeof toVerdict>;

/** Whether it lets a merchant work out a limit: what is left, or that a limit refuses. */
export const tellsOfBudget = ({ left, reasons }: Verdict): boolean =>
  left !== undefined || reasons.some(({ remedy }) => remedy !== null);

const toVerdict = (deps: Deps, { mandate, decision, at }: { mandate: Decision; decision: UseDecision; at: Date }) => ({
  valid: decision.reasons.length === 0,
  mandate_id: mandate.mandateId,
  status: decision.status,
  version: mandate.version,
  reasons: decision.reasons,
  step_up_required: decision.stepUpRequired,
  ...(decision.left ? { left: decision.left } : {}),
  checked_at: at.toISOString(),
  verdict_expires_at: addSeconds(at, verdictSeconds).toISOString(),
  status_list: mandate.status ? statusEntries(deps.config.baseUrl, mandate.status) : [],
});

/** Where anyone may look up the state of this version's credential, in both formats. */
const statusEntries = (baseUrl: string, status: { listNumber: number; index: number }) => {
  const uri = (kind: string) => `${baseUrl}/oauth/status-list/${kind}-${status.listNumber}`;
  return [
    { format: "vc+jwt", purpose: "revocation", uri: uri("revocation"), index: status.index },
    { format: "vc+jwt", purpose: "suspension", uri: uri("suspension"), index: status.index },
    { format: "statuslist+jwt", purpose: "status", uri: uri("token"), index: status.index },
  ];
};
