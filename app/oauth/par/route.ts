import { parEndpoint } from "#server/endpoints/oauth/par.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(parEndpoint);
