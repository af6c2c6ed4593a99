import { statusBadgeEndpoint } from "#server/endpoints/assets/status-badge.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(statusBadgeEndpoint);
