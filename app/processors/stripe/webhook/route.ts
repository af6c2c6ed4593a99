import { stripeWebhookEndpoint } from "#server/endpoints/charges/processor-webhook.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(stripeWebhookEndpoint);
