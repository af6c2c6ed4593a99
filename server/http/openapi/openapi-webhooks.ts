import { z } from "zod";
import { eventContracts } from "../../billing/events/event-contracts.ts";

/** Standard Webhooks, Webhook headers. */
const headers = {
  "webhook-id": "The event’s id, the same for every attempt. Ignore an event that you have already processed",
  "webhook-timestamp":
    "When this attempt was signed, in seconds since 1970. Refuse an attempt that is older than 5 minutes",
  "webhook-signature":
    "A list of signatures of `{webhook-id}.{webhook-timestamp}.{body}`, separated by spaces. `v1,` precedes an HMAC-SHA-256 signature, and `v1a,` precedes an Ed25519 signature. Accept the request if one of them verifies",
};

/** OpenAPI 3.1 §4.8.1, `webhooks`: every event that a webhook endpoint can receive. */
export const webhookOperations = (): Record<string, object> =>
  Object.fromEntries(
    eventContracts.map(({ type, when, recipients, schema, example }) => [
      type,
      {
        post: {
          operationId: `on_${type.replace(".", "_")}`,
          summary: when,
          description: `Sent to: ${recipients}`,
          tags: ["Webhooks"],
          security: [],
          parameters: Object.entries(headers).map(([name, description]) => ({
            in: "header",
            name,
            description,
            required: true,
            schema: { type: "string" },
          })),
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: withoutDialect(z.toJSONSchema(schema, { io: "input" })), example },
            },
          },
          responses: {
            "2XX": {
              description: "Received. After any other status, the event is sent again: about 10 attempts over 3 days.",
            },
          },
        },
      },
    ]),
  );

/** The document declares its dialect once. */
const withoutDialect = ({ $schema: _, ...schema }: object & { $schema?: unknown }): object => schema;
