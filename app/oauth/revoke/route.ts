import { revokeEndpoint } from "#server/endpoints/oauth/revoke.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(revokeEndpoint);
