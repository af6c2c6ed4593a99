import { newestStatusListEndpoint } from "#server/endpoints/credentials/status-list.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(newestStatusListEndpoint);
