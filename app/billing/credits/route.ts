import { listCreditsEndpoint } from "#server/endpoints/billing/ledger.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listCreditsEndpoint);
