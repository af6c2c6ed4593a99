import { mount } from "#server/http/serve.ts";
import { tokenEndpoint } from "#server/oauth/endpoints/token.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(tokenEndpoint);
