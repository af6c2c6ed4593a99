import { mountStatus } from "#server/http/serve-status.ts";
import { subscribeEndpoint } from "#server/status/endpoints/subscriptions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(subscribeEndpoint);
