import { chargeEndpoint } from "#server/endpoints/charges/charge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chargeEndpoint);
