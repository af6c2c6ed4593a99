import { consentPaymentMethodEndpoint } from "#server/endpoints/oauth/consent-payment-method.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(consentPaymentMethodEndpoint);
