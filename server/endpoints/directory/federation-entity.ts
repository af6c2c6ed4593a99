import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { registerFederationEntity, removeFederationEntity } from "../../directory/federation/register-entity.ts";
import { ownContract, ownErrorCodes, participantExample, participantParams } from "./contract.ts";

const path = "/directory/v1/participants/{participant_id}/federation-entity";
const { entity_id: entityId, key_thumbprints: keyThumbprints } = participantExample.federation_entity;

export const registerFederationEntityEndpoint = defineEndpoint({
  ...ownContract,
  method: "PUT",
  path,
  operationId: "registerFederationEntity",
  summary: "Register the participant’s entity in the directory’s federation. Its configuration is fetched and verified",
  standards: ["OpenID Federation 1.0"],
  errorCodes: [
    "invalid_request",
    "participant_not_verified",
    "participant_withdrawn",
    "federation_entity_taken",
    "federation_configuration_invalid",
    "temporarily_unavailable",
    ...ownErrorCodes,
  ],
  request: {
    content: "json",
    params: participantParams,
    body: z.strictObject({ entity_id: z.string().max(1_900).describe("An https address on a verified domain") }),
    example: { entity_id: entityId },
  },
  responses: {
    200: {
      description: "Registered",
      schema: z.object({
        entity_id: z.string(),
        key_thumbprints: z
          .array(z.string())
          .describe("RFC 7638 thumbprints of the federation keys in the configuration"),
        valid_until: z.string().describe("Extended whenever the configuration is fetched"),
      }),
      example: { entity_id: entityId, key_thumbprints: keyThumbprints, valid_until: "2026-11-22T10:15:00.000Z" },
    },
  },
  async handle({ deps, info, caller }, { params, body }) {
    const entity = await registerFederationEntity(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
      entityId: body.entity_id,
    });
    return {
      status: 200,
      headers: noStore,
      body: {
        entity_id: entity.entityId,
        key_thumbprints: [...entity.keyThumbprints],
        valid_until: entity.validUntil.toISOString(),
      },
    };
  },
});

export const removeFederationEntityEndpoint = defineEndpoint({
  ...ownContract,
  method: "DELETE",
  path,
  operationId: "removeFederationEntity",
  summary: "Remove the participant’s entity from the directory’s federation",
  errorCodes: ["federation_entity_not_found", ...ownErrorCodes],
  request: { params: participantParams },
  responses: { 204: { description: "Removed" } },
  async handle({ deps, info, caller }, { params }) {
    await removeFederationEntity(deps, {
      participantId: params.participant_id,
      clientId: caller.clientId,
      requestId: info.requestId,
    });
    return { status: 204, headers: noStore };
  },
});
