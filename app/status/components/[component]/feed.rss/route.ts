import { componentRssEndpoint } from "#server/endpoints/status/feeds.ts";
import { mountStatus } from "#server/http/serve-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(componentRssEndpoint);
