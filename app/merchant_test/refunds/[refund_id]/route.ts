import { getRefundEndpoint } from "#server/endpoints/charges/refunds.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(getRefundEndpoint);
