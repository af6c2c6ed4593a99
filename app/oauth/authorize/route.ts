import { mount } from "#server/http/serve.ts";
import { authorizeByFormEndpoint, authorizeEndpoint } from "#server/oauth/endpoints/authorize.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(authorizeEndpoint, authorizeByFormEndpoint);
