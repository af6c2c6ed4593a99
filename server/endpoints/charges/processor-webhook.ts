import { z } from "zod";
import { receiveProcessorEvent } from "../../charges/reconcile/receive-processor-event.ts";
import { mediaType } from "../../contract/body/form.ts";
import { readText } from "../../contract/body/read-request.ts";
import { defineEndpoint, type Endpoint, type Offering } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";

const received = z.object({ received: z.literal(true) });

/** A dispute's event includes its evidence, up to 150,000 characters at Stripe. */
const maxEventBytes = 1024 * 1024;

type Webhook = {
  processor: string;
  operationId: string;
  signatureHeader: string;
  isOffered(config: Offering): boolean;
};

/** The webhook of one processor. The signature covers the body's bytes, so they are read here. */
const webhookEndpoint = ({ processor, operationId, signatureHeader, isOffered }: Webhook): Endpoint =>
  defineEndpoint({
    isOffered,
    method: "POST",
    path: `/processors/${processor}/webhook`,
    operationId,
    summary: `Receive signed events of the processor ${processor}`,
    tag: "Processors",
    standards: ["RFC 9457"],
    auth: { kind: "none" },
    // A body of up to a megabyte is read before its signature is checked.
    rateLimit: "ingest",
    errors: "problem",
    errorCodes: [
      "invalid_request",
      "invalid_webhook_signature",
      "unsupported_media_type",
      "body_too_large",
      "processor_unavailable",
    ],
    request: {
      maxBytes: maxEventBytes,
      headers: {
        [signatureHeader]: {
          description: "The timestamp of the request, and an HMAC-SHA256 of timestamp and body",
          required: true,
        },
      },
    },
    responses: {
      200: { description: "Received. Don't send it again", schema: received, example: { received: true } },
    },
    async handle({ deps, info, request }) {
      if (mediaType(request) !== "application/json") {
        throw new DomainError("invalid", {
          code: "unsupported_media_type",
          message: "The content type must be application/json.",
        });
      }
      const adapter = deps.processors.get(processor);
      if (!request.headers.has(signatureHeader)) throw signatureRefusal();
      const body = await readText(request, maxEventBytes);
      const event = adapter.readEvent({
        body,
        header: (name) => request.headers.get(name),
        now: deps.clock.now(),
      });
      if (event === "forged") throw signatureRefusal();
      if (event) await receiveProcessorEvent(deps, { processor, event, requestId: info.requestId });
      return { status: 200, headers: noStore, body: { received: true } };
    },
  });

const signatureRefusal = () =>
  new DomainError("invalid", {
    code: "invalid_webhook_signature",
    message: "The signature is missing or too old, or it doesn't match the body.",
  });

export const simulatorWebhookEndpoint = webhookEndpoint({
  processor: "simulator",
  operationId: "receiveSimulatorEvent",
  signatureHeader: "Simulator-Signature",
  isOffered: ({ simulatorUrl, simulatorKey }) => simulatorUrl !== null && simulatorKey !== null,
});
export const stripeWebhookEndpoint = webhookEndpoint({
  processor: "stripe",
  operationId: "receiveStripeEvent",
  signatureHeader: "Stripe-Signature",
  isOffered: ({ stripe }) => stripe !== null,
});
