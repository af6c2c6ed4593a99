import { serverConfigurationEndpoint } from "#server/endpoints/directory/federation/configurations.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(serverConfigurationEndpoint);
