import { mount } from "#server/http/serve.ts";
import { directoryResourceMetadataEndpoint } from "#server/oauth/endpoints/well-known.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(directoryResourceMetadataEndpoint);
