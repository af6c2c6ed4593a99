import { listMandateChargesEndpoint } from "#server/endpoints/charges/list-charges.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listMandateChargesEndpoint);
