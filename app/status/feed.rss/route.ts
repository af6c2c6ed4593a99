import { mountStatus } from "#server/http/serve-status.ts";
import { statusRssEndpoint } from "#server/status/endpoints/feeds.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(statusRssEndpoint);
