import { mount } from "#server/http/serve.ts";
import { introspectEndpoint } from "#server/oauth/endpoints/introspect.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(introspectEndpoint);
