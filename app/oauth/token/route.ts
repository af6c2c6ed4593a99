import { tokenEndpoint } from "#server/endpoints/oauth/token.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(tokenEndpoint);
