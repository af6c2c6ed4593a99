import { authorizeByFormEndpoint, authorizeEndpoint } from "#server/endpoints/oauth/authorize.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(authorizeEndpoint, authorizeByFormEndpoint);
