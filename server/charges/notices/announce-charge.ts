import canonicalize from "canonicalize";
import { appendAudit } from "../../data/audit/audit.ts";
import { getApprovalParties } from "../../data/charges/charge-approvals.ts";
import type { Sql } from "../../data/client.ts";
import { type Decision, findDecision } from "../../data/mandates/mandate-decision.ts";
import { lockMandate } from "../../data/mandates/mandates.ts";
import {
  type ChargeNoticeRow,
  countOpenChargeNotices,
  findChargeNoticeByKey,
  insertChargeNotice,
} from "../../data/notices/charge-notices.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError, fieldRefusal } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { addSeconds, type BusinessTime, standingAt } from "../../kernel/time/clock.ts";
import { decideUse } from "../../mandates/use/decide-use.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { mandateRefusal, recordChargeRefusal } from "../charge/refuse-charge.ts";
import { inactivityRefusal } from "../charge/refuse-inactive.ts";
import { differentBodyRefusal } from "../charge/refuse-repeat.ts";
import { permissionNotFound, revealLimits } from "../permission/find-permission.ts";
import { maxOpenNotices, noticeGraceSeconds, noticeLeadSeconds } from "../rules/notice.ts";
import type { NoticeRequest } from "./notice.wire.ts";

type Input = {
  merchantId: string;
  clientId: string;
  requestId: string;
  idempotencyKey: string;
  request: NoticeRequest;
  /** called before a refusal that reveals a mandate's limits; may throw */
  admitBudgetAnswer?: (about: { merchantId: string; mandateId: string }) => void;
};

type Result = { notice: ChargeNoticeRow; isRepeat: boolean };

/**
 * Announces a charge to the payer of a mandate that names this merchant. The limits are checked for the announced time,
 * and nothing is reserved. At most one notice and one mail per (merchant, key).
 * @throws DomainError 400, 403, 404, 422 or 429. If one of these errors is thrown, nothing was announced. A refusal by
 * the mandate is recorded in the audit log.
 */
export const announceCharge = async (deps: Deps, input: Input): Promise<Result> => {
  const { merchantId, idempotencyKey: key, request } = input;
  const bodyHash = sha256Base64url(canonicalize(request) ?? "");
  const known = await findChargeNoticeByKey(deps.db.sql, { merchantId, key });
  if (known) return repeat(known, bodyHash);
  const at = await deps.businessClock.now();
  const dueAt = new Date(request.due_at);
  if (dueAt < addSeconds(at, noticeLeadSeconds)) {
    throw fieldRefusal("/due_at", "must be at least 24 hours from now");
  }
  const mandate = await judge(deps, input, { at, dueAt });
  const notice: ChargeNoticeRow = {
    id: newId("ntc"),
    merchantId,
    merchantClientId: input.clientId,
    idempotencyKey: key,
    bodyHash,
    mandateId: mandate.mandateId,
    payerId: mandate.payerId,
    amount: BigInt(request.amount),
    currency: request.currency,
    reference: request.reference ?? null,
    dueAt,
    createdAt: at,
    canceledAt: null,
    chargeId: null,
    mandateEndsAt: mandate.terms.validUntil,
  };
  const result = await deps.db.sqlTransaction((sql) => announce(deps, sql, { input, notice, mandate }));
  // If another request used the key, or the mandate changed after it was read, the request is handled again.
  return result === "announced" ? { notice, isRepeat: false } : announceCharge(deps, input);
};

const repeat = (notice: ChargeNoticeRow, bodyHash: string): Result => {
  if (notice.bodyHash !== bodyHash) throw differentBodyRefusal();
  return { notice, isRepeat: true };
};

/**
 * Decides on the charge for the time `dueAt`, with the counters of the period that contains `dueAt`. The payer's
 * presence isn't known yet, so the decision assumes a value that the mandate allows.
 */
const judge = async (
  deps: Deps,
  { merchantId, clientId, requestId, request, admitBudgetAnswer }: Input,
  { at, dueAt }: { at: BusinessTime; dueAt: Date },
): Promise<Decision> => {
  const { mandate_id: mandateId, amount, currency } = request;
  const due = await standingAt(dueAt).now();
  const mandate = await findDecision(deps.db.sql, { mandateId, merchantId, at: due });
  if (!mandate) throw permissionNotFound();
  const inactive = inactivityRefusal("charge", mandate.merchant);
  if (inactive) throw inactive;
  const payerPresence = mandate.terms.payerPresence[0] ?? "in_session";
  const payment = { amountMinor: BigInt(amount), currency };
  const intent = { action: "charge", ...payment, payerPresence } as const;
  const { reasons } = decideUse(mandate, intent, due);
  if (reasons.length === 0) return mandate;
  if (revealLimits(reasons)) admitBudgetAnswer?.({ merchantId, mandateId });
  await recordChargeRefusal(deps, { mandateId, merchantId, clientId, requestId, at, payment, reasons });
  throw mandateRefusal(reasons);
};

type Announcing = { input: Input; notice: ChargeNoticeRow; mandate: Decision };

/**
 * Runs under the mandate's lock, so that a revocation can't run at the same time and the count of open notices is
 * exact.
 */
const announce = async (
  deps: Deps,
  sql: Sql,
  { input, notice, mandate }: Announcing,
): Promise<"announced" | "key_taken" | "mandate_changed"> => {
  const { mandateId, merchantId, createdAt: at } = notice;
  const locked = await lockMandate(sql, mandateId, { withGrant: false });
  if (locked?.state !== "active" || locked.version !== mandate.version) return "mandate_changed";
  const dueAfter = addSeconds(at, -noticeGraceSeconds);
  if ((await countOpenChargeNotices(sql, { mandateId, merchantId, dueAfter })) >= maxOpenNotices)
    throw tooManyAnnouncedRefusal();
  if (!(await insertChargeNotice(sql, notice))) return "key_taken";
  const { email, locale, timeZone, merchantName, clientName } = await getApprovalParties(sql, {
    ...notice,
    agentClientId: mandate.clientId,
  });
  const content = {
    kind: "charge_announced",
    merchantName,
    clientName,
    amountMinor: notice.amount,
    currency: notice.currency,
    reference: notice.reference,
    dueAt: notice.dueAt,
    noticeUrl: `${deps.config.walletUrl}/wallet/upcoming/${notice.id}`,
    reader: { locale, timeZone },
  } as const;
  if (email !== null) await queueMail(deps, sql, { recipient: email, content, requestId: input.requestId });
  await appendAudit(sql, {
    at,
    actor: { kind: "client", id: input.clientId },
    action: "charge_notice.announced",
    subjectId: notice.id,
    requestId: input.requestId,
    data: { mandate_id: mandateId, amount: Number(notice.amount), due_at: notice.dueAt.toISOString() },
  });
  return "announced";
};

const tooManyAnnouncedRefusal = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_announced",
    message: `This mandate already has ${maxOpenNotices} announced charges. Charge or cancel one first.`,
    headers: { "retry-after": String(noticeLeadSeconds) },
  });
