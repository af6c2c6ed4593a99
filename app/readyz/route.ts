import { mount } from "#server/http/serve.ts";
import { readinessEndpoint } from "#server/status/endpoints/health.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readinessEndpoint);
