import { readUsageEndpoint } from "#server/billing/endpoints/usage.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(readUsageEndpoint);
