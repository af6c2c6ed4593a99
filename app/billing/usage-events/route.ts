import { recordUsageEventsEndpoint } from "#server/billing/endpoints/usage-events.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(recordUsageEventsEndpoint);
