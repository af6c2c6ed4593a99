import { intervalsCsvEndpoint } from "#server/endpoints/status/intervals.ts";
import { mountStatus } from "#server/http/serve-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(intervalsCsvEndpoint);
