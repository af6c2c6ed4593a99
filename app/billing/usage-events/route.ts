import { recordUsageEventsEndpoint } from "#server/endpoints/billing/usage-events.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(recordUsageEventsEndpoint);
