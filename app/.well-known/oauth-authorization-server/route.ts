import { mount } from "#server/http/serve.ts";
import { serverMetadataEndpoint } from "#server/oauth/endpoints/well-known.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(serverMetadataEndpoint);
