import { z } from "zod";
import { eventContracts } from "../../endpoints/webhooks/event-contracts.ts";

/** Standard Webhooks, Webhook headers. */
const headers = {
  "webhook-id": "the event’s id, the same at every attempt: ignore one that you have processed",
  "webhook-timestamp": "when this attempt was signed, in seconds since 1970: refuse one that is older than 5 minutes",
  "webhook-signature":
    "signatures separated by spaces: `v1,` and HMAC-SHA-256, `v1a,` and Ed25519, over `{webhook-id}.{webhook-timestamp}.{body}`; accept the request if one verifies",
};

/** OpenAPI 3.1 §4.8.1, `webhooks`: every event that a receiver can get. */
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
            "2XX": { description: "Received. Any other status is retried: about 10 attempts over 3 days." },
          },
        },
      },
    ]),
  );

/** The document names its dialect itself. */
const withoutDialect = ({ $schema: _, ...schema }: object & { $schema?: unknown }): object => schema;
