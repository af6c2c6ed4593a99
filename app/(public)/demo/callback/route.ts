import { demoCallbackEndpoint } from "#server/endpoints/demo/demo-callback.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(demoCallbackEndpoint);
