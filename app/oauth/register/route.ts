import { mount } from "#server/http/serve.ts";
import { registerEndpoint } from "#server/oauth/endpoints/register.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(registerEndpoint);
