import { statuspageUpcomingEndpoint } from "#server/endpoints/status/statuspage.ts";
import { mountStatus } from "#server/http/serve-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(statuspageUpcomingEndpoint);
