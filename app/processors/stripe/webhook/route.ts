import { stripeWebhookEndpoint } from "#server/charges/endpoints/processor-webhook.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(stripeWebhookEndpoint);
