import { mount } from "#server/http/serve.ts";
import { parEndpoint } from "#server/oauth/endpoints/par.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(parEndpoint);
