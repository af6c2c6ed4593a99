import { mountStatus } from "#server/http/serve-status.ts";
import { statusAtomEndpoint } from "#server/status/endpoints/feeds.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(statusAtomEndpoint);
