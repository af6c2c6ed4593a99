import { chargeReceiptPdfEndpoint } from "#server/endpoints/wallet/receipts.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(chargeReceiptPdfEndpoint);
