import { openApiEndpoint } from "#server/http/openapi/openapi-endpoint.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(openApiEndpoint);
