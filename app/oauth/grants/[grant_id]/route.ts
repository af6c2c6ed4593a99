import { mount } from "#server/http/serve.ts";
import { queryGrantEndpoint, revokeGrantEndpoint } from "#server/oauth/endpoints/grants.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(queryGrantEndpoint, revokeGrantEndpoint);
