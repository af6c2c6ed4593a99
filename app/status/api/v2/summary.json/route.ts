import { mountStatus } from "#server/http/serve-status.ts";
import { statuspageEndpoint } from "#server/status/endpoints/statuspage.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(statuspageEndpoint);
