import { directoryJwksEndpoint } from "#server/endpoints/directory/keys.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(directoryJwksEndpoint);
