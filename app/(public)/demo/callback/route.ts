import { demoCallbackEndpoint } from "#server/http/demo-callback.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(demoCallbackEndpoint);
