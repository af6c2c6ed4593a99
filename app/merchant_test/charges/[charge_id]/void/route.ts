import { voidChargeEndpoint } from "#server/charges/endpoints/act-on-charge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(voidChargeEndpoint);
