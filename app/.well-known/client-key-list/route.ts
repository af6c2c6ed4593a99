import { clientKeyListEndpoint } from "#server/endpoints/oauth/well-known.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(clientKeyListEndpoint);
