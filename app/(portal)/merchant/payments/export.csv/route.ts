import { exportPaymentsEndpoint } from "#server/endpoints/merchants/export-payments.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(exportPaymentsEndpoint);
