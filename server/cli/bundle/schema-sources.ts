import { z } from "zod";
import { manifestSchema } from "../../assets/manifest.wire.ts";
import { paymentEventContracts } from "../../charges/events/event-contracts.ts";
import { chargeReceiptSchema, mandateReceiptSchema } from "../../charges/payers/receipts/receipts.wire.ts";
import {
  participantChangeSchema,
  participantSchema,
  participantVersionSchema,
} from "../../directory/participants/participant.wire.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { authorizationDetailsTypes } from "../../mandates/details/authorization-details-types.ts";
import { paymentMandateType } from "../../mandates/details/payment-mandate.wire.ts";
import type { BundleSource } from "./bundle-sources.ts";

const draft = "https://json-schema.org/draft/2020-12/schema";

/**
 * The schema of a document that we send. It allows additional members, because later versions may add some; our own
 * schemas refuse them. Members that can be `undefined` in our schemas are optional.
 */
const schemaOf = (schema: z.ZodType): JsonObject =>
  z.toJSONSchema(schema, {
    io: "output",
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as JsonObject;

const documents: Readonly<Record<string, { title: string; schema: () => JsonObject }>> = {
  participant: { title: "A participant of the directory", schema: () => schemaOf(participantSchema) },
  "participant-change": {
    title: "A change of a participant of the directory",
    schema: () => schemaOf(participantChangeSchema),
  },
  "participant-version": {
    title: "A version of a participant, with its document",
    schema: () => schemaOf(participantVersionSchema),
  },
  "payment-mandate": {
    title: "Authorization details of the type payment_mandate_v1 (RFC 9396)",
    schema: () => authorizationDetailsTypes[paymentMandateType]?.schema ?? {},
  },
  "webhook-event": {
    title: "The body of a webhook about a mandate, charge, refund or dispute",
    schema: () => ({ oneOf: paymentEventContracts.map(({ schema }) => withoutDraft(schemaOf(schema))) }),
  },
  "charge-receipt": { title: "The receipt of a charge", schema: () => schemaOf(chargeReceiptSchema) },
  "mandate-receipt": { title: "The receipt of a mandate", schema: () => schemaOf(mandateReceiptSchema) },
  "asset-manifest": { title: "The manifest of the asset bundle", schema: () => schemaOf(manifestSchema) },
};

const withoutDraft = ({ $schema: _draft, ...schema }: JsonObject): JsonObject => schema;

/**
 * JSON Schemas (draft 2020-12) of documents that others read or write. `$id` is relative to the folder of both
 * addresses of the file, so that it is `{cdn_url}/v1/schemas/…` for each CDN_URL (docs/spec/assets.md, JSON Schemas).
 */
export const schemaSources = (): BundleSource[] =>
  Object.entries(documents).map(([name, { title, schema }]) => {
    const file = `schemas/${name}.json`;
    const content = { $schema: draft, $id: `../../v1/${file}`, title, ...withoutDraft(schema()) };
    return { name: file, bytes: new TextEncoder().encode(JSON.stringify(content)) };
  });
