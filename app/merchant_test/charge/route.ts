import { chargeEndpoint } from "#server/charges/endpoints/charge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chargeEndpoint);
