import { exportLedgerEndpoint } from "#server/endpoints/merchants/export-ledger.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(exportLedgerEndpoint);
