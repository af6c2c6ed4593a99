import { mount } from "#server/http/serve.ts";
import { healthEndpoint } from "#server/status/endpoints/health.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(healthEndpoint);
