import { mount } from "#server/http/serve.ts";
import { revokeEndpoint } from "#server/oauth/endpoints/revoke.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(revokeEndpoint);
