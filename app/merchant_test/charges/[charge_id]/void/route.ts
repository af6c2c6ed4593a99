import { voidChargeEndpoint } from "#server/endpoints/charges/act-on-charge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(voidChargeEndpoint);
