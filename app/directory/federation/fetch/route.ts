import { fetchSubordinateEndpoint } from "#server/endpoints/directory/federation/subordinates.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(fetchSubordinateEndpoint);
