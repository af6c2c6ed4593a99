import { answerToAct, answerToCharge, answerToRefund } from "../../charges/idempotency/answers.ts";
import type { KeyedResult } from "../../charges/idempotency/keyed-result.ts";
import type { RefundResult } from "../../charges/refunds/refund-charge.ts";
import type { ActResult, ChargeResult } from "../../charges/rules/results.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Answer } from "../../data/charges/idempotency.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/** Required on every POST that moves money. @throws DomainError if it is missing or malformed. */
export const readIdempotencyKey = (request: EndpointRequest): string => {
  const key = request.headers.get("idempotency-key") ?? "";
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const detail = key === "" ? "is missing" : "must be 1 to 255 visible ASCII characters";
  throw new DomainError("invalid", {
    code: "invalid_request",
    message: `The Idempotency-Key header ${detail}.`,
    errors: [{ pointer: "#Idempotency-Key", detail }],
  });
};

type ReplyDeps = Pick<Deps, "config">;

export const replyToCharge = (deps: ReplyDeps, result: KeyedResult<ChargeResult<ChargeRow>>): RawReply =>
  result.outcome === "stored"
    ? toReply(deps, result, result.answer)
    : toReply(deps, { ...result, chargeId: result.charge.id }, answerToCharge(deps, result));

export const replyToAct = (deps: ReplyDeps, result: KeyedResult<ActResult<ChargeRow>>): RawReply =>
  result.outcome === "stored"
    ? toReply(deps, result, result.answer)
    : toReply(deps, { ...result, chargeId: result.charge.id }, answerToAct(deps, result));

/** A 201 or 202 response has the charge's URL in Location. */
const toReply = (
  { config }: ReplyDeps,
  { chargeId, isRepeat }: { chargeId: string; isRepeat: boolean },
  { status, body }: Answer,
): RawReply => ({
  status,
  headers: {
    ...noStore,
    ...(status === 201 || status === 202 ? { location: `${config.baseUrl}/merchant_test/charges/${chargeId}` } : {}),
    ...repeatHeader(isRepeat),
  },
  contentType: status === 402 ? "application/problem+json" : "application/json",
  body,
});

export const replyToRefund = (result: RefundResult): RawReply => {
  const { status, body } = result.outcome === "stored" ? result.answer : answerToRefund(result.refund);
  return { status, headers: { ...noStore, ...repeatHeader(result.isRepeat) }, contentType: "application/json", body };
};

const repeatHeader = (isRepeat: boolean) => (isRepeat ? { "idempotent-replayed": "true" } : {});
