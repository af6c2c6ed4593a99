import { schemaFileEndpoint } from "#server/endpoints/assets/bundle-file.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(schemaFileEndpoint);
