import { mount } from "#server/http/serve.ts";
import { credentialIssuerMetadataEndpoint } from "#server/oauth/endpoints/well-known.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(credentialIssuerMetadataEndpoint);
