import { exportActivityEndpoint } from "#server/endpoints/wallet/export-activity.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(exportActivityEndpoint);
