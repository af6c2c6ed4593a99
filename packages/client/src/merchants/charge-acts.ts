import type { CallOptions } from "../http/call-options.ts";
import { callMerchantApi, toObject } from "./call-merchant-api.ts";
import type { Session } from "./client-credentials.ts";
import type { Charge, Refund, RefundReason } from "./objects.ts";

export type ChargeAct = {
  chargeId: string;
  /** unique for each capture, void or refund; for seven days, a repeat with the same key returns the same result */
  idempotencyKey: string;
};

const actOn = async <Result>(
  session: Session,
  { act, chargeId, idempotencyKey, ...body }: ChargeAct & { act: "capture" | "void" | "refunds" },
  options: CallOptions,
): Promise<Result> => {
  const path = `/charges/${encodeURIComponent(chargeId)}/${act}`;
  return toObject(await callMerchantApi(session, { method: "POST", path, body, idempotencyKey }, options));
};

/** Captures an authorized charge: all of it, or `amount`. */
export const capture = (
  session: Session,
  toCapture: ChargeAct & { amount?: number },
  options: CallOptions = {},
): Promise<Charge> => actOn(session, { ...toCapture, act: "capture" }, options);

/** Voids a charge that is authorized or waits for the payer. */
export const voidCharge = (session: Session, toVoid: ChargeAct, options: CallOptions = {}): Promise<Charge> =>
  actOn(session, { ...toVoid, act: "void" }, options);

export type ChargeToRefund = ChargeAct & {
  /** default: the captured amount minus all succeeded and pending refunds */
  amount?: number;
  reason?: RefundReason;
  metadata?: Record<string, string>;
};

/** Refunds a charge in full or in part. A `pending` refund is settled later: a webhook reports it. */
export const refund = (session: Session, toRefund: ChargeToRefund, options: CallOptions = {}): Promise<Refund> =>
  actOn(session, { ...toRefund, act: "refunds" }, options);
