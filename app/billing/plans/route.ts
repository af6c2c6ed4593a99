import { listPlansEndpoint } from "#server/endpoints/billing/plans.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listPlansEndpoint);
