import { registerEndpoint } from "#server/endpoints/oauth/register.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(registerEndpoint);
