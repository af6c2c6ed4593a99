import { unsubscribeEndpoint, unsubscribePageEndpoint } from "#server/endpoints/status/subscriptions.ts";
import { mountStatus } from "#server/http/serve-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(
  unsubscribePageEndpoint,
  unsubscribeEndpoint,
);
