import { z } from "zod";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { deleteClient } from "../../oauth/clients/delete-client.ts";
import { registrationResponse } from "../../oauth/clients/registration-response.ts";
import { replaceClientRegistration } from "../../oauth/clients/replace-registration.ts";
import type { ClientMetadata } from "../../oauth/rules/clients/registration.ts";
import { findClientCredentials } from "../../webhooks/endpoints/find-endpoint.ts";
import {
  clientMetadataSchema,
  metadataExample,
  registrationErrorCodes,
  registrationExample,
  registrationSchema,
} from "./registration.wire.ts";

const contract = {
  path: "/oauth/register/{client_id}",
  tag: "Authorization server",
  standards: ["RFC 7592"],
  auth: { kind: "registration_token" },
  errors: "oauth",
  isPublic: true,
} as const;

const params = z.object({ client_id: z.string() });

export const readRegistrationEndpoint = defineEndpoint({
  ...contract,
  method: "GET",
  operationId: "readClientRegistration",
  summary: "Read a client’s registration",
  errorCodes: ["invalid_token"],
  request: { params },
  responses: {
    200: { description: "The registered metadata", schema: registrationSchema, example: registrationExample },
  },
  handle: async ({ deps, caller: { registration, token } }) => ({
    status: 200,
    headers: noStoreTokens,
    // `checkClientMetadata` has checked the stored metadata.
    body: registrationResponse(deps.config, {
      client: registration,
      metadata: registration.metadata as ClientMetadata,
      token,
      webhook: await findClientCredentials(deps, registration.id),
    }),
  }),
});

export const replaceRegistrationEndpoint = defineEndpoint({
  ...contract,
  method: "PUT",
  operationId: "replaceClientRegistration",
  summary: "Replace a client’s registration. Omitted fields get their defaults",
  // As in a registration, the server may have to fetch keys from the metadata's jwks_uri.
  rateLimit: "registration",
  errorCodes: registrationErrorCodes,
  request: { content: "json", params, body: clientMetadataSchema, example: metadataExample },
  responses: {
    200: {
      description: "The registered metadata, and the registration access token for later requests",
      schema: registrationSchema,
      example: registrationExample,
    },
  },
  async handle({ deps, info, caller }, { body }) {
    return {
      status: 200,
      headers: noStoreTokens,
      body: await replaceClientRegistration(deps, { caller, metadata: body, info }),
    };
  },
});

export const deleteClientEndpoint = defineEndpoint({
  ...contract,
  method: "DELETE",
  operationId: "deleteClient",
  summary: "Delete a client with its mandates, grants and tokens",
  errorCodes: ["invalid_token"],
  request: { params },
  responses: { 204: { description: "Deleted" } },
  async handle({ deps, info, caller }) {
    await deleteClient(deps, { caller, info });
    return { status: 204, headers: noStoreTokens };
  },
});
