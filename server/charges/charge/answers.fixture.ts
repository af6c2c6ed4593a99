import type { Reply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { replyToAct, replyToCharge, replyToRefund } from "../../endpoints/charges/idempotency.ts";
import { captureCharge, voidCharge } from "../acts/act-on-charge.ts";
import { refundCharge } from "../refunds/refund-charge.ts";
import { createCharge } from "./create-charge.ts";

// Functions that return the answers of the endpoints. Tests compare these answers byte for byte.

type ByClient<Input> = Omit<Input, "actor"> & { clientId: string };

const byClient = <Input extends { clientId: string }>({ clientId, ...input }: Input) => ({
  ...input,
  actor: { kind: "client" as const, id: clientId },
});

const toAnswer = (chargeId: string, { status, headers, contentType, body }: Reply) => ({
  chargeId,
  status,
  contentType,
  body: String(body),
  location: headers?.["location"],
  isRepeat: headers?.["idempotent-replayed"] === "true",
});

export type ChargeAnswer = ReturnType<typeof toAnswer>;

export type RefundAnswer = Pick<ChargeAnswer, "body" | "isRepeat">;

export const requestCharge = async (deps: Deps, input: Parameters<typeof createCharge>[1]): Promise<ChargeAnswer> => {
  const result = await createCharge(deps, input);
  const chargeId = result.outcome === "stored" ? result.chargeId : result.charge.id;
  return toAnswer(chargeId, replyToCharge(deps, result));
};

export const requestCapture = async (
  deps: Deps,
  input: ByClient<Parameters<typeof captureCharge>[1]>,
): Promise<ChargeAnswer> => toAnswer(input.chargeId, replyToAct(deps, await captureCharge(deps, byClient(input))));

export const requestVoid = async (
  deps: Deps,
  input: ByClient<Parameters<typeof voidCharge>[1]>,
): Promise<ChargeAnswer> => toAnswer(input.chargeId, replyToAct(deps, await voidCharge(deps, byClient(input))));

export const requestRefund = async (
  deps: Deps,
  input: ByClient<Parameters<typeof refundCharge>[1]>,
): Promise<RefundAnswer> => {
  const { body, isRepeat } = toAnswer(input.chargeId, replyToRefund(await refundCharge(deps, byClient(input))));
  return { body, isRepeat };
};
