import { verifyMandateEndpoint } from "#server/endpoints/charges/verify-mandate.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(verifyMandateEndpoint);
