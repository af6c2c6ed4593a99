import { listChargesEndpoint } from "#server/charges/endpoints/list-charges.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listChargesEndpoint);
