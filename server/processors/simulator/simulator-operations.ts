import { z } from "zod";
import type { Processor, RefundLookupOutcome, Refused } from "../../deps/processor-port.ts";
import type { JsonReply } from "../request-json.ts";
import type { Send } from "../send-again.ts";

const operationSchema = z.object({
  id: z.string(),
  status: z.enum(["succeeded", "pending", "failed", "refused"]),
  code: z.string().nullable(),
});

type Operation = { kind: "operation"; id: string; status: "succeeded" | "pending" | "failed"; code: string };
type Answer = Operation | Refused | { kind: "not_sent" } | { kind: "unknown" };
type Call = { account: string; key: string; reference: string; kind: "capture" | "void" | "refund"; body: object };

/** Capture, void and refund at the simulator. Every fault is an outcome, as with payments. */
export const simulatorOperations = (input: {
  url: string;
  authorization: Readonly<Record<string, string>>;
  send: Send;
}): Pick<Processor, "capture" | "void" | "refund" | "findRefund"> => {
  const operate = async ({ account, key, reference, kind, body }: Call): Promise<Answer> => {
    const url = new URL(`/v1/payments/${encodeURIComponent(reference)}/${kind}`, input.url);
    url.searchParams.set("account", account);
    const headers = { ...input.authorization, "content-type": "application/json", "idempotency-key": key };
    const { reply, isRepeat } = await input.send({ method: "POST", url, headers, body: JSON.stringify(body) });
    const answer = toAnswer(reply);
    return isRepeat && answer.kind === "not_sent" ? { kind: "unknown" } : answer;
  };
  const money = (request: { amountMinor: bigint; currency: string }) => ({
    amount: Number(request.amountMinor),
    currency: request.currency,
  });
  return {
    async capture(request) {
      return finished(await operate({ ...request, kind: "capture", body: money(request) }), { kind: "captured" });
    },
    async void(request) {
      return finished(await operate({ ...request, kind: "void", body: {} }), { kind: "voided" });
    },
    async refund(request) {
      return refunded(await operate({ ...request, kind: "refund", body: money(request) }));
    },
    async findRefund({ account, key, refundRef }): Promise<RefundLookupOutcome> {
      const url = new URL(
        refundRef === null ? "/v1/refunds" : `/v1/refunds/${encodeURIComponent(refundRef)}`,
        input.url,
      );
      url.searchParams.set("account", account);
      if (refundRef === null) url.searchParams.set("key", key);
      const { reply } = await input.send({ method: "GET", url, headers: input.authorization });
      if (reply.kind === "reply" && reply.status === 404) return { kind: "not_found" };
      const answer = toAnswer(reply);
      // A failed look-up says nothing about the refund.
      return answer.kind === "operation" ? toRefundOutcome(answer) : { kind: "unknown" };
    },
  };
};

const toAnswer = (reply: JsonReply): Answer => {
  if (reply.kind === "refused") return { kind: "not_sent" };
  if (reply.kind === "broken") return { kind: "unknown" };
  if (reply.status === 401 || reply.status === 403) return { kind: "not_sent" };
  if (reply.status === 400) return { kind: "refused", code: "invalid_request" };
  if (reply.status === 404) return { kind: "refused", code: "not_found" };
  const parsed = operationSchema.safeParse(reply.body);
  if (reply.status !== 200 || !parsed.success) return { kind: "unknown" };
  const { id, status, code } = parsed.data;
  return status === "refused"
    ? { kind: "refused", code: code ?? "refused" }
    : { kind: "operation", id, status, code: code ?? "failed" };
};

/** Captures and voids are done immediately or not at all. */
const finished = <T>(answer: Answer, done: T): T | Exclude<Answer, Operation> => {
  if (answer.kind !== "operation") return answer;
  return answer.status === "succeeded" ? done : ({ kind: "unknown" } as const);
};

const refunded = (answer: Answer) => (answer.kind === "operation" ? toRefundOutcome(answer) : answer);

const toRefundOutcome = ({ id: refundRef, status, code }: Operation) =>
  status === "failed" ? ({ kind: "failed", refundRef, code } as const) : ({ kind: status, refundRef } as const);
