import { introspectEndpoint } from "#server/endpoints/oauth/introspect.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(introspectEndpoint);
