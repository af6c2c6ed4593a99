import { mountStatus } from "#server/http/serve-status.ts";
import { intervalsCsvEndpoint } from "#server/status/endpoints/intervals.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(intervalsCsvEndpoint);
