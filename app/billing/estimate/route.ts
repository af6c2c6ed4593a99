import { estimateEndpoint } from "#server/endpoints/billing/estimate.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(estimateEndpoint);
