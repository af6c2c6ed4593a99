import { getRefundOfChargeEndpoint } from "#server/charges/endpoints/refunds.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(getRefundOfChargeEndpoint);
