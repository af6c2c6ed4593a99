import { getDisputeEndpoint } from "#server/endpoints/charges/disputes.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(getDisputeEndpoint);
