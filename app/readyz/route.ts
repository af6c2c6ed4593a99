import { readinessEndpoint } from "#server/endpoints/status/health.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readinessEndpoint);
