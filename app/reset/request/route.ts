import { requestResetEndpoint } from "#server/endpoints/accounts/request-reset.ts";
import { mount } from "#server/http/serve.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = mount(requestResetEndpoint);
