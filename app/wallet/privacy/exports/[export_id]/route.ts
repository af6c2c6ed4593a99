import { downloadDataExportEndpoint } from "#server/endpoints/wallet/download-data-export.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(downloadDataExportEndpoint);
