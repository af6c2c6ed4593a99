import { z } from "zod";
import type { Deps } from "../../deps.ts";
import { defineEndpoint, type Endpoint } from "../../http/endpoint.ts";
import { mediaType } from "../../http/form.ts";
import { noStore } from "../../http/no-store.ts";
import { readText } from "../../http/read-request.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type Processor, UnconfiguredProcessor } from "../../processors/port.ts";
import { receiveProcessorEvent } from "../receive-processor-event.ts";

const received = z.object({ received: z.literal(true) });

/** A dispute's event tells its evidence too, 150,000 characters of it at Stripe. */
const maxEventBytes = 1024 * 1024;

/** Where one processor tells what became of payments. The signature is over the body's bytes, so they are read here. */
const webhookEndpoint = (processor: string, operationId: string, signatureHeader: string): Endpoint =>
  defineEndpoint({
    method: "POST",
    path: `/processors/${processor}/webhook`,
    operationId,
    summary: `Signed events of the processor ${processor}`,
    tag: "Processors",
    standards: ["RFC 9457"],
    auth: { kind: "none" },
    // Whoever sends a signature, right or wrong, has its megabyte read.
    rateLimit: "ingest",
    errors: "problem",
    errorCodes: [
      "invalid_request",
      "invalid_webhook_signature",
      "unsupported_media_type",
      "body_too_large",
      "not_found",
      "processor_unavailable",
    ],
    request: {
      maxBytes: maxEventBytes,
      headers: { [signatureHeader]: { description: "HMAC-SHA256 of the body, with its instant", required: true } },
    },
    responses: {
      200: { description: "Taken; nothing to send again", schema: received, example: { received: true } },
    },
    async handle({ deps, info, request }) {
      if (mediaType(request) !== "application/json") {
        throw new DomainError("invalid", "unsupported_media_type", "The content type must be application/json.");
      }
      const adapter = getProcessor(deps, processor);
      if (!request.headers.has(signatureHeader)) throw forged();
      const body = await readText(request, maxEventBytes);
      const event = adapter.readEvent({
        body,
        header: (name) => request.headers.get(name),
        now: deps.clock.now(),
      });
      if (event === "forged") throw forged();
      if (event) await receiveProcessorEvent(deps, { processor, event, requestId: info.requestId });
      return { status: 200, headers: noStore, body: { received: true } };
    },
  });

const forged = () => new DomainError("invalid", "invalid_webhook_signature", "The signature does not fit the body.");

const getProcessor = (deps: Deps, name: string): Processor => {
  try {
    return deps.processors.get(name);
  } catch (error) {
    if (!(error instanceof UnconfiguredProcessor)) throw error;
    throw new DomainError("not_found", "not_found", "This processor is not configured here.");
  }
};

export const simulatorWebhookEndpoint = webhookEndpoint("simulator", "receiveSimulatorEvent", "Simulator-Signature");
export const stripeWebhookEndpoint = webhookEndpoint("stripe", "receiveStripeEvent", "Stripe-Signature");
