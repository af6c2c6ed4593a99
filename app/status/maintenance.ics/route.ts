import { maintenanceCalendarEndpoint } from "#server/endpoints/status/maintenance-calendar.ts";
import { mountStatus } from "#server/http/serve-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mountStatus(maintenanceCalendarEndpoint);
