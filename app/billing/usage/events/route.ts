import { listUsageEventsEndpoint } from "#server/endpoints/billing/usage.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listUsageEventsEndpoint);
