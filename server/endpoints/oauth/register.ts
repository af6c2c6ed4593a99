import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStoreTokens } from "../../contract/headers.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import {
  clientMetadataSchema,
  metadataExample,
  registrationErrorCodes,
  registrationExample,
  registrationSchema,
} from "./registration.wire.ts";

export const registerEndpoint = defineEndpoint({
  method: "POST",
  path: "/oauth/register",
  operationId: "registerClient",
  summary: "Register a client. Production requires an initial access token, the sandbox doesn't",
  tag: "Authorization server",
  standards: ["RFC 7591"],
  auth: { kind: "none", initialToken: true },
  rateLimit: "registration",
  errors: "oauth",
  errorCodes: registrationErrorCodes,
  isPublic: true,
  request: {
    content: "json",
    body: clientMetadataSchema,
    example: metadataExample,
  },
  responses: {
    201: {
      description: "The registered metadata, including defaults",
      schema: registrationSchema,
      example: registrationExample,
    },
  },
  async handle({ deps, info, request }, { body }) {
    const response = await registerClient(deps, {
      metadata: body,
      authorization: request.headers.get("authorization"),
      info,
    });
    return { status: 201, headers: noStoreTokens, body: response };
  },
});
