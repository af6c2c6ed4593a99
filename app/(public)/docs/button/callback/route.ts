import { buttonCallbackEndpoint } from "#server/endpoints/demo/button-callback.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(buttonCallbackEndpoint);
