import { defineEndpoint } from "../../../contract/endpoint.ts";
import { anchorSigner, serverEntity, trustAnchor } from "../../../directory/federation/entities.ts";
import { signConfiguration } from "../../../directory/federation/sign-statements.ts";
import { serverMetadata } from "../../../oauth/server-metadata.ts";
import { cacheControl, federationContract, signedResponse, statementType } from "./contract.ts";

const contract = {
  ...federationContract,
  errorCodes: ["temporarily_unavailable"],
  request: {},
  responses: { 200: signedResponse("A JWT with `typ` entity-statement+jwt", statementType) },
} as const;

const headers = { "cache-control": cacheControl };

export const anchorConfigurationEndpoint = defineEndpoint({
  ...contract,
  path: "/directory/.well-known/openid-federation",
  operationId: "trustAnchorConfiguration",
  summary: "Entity configuration of the directory, which is a trust anchor",
  async handle({ deps }) {
    const body = await signConfiguration(deps, await trustAnchor(deps), null);
    return { status: 200, headers, contentType: statementType, body };
  },
});

export const serverConfigurationEndpoint = defineEndpoint({
  ...contract,
  path: "/.well-known/openid-federation",
  operationId: "serverEntityConfiguration",
  summary: "Entity configuration of the authorization server",
  async handle({ deps }) {
    const entity = serverEntity(deps, serverMetadata(deps));
    const body = await signConfiguration(deps, entity, anchorSigner(deps));
    return { status: 200, headers, contentType: statementType, body };
  },
});
