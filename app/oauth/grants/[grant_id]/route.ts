import { queryGrantEndpoint, revokeGrantEndpoint } from "#server/endpoints/oauth/grants.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(queryGrantEndpoint, revokeGrantEndpoint);
