import { z } from "zod";
import type {
  Capabilities,
  DisputeOutcome,
  LookupOutcome,
  PaymentOutcome,
  PaymentRequest,
  Processor,
} from "../../deps/processor-port.ts";
import { declineAdvice } from "../declines.ts";
import { ownAccountAt } from "../own-account.ts";
import { createTransport, type JsonReply } from "../request-json.ts";
import { sender } from "../send-again.ts";
import { isFault, requestsFault, simulations } from "./server/behaviour.ts";
import { isSignedWebhook } from "./server/webhook-signature.ts";
import { simulatorOperations } from "./simulator-operations.ts";

const capabilities: Capabilities = {
  separateCapture: true,
  partialCapture: true,
  refund: true,
  lookupByKey: true,
  webhooks: true,
  lateRefundFailures: false,
  currencies: null,
  amountSteps: {},
};

const paymentSchema = z.object({
  id: z.string(),
  status: z.enum(["succeeded", "authorized", "processing", "requires_action", "declined", "voided"]),
  capture: z.enum(["automatic", "manual"]),
  amount_captured: z.int(),
  decline_code: z.string().nullable(),
  action_url: z.string().nullable(),
});

const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  account: z.string(),
  payment: z.string(),
  charge_id: z.string(),
  dispute: z.string().optional(),
});

const disputeSchema = z.object({
  id: z.string(),
  payment: z.string(),
  charge_id: z.string(),
  status: z.enum(["open", "won", "lost"]),
  amount: z.int(),
  currency: z.string(),
  reason: z.string(),
  evidence_due_by: z.iso.datetime(),
});

export type SimulatorProcessorOptions = {
  url: string;
  key: string;
  /** docs/spec/payments.md, Processors: calls time out after 8 s, connections after 2 s */
  connectMs?: number;
  totalMs?: number;
};

/** Calls the simulator over HTTP. Every fault is an outcome: nothing is thrown and nothing is guessed. */
export const createSimulatorProcessor = (options: SimulatorProcessorOptions): Processor => {
  const { connectMs = 2_000, totalMs = 8_000 } = options;
  const transport = createTransport(connectMs);
  const send = sender(transport, totalMs);
  // A simulated time-out occupies its connection, so these calls have their own connections.
  const sendSteered = sender(createTransport(connectMs), totalMs);
  const authorization = { authorization: `Bearer ${options.key}` };

  const processor: Processor = {
    name: "simulator",
    capabilities,
    requestsFault,
    async pay(request) {
      const { reply, isRepeat } = await (requestsFault(request) ? sendSteered : send)({
        method: "POST",
        url: new URL("/v1/payments", options.url),
        headers: { ...authorization, "content-type": "application/json", "idempotency-key": request.key },
        body: JSON.stringify(toWire(request)),
      });
      const outcome = toOutcome(reply);
      // The first request may have arrived, so the refusal of the second proves nothing.
      return isRepeat && outcome.kind === "not_sent" ? { kind: "unknown" } : outcome;
    },
    async lookup(request) {
      const url = new URL("/v1/payments", options.url);
      url.searchParams.set("account", request.account);
      url.searchParams.set("key", request.key);
      const reply = await transport.request(
        { method: "GET", url, headers: authorization },
        performance.now() + totalMs,
      );
      return toLookup(reply);
    },
    async findDispute({ account, disputeRef }) {
      const url = new URL(`/v1/disputes/${encodeURIComponent(disputeRef)}`, options.url);
      url.searchParams.set("account", account);
      const reply = await transport.request(
        { method: "GET", url, headers: authorization },
        performance.now() + totalMs,
      );
      return toDispute(reply);
    },
    simulateProblem: (simulate) => (isFault(simulate) ? null : `must be one of ${simulations.join(", ")}`),
    readEvent({ body, header, now }) {
      if (!isSignedWebhook(options.key, header("simulator-signature"), { body, nowMs: now.getTime() })) return "forged";
      const event = eventSchema.safeParse(JSON.parse(body));
      if (!event.success) return null;
      const { id, type, account, payment: reference, charge_id: chargeId, dispute } = event.data;
      if (dispute !== undefined) return { id, type, account, about: "dispute", disputeRef: dispute };
      const about = type.startsWith("refund.") ? "refund" : "payment";
      return { id, type, about, account, reference, chargeId };
    },
    ...simulatorOperations({ url: options.url, authorization, send }),
  };
  return { ...processor, ownAccount: ownAccountAt("acct_billing", processor) };
};

const toWire = (request: PaymentRequest) => ({
  account: request.account,
  amount: Number(request.amountMinor),
  currency: request.currency,
  capture: request.capture,
  payment_method: request.paymentMethodRef,
  payer_presence: request.payerPresence,
  charge_id: request.chargeId,
  simulate: request.simulate,
});

const toOutcome = (reply: JsonReply): PaymentOutcome => {
  if (reply.kind === "refused") return { kind: "not_sent" };
  if (reply.kind === "broken") return { kind: "unknown" };
  // The API key was refused: the request wasn't read.
  if (reply.status === 401 || reply.status === 403) return { kind: "not_sent" };
  if (reply.status === 400)
    return {
      kind: "declined",
      processorRef: null,
      declineCode: "invalid_request",
      ...declineAdvice("invalid_request"),
    };
  const parsed = paymentSchema.safeParse(reply.body);
  if (reply.status !== 200 || !parsed.success) return { kind: "unknown" };
  const { id: processorRef, status, decline_code, action_url } = parsed.data;
  switch (status) {
    case "declined": {
      const declineCode = decline_code ?? "generic_decline";
      return { kind: "declined", processorRef, declineCode, ...declineAdvice(declineCode) };
    }
    case "voided":
      return { kind: "declined", processorRef, declineCode: "canceled", ...declineAdvice("canceled") };
    case "requires_action":
      return action_url === null
        ? { kind: "unknown" }
        : { kind: "requires_action", processorRef, actionUrl: action_url };
    default:
      return { kind: status, processorRef };
  }
};

const toLookup = (reply: JsonReply): LookupOutcome => {
  if (reply.kind === "reply" && reply.status === 404) return { kind: "not_found" };
  // A failed look-up says nothing about the payment.
  if (reply.kind !== "reply" || reply.status !== 200) return { kind: "unknown" };
  const { data: payment } = paymentSchema.safeParse(reply.body);
  if (payment?.status === "voided") return { kind: "voided", processorRef: payment.id };
  if (payment?.status === "succeeded" && payment.capture === "manual") {
    return { kind: "captured", processorRef: payment.id, amountMinor: BigInt(payment.amount_captured) };
  }
  return toOutcome(reply);
};

const toDispute = (reply: JsonReply): DisputeOutcome => {
  if (reply.kind === "reply" && reply.status === 404) return { kind: "not_found" };
  const { data } = disputeSchema.safeParse(reply.kind === "reply" ? reply.body : null);
  if (!data) return { kind: "unknown" };
  const { id: disputeRef, payment: reference, charge_id: chargeId, status, amount, currency, reason } = data;
  const evidenceDueAt = new Date(data.evidence_due_by);
  const money = { amountMinor: BigInt(amount), currency };
  return { kind: "dispute", disputeRef, reference, chargeId, status, ...money, reason, evidenceDueAt };
};
