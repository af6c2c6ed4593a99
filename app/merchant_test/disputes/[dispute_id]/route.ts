import { getDisputeEndpoint } from "#server/charges/endpoints/disputes.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(getDisputeEndpoint);
