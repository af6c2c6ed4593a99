import { manifestEndpoint } from "#server/endpoints/assets/manifest.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(manifestEndpoint);
