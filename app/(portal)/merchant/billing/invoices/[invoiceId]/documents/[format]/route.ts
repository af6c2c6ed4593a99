import { invoiceDocumentEndpoint } from "#server/endpoints/merchants/invoice-document.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(invoiceDocumentEndpoint);
