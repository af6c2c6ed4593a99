import { withdrawChangeEndpoint } from "#server/endpoints/billing/subscription.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(withdrawChangeEndpoint);
