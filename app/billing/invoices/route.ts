import { listInvoicesEndpoint } from "#server/endpoints/billing/invoices.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(listInvoicesEndpoint);
