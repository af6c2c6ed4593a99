import { logKeyEndpoint } from "#server/endpoints/directory/log/static.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(logKeyEndpoint);
