import type { NamedMandate } from "../../contract/callers.ts";
import { insertVerification } from "../../data/charges/verifications.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { dateId } from "../../kernel/time/dated.ts";
import type { VerifyRequest } from "../charge/charge.wire.ts";
import { inactivityRefusal } from "../charge/refuse-inactive.ts";
import { signReceipt } from "../charge/sign-receipt.ts";
import {
  findPermission,
  type Permission,
  permissionNotFound,
  revealLimits,
  type UseReason,
} from "./find-permission.ts";
import { decidePermittedUse } from "./use-permission.ts";

/** How long a verdict is valid. A verdict reserves nothing: each charge is checked again. */
const verdictSeconds = 60;

const verifyPath = "/merchant_test/verify-mandate";

/**
 * Whether a charge would be allowed now. Changes no mandate and no budget, and doesn't consume the presented
 * credential. A request with a `mandate_id` needs one read and no outbound call. One insert meters and logs the verdict
 * (docs/spec/billing.md, Meters). Concurrent requests share this insert. It is committed before the answer is sent.
 * @throws DomainError 404 if `findPermission` returns null, 429 from `admitBudgetAnswer`, and the refusals of a
 * merchant that can't charge.
 */
export const verifyMandate = async (deps: Deps, input: Input): Promise<Verdict & { receipt: string }> => {
  const { merchantId, clientId, requestId, request, named = null } = input;
  const at = named?.at ?? (await deps.businessClock.now());
  const payment = {
    amountMinor: BigInt(request.amount),
    currency: request.currency,
    transactionId: request.transaction_id ?? null,
  };
  const query = {
    credentials: request,
    merchantId,
    path: verifyPath,
    nonce: request.nonce ?? null,
    payment,
    at,
    named,
  };
  const permission = await findPermission(deps, query);
  if (!permission) throw permissionNotFound();
  const inactive = permission.kind === "granted" ? inactivityRefusal("verify", permission.mandate.merchant) : null;
  if (inactive) throw inactive;
  const decided =
    permission.kind === "refused"
      ? refusedVerdict(permission.reasons)
      : await decidedVerdict(deps, permission, { ...payment, payerPresence: request.payer_presence, at });
  const verdict = {
    ...decided,
    checked_at: at.toISOString(),
    verdict_expires_at: addSeconds(at, verdictSeconds).toISOString(),
  };
  const budgetOf = budgetRevealedBy(verdict);
  if (budgetOf !== null) input.admitBudgetAnswer?.({ merchantId, mandateId: budgetOf });
  const id = dateId(newId("vrf"), at);
  const receipt = signReceipt(deps, { id, verdict, merchantId, request });
  await insertVerification(deps.db.sql, {
    id,
    merchantId,
    clientId,
    requestId,
    time: at,
    mandateId: verdict.mandate_id,
    reason: verdict.reasons[0]?.code ?? null,
  });
  return { ...verdict, receipt };
};

type Input = {
  merchantId: string;
  clientId: string;
  requestId: string;
  request: VerifyRequest;
  named?: NamedMandate | null;
  /** called before an answer that reveals a limit; throws if too many of these answers were given */
  admitBudgetAnswer?: (about: { merchantId: string; mandateId: string }) => void;
};

type Verdict = (ReturnType<typeof refusedVerdict> | Awaited<ReturnType<typeof decidedVerdict>>) & {
  checked_at: string;
  verdict_expires_at: string;
};

/**
 * The mandate, if the merchant can derive one of its limits from the verdict: from the remaining budget, or from a
 * refusal because of a limit. Otherwise null.
 */
const budgetRevealedBy = (verdict: Verdict): string | null => {
  return "left" in verdict || revealLimits(verdict.reasons) ? verdict.mandate_id : null;
};

/** A caller without a right to use the mandate learns nothing about it. */
const refusedVerdict = (reasons: readonly UseReason[]) => ({
  valid: false,
  mandate_id: null,
  status: null,
  version: null,
  reasons,
  step_up_required: false,
  status_list: [],
});

const decidedVerdict = async (
  deps: Deps,
  permission: Extract<Permission, { kind: "granted" }>,
  { at, ...payment }: { amountMinor: bigint; currency: string; payerPresence: string; at: Date },
) => {
  const { mandate } = permission;
  const decision = await decidePermittedUse(deps.db.sql, permission, { intent: { action: "verify", ...payment }, at });
  return {
    valid: decision.reasons.length === 0,
    mandate_id: mandate.mandateId,
    status: decision.status,
    version: mandate.version,
    reasons: decision.reasons,
    step_up_required: decision.stepUpRequired,
    ...(decision.left ? { left: decision.left } : {}),
    status_list: mandate.status ? statusEntries(deps.config.baseUrl, mandate.status) : [],
  };
};

/** The entries in the public status lists for the credential of this mandate version, in both formats. */
const statusEntries = (baseUrl: string, status: { listNumber: number; index: number }) => {
  const uri = (kind: string) => `${baseUrl}/oauth/status-list/${kind}-${status.listNumber}`;
  return [
    { format: "vc+jwt", purpose: "revocation", uri: uri("revocation"), index: status.index },
    { format: "vc+jwt", purpose: "suspension", uri: uri("suspension"), index: status.index },
    { format: "statuslist+jwt", purpose: "status", uri: uri("token"), index: status.index },
  ];
};
