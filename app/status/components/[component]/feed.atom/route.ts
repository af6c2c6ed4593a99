import { mountStatus } from "#server/http/serve-status.ts";
import { componentAtomEndpoint } from "#server/status/endpoints/feeds.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(componentAtomEndpoint);
